#include "nic/context_cache.h"

#include <gtest/gtest.h>

#include <list>
#include <random>

namespace headroom {
namespace {

TEST(ContextCache, a_context_is_there_until_others_were_used_since) {
  ContextCache cache(3);
  EXPECT_FALSE(cache.Touch(10, 1));
  EXPECT_FALSE(cache.Touch(11, 1));
  EXPECT_FALSE(cache.Touch(12, 1));
  EXPECT_TRUE(cache.Touch(10, 1));   // 11 is now the oldest
  EXPECT_FALSE(cache.Touch(13, 1));  // and goes
  EXPECT_TRUE(cache.Touch(10, 1));
  EXPECT_FALSE(cache.Touch(11, 1));
  EXPECT_EQ(cache.hits(), 2u);
  EXPECT_EQ(cache.misses(), 5u);
}

TEST(ContextCache, taking_turns_among_more_than_fit_never_hits) {
  // The worst case of least recently used: by the time a context has its turn again it has just been put out.
  ContextCache cache(100);
  for (int round = 0; round < 10; ++round) {
    for (uint32_t context = 0; context < 101; ++context) EXPECT_FALSE(cache.Touch(context, 1));
  }
}

TEST(ContextCache, a_heavy_context_displaces_several_light_ones) {
  ContextCache cache(10);
  for (uint32_t context = 0; context < 10; ++context) cache.Touch(context, 1);
  EXPECT_FALSE(cache.Touch(100, 4));  // 0, 1, 2 and 3 go
  for (uint32_t context = 4; context < 10; ++context) EXPECT_TRUE(cache.Touch(context, 1));
  EXPECT_FALSE(cache.Touch(3, 1));  // and 100 with its four units
  EXPECT_FALSE(cache.Touch(100, 4));
  EXPECT_FALSE(cache.Touch(200, 11));  // never fits, and displaces nothing
  EXPECT_TRUE(cache.Touch(100, 4));
}

TEST(ContextCache, does_what_a_plain_list_does) {
  constexpr uint32_t kUnits = 64;
  ContextCache cache(kUnits);
  std::list<std::pair<uint32_t, uint32_t>> list;  // context and weight, newest first
  std::mt19937 random(1);
  uint64_t hits = 0;
  for (int i = 0; i < 100'000; ++i) {
    const auto context = static_cast<uint32_t>(random() % 40);
    const uint32_t weight = 1 + context % 5;
    const auto at = std::find_if(list.begin(), list.end(), [&](auto& e) { return e.first == context; });
    const bool there = at != list.end();
    if (there) list.erase(at);
    uint32_t used = weight;
    for (const auto& e : list) used += e.second;
    for (; used > kUnits; list.pop_back()) used -= list.back().second;
    list.emplace_front(context, weight);
    ASSERT_EQ(cache.Touch(context, weight), there) << "step " << i;
    hits += there;
  }
  // 8 × (1 + 2 + 3 + 4 + 5) = 120 units are asked for, of which 64 fit: about half.
  EXPECT_GT(hits, 40'000u);
  EXPECT_LT(hits, 60'000u);
}

}  // namespace
}  // namespace headroom
