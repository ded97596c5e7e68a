#include "protocol/keyvalue/stores/value_content.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace headroom::value_content_test {
namespace {

std::vector<uint8_t> Value(const Key& key, uint64_t version, size_t length) {
  std::vector<uint8_t> value(length);
  FillValue(key, version, value);
  return value;
}

TEST(ValueContent, is_of_one_key_one_version_and_one_length) {
  const Key key = KeyOfRecord(1);
  for (const size_t length : {8, 9, 15, 32, 1000}) {
    std::vector<uint8_t> value = Value(key, 7, length);
    EXPECT_TRUE(IsValue(key, 7, value));
    EXPECT_FALSE(IsValue(key, 8, value));
    EXPECT_FALSE(IsValue(KeyOfRecord(2), 7, value));
    EXPECT_FALSE(IsValue({key.high, key.low}, 7, value));
    EXPECT_FALSE(IsValue(key, 7, std::span(value).first(length - 1)));
    for (size_t i = 0; i < length; ++i) {
      value[i] ^= 1;
      EXPECT_FALSE(IsValue(key, 7, value)) << "byte " << i << " of " << length;
      value[i] ^= 1;
    }
  }
}

TEST(ValueContent, of_fewer_than_eight_bytes_differs_as_often_as_these_can) {
  EXPECT_TRUE(IsValue(KeyOfRecord(1), 1, {}));
  int same = 0;
  for (uint64_t version = 1; version <= 25600; ++version) {
    EXPECT_TRUE(IsValue(KeyOfRecord(1), version, Value(KeyOfRecord(1), version, 1)));
    same += IsValue(KeyOfRecord(1), 0, Value(KeyOfRecord(1), version, 1)) ? 1 : 0;
  }
  EXPECT_NEAR(same, 100, 40);  // 25,600 / 256, four standard deviations of 10
}

TEST(Key, of_records_differ_in_both_halves_and_are_never_null) {
  std::set<uint64_t> low, high;
  for (uint64_t record = 0; record < 10000; ++record) {
    const Key key = KeyOfRecord(record);
    EXPECT_FALSE(key.null());
    low.insert(key.low);
    high.insert(key.high);
  }
  EXPECT_EQ(low.size(), 10000u);
  EXPECT_EQ(high.size(), 10000u);
  EXPECT_FALSE(KeyOfRecord(~uint64_t{0}).null());
  EXPECT_THROW(RequireKey({}), std::invalid_argument);
}

}  // namespace
}  // namespace headroom::value_content_test
