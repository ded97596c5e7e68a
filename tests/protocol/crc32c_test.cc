#include "protocol/crc32c.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace headroom::crc32c_test {
namespace {

/// RFC 3720, appendix B.4; and the check value that catalogues of CRCs give for "123456789".
TEST(Crc32c, is_that_of_the_published_examples) {
  EXPECT_EQ(Crc32c(std::vector<uint8_t>(32, 0)), 0x8A9136AAu);
  EXPECT_EQ(Crc32c(std::vector<uint8_t>(32, 0xff)), 0x62A8AB43u);
  const std::string digits = "123456789";
  EXPECT_EQ(Crc32c({reinterpret_cast<const uint8_t*>(digits.data()), digits.size()}), 0xE3069283u);
}

TEST(Crc32c, goes_on_from_that_of_what_came_before) {
  const std::vector<uint8_t> bytes = {1, 2, 3, 4, 5, 6, 7};
  const std::span<const uint8_t> all(bytes);
  EXPECT_EQ(Crc32c(all.subspan(3), Crc32c(all.first(3))), Crc32c(all));
}

}  // namespace
}  // namespace headroom::crc32c_test
