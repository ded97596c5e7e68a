#include "protocol/keyvalue/stores/hopscotch_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <unordered_map>
#include <vector>

#include "protocol/keyvalue/stores/value_content.h"

namespace headroom::hopscotch_table_test {
namespace {

std::vector<uint8_t> Value(const Key& key, uint64_t version, size_t length) {
  std::vector<uint8_t> value(length);
  FillValue(key, version, value);
  return value;
}

struct OfKey {
  size_t operator()(const Key& key) const { return key.high; }
};
using Map = std::unordered_map<Key, std::vector<uint8_t>, OfKey>;

/// A client's result from the READs of the layout.
std::optional<std::vector<uint8_t>> ReadAsAClient(const HopscotchTable& table, const Key& key) {
  const HopscotchLayout& layout = table.layout();
  const auto range = layout.Neighbourhood(key);
  const auto there = layout.Find(table.bytes().subspan(range.address, range.bytes), key);
  if (!there) return std::nullopt;
  if (layout.inlined) return std::vector<uint8_t>(there->begin(), there->end());
  const auto at = HopscotchValueAt(*there);
  const auto value = table.extents().At(at.address, at.bytes);
  return std::vector<uint8_t>(value.begin(), value.end());
}

void ExpectSame(const HopscotchTable& table, const Map& map, uint64_t records) {
  ASSERT_EQ(table.keys(), map.size());
  for (const auto& [key, value] : map) {
    const auto got = table.Get(key);
    ASSERT_TRUE(got.hit);
    ASSERT_TRUE(std::ranges::equal(got.value, value));
    ASSERT_EQ(ReadAsAClient(table, key), value);
  }
  for (uint64_t record = 0; record < records; ++record) {
    if (map.count(KeyOfRecord(record)) > 0) continue;
    ASSERT_FALSE(table.Get(KeyOfRecord(record)).hit);
    ASSERT_EQ(ReadAsAClient(table, KeyOfRecord(record)), std::nullopt);
  }
}

/// Fills the table to three quarters, far above the point where the first PUT is refused.
void CompareWithMap(const HopscotchLayout& layout, uint32_t seed) {
  std::mt19937_64 random(seed);
  HopscotchTable table(layout, 1 << 20);
  Map map;
  int refused = 0;
  for (uint64_t i = 0; map.size() < layout.homes * 3 / 4; ++i) {
    const uint64_t record = random() % (3 * layout.homes);
    const Key key = KeyOfRecord(record);
    const auto value = Value(key, i, layout.inlined ? layout.value : random() % (layout.value + 1));
    if (table.Put(key, value))
      map[key] = value;
    else
      ++refused;
    ASSERT_TRUE(refused == 0 || map.size() > layout.homes / 8);
    if (i % 50 == 0) ExpectSame(table, map, 3 * layout.homes);
  }
  ExpectSame(table, map, 3 * layout.homes);
  for (auto& [key, value] : map) {  // a new version never needs another item
    value = Value(key, 1 << 20, value.size());
    ASSERT_TRUE(table.Put(key, value));
  }
  ExpectSame(table, map, 3 * layout.homes);
  EXPECT_GT(refused, 0);
}

TEST(HopscotchTable, has_what_a_map_has_with_values_inline) {
  for (const uint32_t seed : {1u, 2u, 3u}) CompareWithMap({997 + seed, 32, true}, seed);
  CompareWithMap({1000, 0, true}, 4);
}

TEST(HopscotchTable, has_what_a_map_has_with_pointers) {
  for (const uint32_t seed : {1u, 2u, 3u}) CompareWithMap({997 + seed, 100, false}, seed);
}

// HERD, section 5: with keys of 16 B and values of 32 B FaRM-em reads 6·(16 + 32) = 288 B; VAR reads 6·(16
// + 8) = 144 B and then 32 B.
TEST(HopscotchTable, is_read_as_the_paper_says) {
  const Key key = KeyOfRecord(5);
  HopscotchTable inlined({100, 32, true});
  ASSERT_TRUE(inlined.Put(key, Value(key, 1, 32)));
  EXPECT_EQ(inlined.Get(key).read.bytes, 288u);
  EXPECT_EQ(inlined.Get(key).read.address, inlined.layout().Home(key) * 48u);
  EXPECT_FALSE(inlined.Get(key).second.has_value());

  HopscotchTable pointers({100, 32, false}, 1000);
  ASSERT_TRUE(pointers.Put(KeyOfRecord(6), Value(KeyOfRecord(6), 1, 20)));
  ASSERT_TRUE(pointers.Put(key, Value(key, 1, 32)));
  const auto got = pointers.Get(key);
  EXPECT_EQ(got.read.bytes, 144u);
  EXPECT_EQ(got.read.address, pointers.layout().Home(key) * 24u);
  ASSERT_TRUE(got.second.has_value());
  EXPECT_EQ(got.second->bytes, 32u);
  EXPECT_EQ(got.second->address, 24u);  // after 20 bytes, at a multiple of eight
  EXPECT_EQ(pointers.Get(KeyOfRecord(7)).read.bytes, 144u);
  EXPECT_FALSE(pointers.Get(KeyOfRecord(7)).second.has_value());
}

Key WithHome(uint64_t home, uint64_t number) { return {home, number}; }

// Homes are 0 to 9; two keys each of the homes 0, 2 and 4 take items 0 to 5: 0 0 2 2 4 4. A third key of home
// 0 finds item 6 empty, which is too far away; the first key that may move there is at item 2, of home 2.
TEST(HopscotchTable, moves_the_first_item_that_may) {
  HopscotchTable table({10, 8, true});
  Map map;
  const auto put = [&](const Key& key) {
    if (!table.Put(key, Value(key, 1, 8))) return false;
    map[key] = Value(key, 1, 8);
    return true;
  };
  const auto key_at = [&](uint32_t item) {
    const uint8_t* at = table.bytes().data() + item * 24u;
    return WithHome(at[0], at[8]);  // numbers below 256, little-endian
  };
  for (const uint64_t home : {0, 2, 4})
    for (const uint64_t number : {1, 2}) ASSERT_TRUE(put(WithHome(home, number)));
  EXPECT_EQ(key_at(2), WithHome(2, 1));
  EXPECT_TRUE(key_at(6).null());
  ASSERT_TRUE(put(WithHome(0, 3)));
  EXPECT_EQ(key_at(2), WithHome(0, 3));
  EXPECT_EQ(key_at(6), WithHome(2, 1));
  ExpectSame(table, map, 0);
}

// Six keys fill a home, and the seventh has no room, with the last home as with any. Expect: it is refused,
// the six keys are unchanged, and one of them may still have a new version.
TEST(HopscotchTable, refuses_a_seventh_key_of_a_home) {
  for (const uint64_t home : {0, 5, 9}) {
    HopscotchTable table({10, 8, true});
    Map map;
    for (uint64_t number = 1; number <= 6; ++number) {
      const Key key = WithHome(home, number);
      ASSERT_TRUE(table.Put(key, map[key] = Value(key, 1, 8)));
    }
    EXPECT_FALSE(table.Put(WithHome(home, 7), Value(WithHome(home, 7), 1, 8)));
    ExpectSame(table, map, 100);
    EXPECT_TRUE(table.Put(WithHome(home, 6), map[WithHome(home, 6)] = Value(WithHome(home, 6), 2, 8)));
    ExpectSame(table, map, 100);
  }
}

// There are extents of 64 bytes: a value of 32, and room for its new version; the second key's value leaves
// none for another version.
TEST(HopscotchTable, writes_a_new_version_before_it_frees_the_old_one) {
  HopscotchTable table({10, 32, false}, 64);
  const Key one = WithHome(1, 1), two = WithHome(2, 1), three = WithHome(3, 1);
  for (uint64_t version = 1; version < 10; ++version) {
    const Key& key = one;
    ASSERT_TRUE(table.Put(key, Value(key, version, 32)));
    EXPECT_TRUE(IsValue(key, version, table.Get(key).value));
  }
  ASSERT_TRUE(table.Put(two, Value(two, 1, 32)));
  EXPECT_FALSE(table.Put(one, Value(one, 10, 32)));
  EXPECT_TRUE(IsValue(one, 9, table.Get(one).value));
  EXPECT_FALSE(table.Put(three, Value(three, 1, 32)));
  EXPECT_FALSE(table.Get(three).hit);
  EXPECT_EQ(table.keys(), 2u);
}

TEST(HopscotchTable, refuses_no_key_no_homes_and_other_lengths) {
  EXPECT_THROW(HopscotchTable({0, 8, true}), std::invalid_argument);
  HopscotchTable inlined({10, 8, true}), pointers({10, 8, false}, 100);
  const Key key = KeyOfRecord(1);
  EXPECT_THROW(inlined.Put(key, Value(key, 1, 7)), std::length_error);
  EXPECT_THROW(inlined.Put(key, Value(key, 1, 9)), std::length_error);
  EXPECT_THROW(pointers.Put(key, Value(key, 1, 9)), std::length_error);
  EXPECT_TRUE(pointers.Put(key, Value(key, 1, 7)));
  for (HopscotchTable* table : {&inlined, &pointers}) {
    EXPECT_THROW(table->Put({}, Value({}, 1, 8)), std::invalid_argument);
    EXPECT_THROW(table->Get({}), std::invalid_argument);
  }
}

}  // namespace
}  // namespace headroom::hopscotch_table_test
