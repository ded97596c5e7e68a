// A partition of MICA compared with the simplest cache that does the same: the last eight tags of each bucket
// in a list, and a map from each key to the place of its entry. Its hits, misses and counts must be exactly
// equal.
#include "protocol/keyvalue/stores/mica_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <map>
#include <random>
#include <unordered_map>
#include <vector>

#include "protocol/keyvalue/stores/value_content.h"

namespace headroom::mica_cache_test {
namespace {

constexpr uint64_t kOffsets = uint64_t{1} << 48;

class PlainCache {
 public:
  explicit PlainCache(const MicaParameters& p) : p_(p) {}

  void Put(const Key& key, const std::vector<uint8_t>& value) {
    std::list<Entry>& bucket = buckets_[key.low % p_.buckets];
    const uint64_t before = logged_;
    logged_ += (18 + value.size() + 7) / 8 * 8;
    replaced += bucket.remove_if([&](const Entry& e) { return e.key.low >> 48 == key.low >> 48; });
    if (bucket.size() == 8) {
      if (logged_ - bucket.front().offset <= p_.log) ++evicted;
      bucket.pop_front();
    }
    bucket.push_back({key, before, value});
  }

  /// Null means a miss.
  const std::vector<uint8_t>* Get(const Key& key, uint32_t& accesses) {
    accesses = 1;
    for (const Entry& e : buckets_[key.low % p_.buckets]) {
      if (e.key.low >> 48 != key.low >> 48) continue;
      if (logged_ - e.offset > p_.log) {
        ++overwritten;
        return nullptr;
      }
      accesses = 2;
      if (e.key == key) return &e.value;
      ++collided;
      return nullptr;
    }
    return nullptr;
  }
  uint64_t replaced = 0, evicted = 0, overwritten = 0, collided = 0;

 private:
  struct Entry {
    Key key;
    uint64_t offset;
    std::vector<uint8_t> value;
  };
  MicaParameters p_;
  uint64_t logged_ = 0;
  std::unordered_map<uint64_t, std::list<Entry>> buckets_;
};

std::vector<uint8_t> Value(const Key& key, uint64_t version, size_t length) {
  std::vector<uint8_t> value(length);
  FillValue(key, version, value);
  return value;
}

/// `tags`: how many tags differ; with few of them keys collide.
Key KeyWithTag(uint64_t record, uint64_t tags) {
  const Key key = KeyOfRecord(record);
  return {(key.low % kOffsets) | (key.low >> 48) % tags << 48, key.high};
}

struct Case {
  MicaParameters parameters;
  uint64_t records, tags;
  size_t longest;  ///< longest value in bytes
};

void Compare(const Case& c, uint32_t seed, int operations) {
  std::mt19937_64 random(seed);
  MicaCache cache(c.parameters);
  PlainCache plain(c.parameters);
  std::map<uint64_t, std::pair<uint64_t, size_t>> last;  // by record: version and length
  uint64_t hits = 0, gets = 0, puts = 0;
  for (int i = 0; i < operations; ++i) {
    const uint64_t record = random() % c.records;
    const Key key = KeyWithTag(record, c.tags);
    if (random() % 2 == 0) {
      const uint64_t version = static_cast<uint64_t>(i);
      const auto value = Value(key, version, random() % (c.longest + 1));
      last[record] = {version, value.size()};
      EXPECT_EQ(cache.Put(key, value), 1u);
      plain.Put(key, value);
      ++puts;
      continue;
    }
    ++gets;
    uint32_t accesses = 0;
    const std::vector<uint8_t>* expected = plain.Get(key, accesses);
    const MicaGet got = cache.Get(key);
    ASSERT_EQ(got.hit, expected != nullptr) << "operation " << i;
    ASSERT_EQ(got.accesses, accesses) << "operation " << i;
    if (!got.hit) continue;
    ++hits;
    ASSERT_TRUE(std::ranges::equal(got.value, *expected)) << "operation " << i;
    ASSERT_EQ(got.value.size(), last[record].second);
    ASSERT_TRUE(IsValue(key, last[record].first, got.value)) << "operation " << i;
  }
  const MicaCounters& n = cache.counters();
  EXPECT_EQ(n.hits, hits);
  EXPECT_EQ(n.hits + n.misses, gets);
  EXPECT_EQ(n.puts, puts);
  EXPECT_EQ(n.overwritten, plain.overwritten);
  EXPECT_EQ(n.collided, plain.collided);
  EXPECT_EQ(n.replaced, plain.replaced);
  EXPECT_EQ(n.evicted, plain.evicted);
  EXPECT_GT(hits, 0u);
}

TEST(MicaCache, does_as_a_plain_one_while_all_fits) {
  Compare({{1024, 1 << 20, 100, 0}, 500, 1 << 16, 100}, 1, 5000);
}

TEST(MicaCache, does_as_a_plain_one_while_its_log_is_overwritten) {
  Compare({{1024, 4096, 100, 0}, 300, 1 << 16, 100}, 2, 50000);
  Compare({{1024, 4104, 1000, 0}, 100, 1 << 16, 1000}, 3,
          50000);  // few entries, often across the end of the log
  Compare({{1024, 3'000'000, 1000, 0}, 5000, 1 << 16, 1000}, 4, 50000);  // several pieces of memory
  Compare({{1024, 3'000'000, 65'535, 0}, 100, 1 << 16, 65'535}, 4,
          5000);  // a value alone is longer than a piece
}

TEST(MicaCache, does_as_a_plain_one_while_its_index_evicts) {
  Compare({{4, 1 << 20, 100, 0}, 300, 1 << 16, 20}, 5, 20000);
  Compare({{1, 2048, 100, 0}, 40, 1 << 16, 100}, 6, 20000);
}

TEST(MicaCache, never_gives_another_keys_value_where_tags_collide) {
  Compare({{2, 1 << 20, 100, 0}, 200, 3, 40}, 7, 20000);
  Compare({{1, 1024, 100, 0}, 20, 1, 40}, 8, 20000);
}

TEST(MicaCache, goes_on_when_its_offsets_pass_48_bits) {
  for (const uint64_t behind : {uint64_t{0}, uint64_t{8}, uint64_t{5000}, uint64_t{100'000}})
    Compare({{16, 4096, 100, kOffsets - behind}, 60, 1 << 16, 100}, 9, 20000);
  Compare({{16, 4096, 100, 7 * kOffsets - 96}, 60, 1 << 16, 100}, 10, 20000);
}

// A log of 4096 bytes holds 64 entries of 18 + 40 bytes, each of 64 in the log. Expect: after 65 PUTs the
// first is gone and the 64 others are there; then each PUT overwrites exactly the oldest.
TEST(MicaCache, overwrites_the_oldest_and_no_other) {
  MicaCache cache({1 << 16, 4096, 40, 0});
  for (uint64_t i = 0; i < 300; ++i) {
    cache.Put(KeyOfRecord(i), Value(KeyOfRecord(i), i, 40));
    for (uint64_t j = 0; j <= i; ++j) {
      const MicaGet got = cache.Get(KeyOfRecord(j));
      ASSERT_EQ(got.hit, j + 64 > i) << j << " after " << i;
      ASSERT_TRUE(!got.hit || IsValue(KeyOfRecord(j), j, got.value));
    }
  }
  EXPECT_EQ(cache.counters().evicted, 0u);
}

// PUTs of an empty value, the largest, one that is too large, and without a key.
TEST(MicaCache, refuses_what_it_cannot_hold) {
  MicaCache cache({16, 1 << 20, UINT16_MAX, 0});
  cache.Put(KeyOfRecord(1), {});
  EXPECT_TRUE(cache.Get(KeyOfRecord(1)).hit);
  EXPECT_TRUE(cache.Get(KeyOfRecord(1)).value.empty());
  cache.Put(KeyOfRecord(2), Value(KeyOfRecord(2), 1, UINT16_MAX));
  EXPECT_TRUE(IsValue(KeyOfRecord(2), 1, cache.Get(KeyOfRecord(2)).value));
  EXPECT_THROW(cache.Put(KeyOfRecord(3), std::vector<uint8_t>(UINT16_MAX + 1)), std::length_error);
  EXPECT_THROW(cache.Put({}, {}), std::invalid_argument);
  EXPECT_FALSE(cache.Get({}).hit);
  EXPECT_FALSE(cache.Get(KeyOfRecord(3)).hit);

  EXPECT_THROW(MicaCache({12, 4096, 100, 0}), std::invalid_argument);  // number of buckets
  EXPECT_THROW(MicaCache({0, 4096, 100, 0}), std::invalid_argument);
  EXPECT_THROW(MicaCache({uint64_t{1} << 33, 4096, 100, 0}), std::invalid_argument);
  EXPECT_THROW(MicaCache({16, 4100, 100, 0}), std::invalid_argument);  // size of the log
  EXPECT_THROW(MicaCache({16, (uint64_t{1} << 47) + 8, 100, 0}), std::invalid_argument);
  EXPECT_THROW(MicaCache({16, 4096, 4079, 0}), std::invalid_argument);  // largest value
  EXPECT_NO_THROW(MicaCache({16, 4096, 4078, 0}));
  EXPECT_THROW(MicaCache({16, 1 << 20, UINT16_MAX + 1, 0}), std::invalid_argument);
  EXPECT_THROW(MicaCache({16, 4096, 100, 4}), std::invalid_argument);  // first offset
}

// 64 Mi keys and 4 GB, of which a thousand entries are written.
TEST(MicaCache, takes_memory_for_what_is_written) {
  MicaCache cache(MicaParameters{});
  EXPECT_EQ(cache.reserved(), 0u);
  for (uint64_t i = 0; i < 1000; ++i) {
    cache.Get(KeyOfRecord(1000 + i));
    cache.Put(KeyOfRecord(i), Value(KeyOfRecord(i), i, 1000));
  }
  EXPECT_LT(cache.reserved(), 1000u * (64 + 1024) + (1 << 20) + 2048);
  for (uint64_t i = 0; i < 1000; ++i)
    ASSERT_TRUE(IsValue(KeyOfRecord(i), i, cache.Get(KeyOfRecord(i)).value));
}

}  // namespace
}  // namespace headroom::mica_cache_test
