#include "protocol/keyvalue/stores/cuckoo_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <unordered_map>
#include <vector>

#include "protocol/keyvalue/stores/value_content.h"

namespace headroom::cuckoo_table_test {
namespace {

std::vector<uint8_t> Value(uint64_t record, uint64_t version, size_t length) {
  std::vector<uint8_t> value(length);
  FillValue(KeyOfRecord(record), version, value);
  return value;
}

using Map = std::unordered_map<uint64_t, std::vector<uint8_t>>;

/// Every key of `map` is in one of its places, and no other key is.
void ExpectSame(const CuckooTable& table, const Map& map, uint64_t records) {
  for (uint64_t record = 0; record < records; ++record) {
    const auto got = table.Get(KeyOfRecord(record));
    const auto expected = map.find(record);
    ASSERT_EQ(got.hit, expected != map.end()) << "record " << record;
    ASSERT_EQ(got.buckets, CuckooBuckets(KeyOfRecord(record), table.buckets()));
    if (!got.hit) {
      ASSERT_EQ(got.probes, 3u);
      continue;
    }
    ASSERT_TRUE(std::ranges::equal(got.value, expected->second)) << "record " << record;
    for (uint32_t i = 0; i < got.probes; ++i) {
      const auto bucket = table.bytes().subspan(got.buckets[i] * 32).first<32>();
      ASSERT_EQ(CuckooEntry::Decode(bucket)->key == KeyOfRecord(record), i + 1 == got.probes);
    }
  }
}

TEST(CuckooTable, has_what_a_map_has_while_it_fills) {
  for (const uint32_t seed : {1u, 2u, 3u}) {
    std::mt19937_64 random(seed);
    const uint32_t buckets = 1000 + seed;
    CuckooTable table(buckets, 1 << 20);
    Map map;
    for (uint64_t i = 0; map.size() < buckets * 85 / 100; ++i) {
      const uint64_t record = random() % (2 * buckets);
      const auto value = Value(record, i, random() % 100);
      ASSERT_TRUE(table.Put(KeyOfRecord(record), value));
      map[record] = value;
      ASSERT_EQ(table.keys(), map.size());
      if (i % 100 == 0) ExpectSame(table, map, 2 * buckets);
    }
    ExpectSame(table, map, 2 * buckets);
    EXPECT_GT(table.moved(), 0u);
  }
}

// Ten buckets hold at most ten keys. Expect: the others are refused, and existing keys stay as they are.
TEST(CuckooTable, refuses_what_has_no_room_and_keeps_the_rest) {
  CuckooTable table(10, 1 << 16);
  Map map;
  for (uint64_t record = 0; record < 100; ++record) {
    const auto value = Value(record, 1, 20);
    if (table.Put(KeyOfRecord(record), value)) map[record] = value;
    ExpectSame(table, map, 100);
  }
  EXPECT_LE(map.size(), 10u);
  EXPECT_GE(map.size(), 8u);
  for (auto& [record, value] : map) {  // a new version needs no other bucket
    value = Value(record, 2, 30);
    EXPECT_TRUE(table.Put(KeyOfRecord(record), value));
  }
  ExpectSame(table, map, 100);
}

// There are extents for four values of 64 bytes: three keys, and the fourth for a new version of one of them.
TEST(CuckooTable, writes_a_new_version_before_it_frees_the_old_one) {
  CuckooTable table(100, 256);
  for (uint64_t record = 0; record < 3; ++record)
    ASSERT_TRUE(table.Put(KeyOfRecord(record), Value(record, 0, 64)));
  for (uint64_t version = 1; version < 50; ++version) {
    const uint64_t record = version % 3;
    const auto before = table.Get(KeyOfRecord(record));
    const std::vector<uint8_t> old(before.value.begin(), before.value.end());
    ASSERT_TRUE(table.Put(KeyOfRecord(record), Value(record, version, 64)));
    EXPECT_TRUE(std::ranges::equal(table.extents().At(before.address, 64), old));
    EXPECT_TRUE(IsValue(KeyOfRecord(record), version, table.Get(KeyOfRecord(record)).value));
  }
  ASSERT_TRUE(table.Put(KeyOfRecord(3), Value(3, 0, 64)));
  EXPECT_FALSE(table.Put(KeyOfRecord(0), Value(0, 99, 64)));
  EXPECT_FALSE(table.Put(KeyOfRecord(4), Value(4, 0, 8)));
  EXPECT_EQ(table.keys(), 4u);
  EXPECT_FALSE(IsValue(KeyOfRecord(0), 99, table.Get(KeyOfRecord(0)).value));
}

// HERD, section 5, on Pilaf: 1.6 buckets on average, when 75 % full. If no PUT had to move a key, a key would
// be in its n-th bucket if the n-1 before it were taken: over a table that fills to f these are 1 + f/2 +
// f²/3 = 1.56.
TEST(CuckooTable, looks_at_1_6_buckets_on_average_three_quarters_full) {
  for (const uint32_t buckets : {4096u, 60'000u}) {
    CuckooTable table(buckets, uint64_t{buckets} * 8);
    const uint32_t keys = buckets * 3 / 4;
    for (uint64_t record = 0; record < keys; ++record)
      ASSERT_TRUE(table.Put(KeyOfRecord(record), Value(record, 0, 8)));
    uint64_t probes = 0;
    for (uint64_t record = 0; record < keys; ++record) probes += table.Get(KeyOfRecord(record)).probes;
    EXPECT_NEAR(static_cast<double>(probes) / keys, 1.6, 0.1) << buckets;
  }
}

TEST(CuckooTable, refuses_no_key_no_buckets_and_values_too_long) {
  EXPECT_THROW(CuckooTable(0, 100), std::invalid_argument);
  EXPECT_THROW(Extents((uint64_t{1} << 48) + 1), std::invalid_argument);
  CuckooTable table(10, 1 << 20);
  EXPECT_THROW(table.Put({}, {}), std::invalid_argument);
  EXPECT_THROW(table.Get({}), std::invalid_argument);
  EXPECT_THROW(table.Put(KeyOfRecord(1), std::vector<uint8_t>(UINT16_MAX + 1)), std::length_error);
  EXPECT_TRUE(table.Put(KeyOfRecord(1), Value(1, 1, UINT16_MAX)));
  EXPECT_TRUE(IsValue(KeyOfRecord(1), 1, table.Get(KeyOfRecord(1)).value));
  EXPECT_TRUE(table.Put(KeyOfRecord(2), {}));
  EXPECT_TRUE(table.Get(KeyOfRecord(2)).hit);
}

}  // namespace
}  // namespace headroom::cuckoo_table_test
