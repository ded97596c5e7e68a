#include "protocol/keyvalue/stores/cuckoo_entry.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace headroom::cuckoo_entry_test {
namespace {

const CuckooEntry kBefore{KeyOfRecord(1), 0x123456789abc, 1000, 0xdeadbeef};
const CuckooEntry kAfter{KeyOfRecord(2), 0xffffffffffff, 65535, 1};

TEST(CuckooEntry, is_read_as_it_was_written) {
  for (const CuckooEntry& entry : {kBefore, kAfter, CuckooEntry{}}) {
    const auto read = CuckooEntry::Decode(entry.Encoded());
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->key, entry.key);
    EXPECT_EQ(read->address, entry.address);
    EXPECT_EQ(read->length, entry.length);
    EXPECT_EQ(read->crc, entry.crc);
  }
}

// The writer has reached byte n when the reader reads; it writes from either end, over an entry or over
// nothing. Expect: the reader notices it wherever the bytes so far differ from both.
TEST(CuckooEntry, half_written_is_known) {
  for (const CuckooEntry& old : {kBefore, CuckooEntry{}}) {
    const auto before = old.Encoded(), after = kAfter.Encoded();
    for (size_t n = 0; n <= before.size(); ++n) {
      auto upwards = before, downwards = after;
      std::copy_n(after.begin(), n, upwards.begin());
      std::copy_n(before.begin(), n, downwards.begin());
      for (const auto& bytes : {upwards, downwards})
        EXPECT_EQ(CuckooEntry::Decode(bytes).has_value(), bytes == before || bytes == after) << n << " bytes";
    }
  }
}

TEST(CuckooEntry, of_zeros_alone_is_none) {
  EXPECT_FALSE(CuckooEntry::Decode(CuckooEntry::Bucket{}).has_value());
}

}  // namespace
}  // namespace headroom::cuckoo_entry_test
