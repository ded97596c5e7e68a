#include "protocol/crc32c.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace headroom::crc32c_test {
namespace {

/// Examples of RFC 3720, appendix B.4, and the check value that catalogues of CRCs give for "123456789".
TEST(Crc32c, is_that_of_the_published_examples) {
  EXPECT_EQ(Crc32c(std::vector<uint8_t>(32, 0)), 0x8A9136AAu);
  EXPECT_EQ(Crc32c(std::vector<uint8_t>(32, 0xff)), 0x62A8AB43u);
  std::vector<uint8_t> up(32), down(32);
  for (uint8_t i = 0; i < 32; ++i) up[i] = i, down[i] = 31 - i;
  EXPECT_EQ(Crc32c(up), 0x46DD794Eu);
  EXPECT_EQ(Crc32c(down), 0x113FDB5Cu);
  const std::string digits = "123456789";
  EXPECT_EQ(Crc32c({reinterpret_cast<const uint8_t*>(digits.data()), digits.size()}), 0xE3069283u);
}

/// Computes the CRC bit by bit, for each length around those that the code takes at once.
TEST(Crc32c, is_the_same_bit_by_bit) {
  std::vector<uint8_t> bytes;
  for (uint32_t length = 0; length < 40; ++length) {
    uint32_t crc = UINT32_MAX;
    for (const uint8_t byte : bytes) {
      crc ^= byte;
      for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? (crc >> 1) ^ 0x82F63B78u : crc >> 1;
    }
    EXPECT_EQ(Crc32c(bytes), ~crc) << length;
    bytes.push_back(static_cast<uint8_t>(37 * length + 11));
  }
}

TEST(Crc32c, goes_on_from_that_of_what_came_before) {
  const std::vector<uint8_t> bytes = {1, 2, 3, 4, 5, 6, 7};
  const std::span<const uint8_t> all(bytes);
  EXPECT_EQ(Crc32c(all.subspan(3), Crc32c(all.first(3))), Crc32c(all));
}

}  // namespace
}  // namespace headroom::crc32c_test
