// A cache that was loaded before the run, compared with one that remembers everything.
#include "protocol/keyvalue/loaded_cache.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "protocol/keyvalue/versioned_value.h"

namespace headroom::loaded_cache_test {
namespace {

constexpr uint64_t kRecords = 300;
constexpr uint32_t kValue = 24;

LoadedCache CacheOf(uint64_t log) {
  LoadedCache::Parameters p;
  p.cache.buckets = 64;
  p.cache.log = log;
  p.cache.largest_value = kValue;
  p.records = kRecords;
  p.value = kValue;
  return LoadedCache(p);
}

TEST(LoadedCache, a_hit_is_what_was_put_last_else_what_was_loaded) {
  for (const uint64_t log : {uint64_t{1} << 20, uint64_t{4096}}) {
    SCOPED_TRACE(log);
    LoadedCache cache = CacheOf(log);
    std::mt19937 random(3);
    std::map<uint64_t, uint64_t> versions;
    std::vector<uint8_t> value(kValue), got(kValue);
    uint64_t loaded = 0, put = 0, gets = 0;
    for (uint64_t i = 1; i <= 5000; ++i) {
      const uint64_t record = random() % (kRecords + 50);
      const Key key = KeyOfRecord(record);
      if (random() % 4 == 0) {
        FillVersion(key, i, value);
        cache.Put(key, value);
        versions[record] = i;
        continue;
      }
      ++gets;
      const auto bytes = cache.Get(key, got);
      if (!bytes) continue;
      ASSERT_EQ(*bytes, kValue);
      ASSERT_TRUE(IsVersionOf(key, got));
      const auto version = versions.find(record);
      EXPECT_TRUE(record < kRecords || version != versions.end());
      ASSERT_EQ(VersionOf(got), version == versions.end() ? 0 : version->second);
      ++(version == versions.end() ? loaded : put);
    }
    EXPECT_EQ(cache.hits() + cache.misses(), gets);
    EXPECT_EQ(cache.hits(), loaded + put);
    EXPECT_GT(loaded, 20u);
    EXPECT_GT(put, 200u);
    EXPECT_EQ(cache.misses() > gets / 4, log == 4096);
  }
}

TEST(LoadedCache, what_is_put_overwrites_the_records_that_were_loaded_first) {
  // An item has 24 B of value and its entry's overhead; there is room for exactly the loaded items.
  const uint64_t each = MicaLog::EntryBytes(kValue);
  LoadedCache cache = CacheOf(kRecords * each);
  std::vector<uint8_t> value(kValue);
  const auto there = [&](uint64_t record) { return cache.Get(KeyOfRecord(record), value).has_value(); };
  EXPECT_TRUE(there(0));
  for (uint64_t i = 0; i < 10; ++i) {
    const Key key = KeyOfRecord(kRecords + i);
    FillVersion(key, 1, value);
    cache.Put(key, value);
    EXPECT_FALSE(there(i)) << i;
    EXPECT_TRUE(there(i + 1)) << i;
    EXPECT_TRUE(there(kRecords + i)) << i;
  }
}

}  // namespace
}  // namespace headroom::loaded_cache_test
