#include "nic/resources/context_cache.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace headroom::context_cache_test {
namespace {

TEST(ContextCache, what_fits_stays) {
  ContextCache cache(3, "h0/contexts");
  for (const uint32_t context : {10, 11, 12}) EXPECT_FALSE(cache.Touch(context, 1));
  for (int round = 0; round < 10; ++round) {
    for (const uint32_t context : {10, 11, 12}) EXPECT_TRUE(cache.Touch(context, 1));
  }
  EXPECT_EQ(cache.hits(), 30u);
  EXPECT_EQ(cache.misses(), 3u);
}

TEST(ContextCache, one_more_than_fits_takes_the_place_of_one_other) {
  ContextCache cache(3, "h0/contexts");
  for (const uint32_t context : {10, 11, 12, 13}) EXPECT_FALSE(cache.Touch(context, 1));
  EXPECT_TRUE(cache.Touch(13, 1));
  int there = 0;
  for (const uint32_t context : {10, 11, 12}) {
    ContextCache copy = cache;
    there += copy.Touch(context, 1);
  }
  EXPECT_EQ(there, 2);
}

/// The share of misses if `contexts` contexts take strict turns among `units` places, after the cache has
/// filled.
double MissesUnderTurns(uint32_t contexts, uint32_t units) {
  ContextCache cache(units, "h0/contexts");
  const auto rounds = [&](int n) {
    for (int round = 0; round < n; ++round) {
      for (uint32_t context = 0; context < contexts; ++context) cache.Touch(context, 1);
    }
  };
  rounds(20);
  const uint64_t before = cache.misses();
  rounds(200);
  return static_cast<double>(cache.misses() - before) / (200.0 * contexts);
}

/// A context survives its turn if no miss of the m · n until the next one draws it: m = 1 − exp(−m · n / C).
double ExpectedMisses(double contexts, double units) {
  double m = 1;
  for (int i = 0; i < 10'000; ++i) m = 1 - std::exp(-m * contexts / units);
  return m;
}

TEST(ContextCache, taking_turns_among_more_than_fit_loses_as_much_as_chance_puts_out) {
  EXPECT_EQ(MissesUnderTurns(100, 100), 0);
  for (const uint32_t contexts : {110u, 150u, 200u, 400u}) {
    EXPECT_NEAR(MissesUnderTurns(contexts, 100), ExpectedMisses(contexts, 100), 0.02) << contexts;
  }
}

TEST(ContextCache, drawn_at_random_a_context_is_there_as_often_as_its_share_of_the_room) {
  ContextCache cache(84, "h0/contexts");
  std::mt19937 random(1);
  for (int i = 0; i < 200'000; ++i) cache.Touch(static_cast<uint32_t>(random() % 240), 1);
  EXPECT_NEAR(static_cast<double>(cache.hits()) / 200'000, 84.0 / 240, 0.01);
}

TEST(ContextCache, contexts_never_take_more_room_than_there_is) {
  constexpr uint32_t kUnits = 64, kContexts = 40;
  ContextCache cache(kUnits, "h0/contexts");
  const auto weight = [](uint32_t context) { return 1 + context % 5; };
  std::mt19937 random(1);
  for (int i = 0; i < 2'000; ++i) {
    const auto context = static_cast<uint32_t>(random() % kContexts);
    cache.Touch(context, weight(context));
    uint32_t used = 0;
    for (uint32_t c = 0; c < kContexts; ++c) {
      ContextCache copy = cache;
      const bool there = copy.Touch(c, weight(c));
      if (there) used += weight(c);
      if (c == context) {
        ASSERT_TRUE(there) << "step " << i;
      }
    }
    ASSERT_LE(used, kUnits) << "step " << i;
  }
}

TEST(ContextCache, a_context_goes_as_often_as_its_share_of_the_units) {
  // One context has five of the ten units: in half of the cases a new context displaces it.
  int gone = 0;
  constexpr int kTimes = 400;
  for (int i = 0; i < kTimes; ++i) {
    ContextCache cache(10, "h" + std::to_string(i) + "/contexts");
    cache.Touch(0, 5);
    for (uint32_t context = 1; context <= 5; ++context) cache.Touch(context, 1);
    cache.Touch(6, 1);
    gone += !cache.Touch(0, 5);
  }
  EXPECT_NEAR(gone, kTimes / 2, 3 * std::sqrt(kTimes / 4.0));  // 3 standard deviations
}

TEST(ContextCache, one_that_weighs_more_than_the_cache_never_stays_and_displaces_nothing) {
  ContextCache cache(10, "h0/contexts");
  for (uint32_t context = 0; context < 10; ++context) cache.Touch(context, 1);
  EXPECT_FALSE(cache.Touch(200, 11));
  EXPECT_FALSE(cache.Touch(200, 11));
  for (uint32_t context = 0; context < 10; ++context) EXPECT_TRUE(cache.Touch(context, 1));
}

TEST(ContextCache, the_same_name_draws_the_same) {
  ContextCache one(50, "h0/contexts"), same(50, "h0/contexts"), other(50, "h1/contexts");
  int differs = 0;
  for (int i = 0; i < 1'000; ++i) {
    const auto context = static_cast<uint32_t>(i % 70);
    const bool there = one.Touch(context, 1);
    ASSERT_EQ(same.Touch(context, 1), there);
    differs += other.Touch(context, 1) != there;
  }
  EXPECT_GT(differs, 0);
}

}  // namespace
}  // namespace headroom::context_cache_test
