// Balancing at the sender: which entropies packets get, and what feedback changes.
#include "nic/transport/balancing/make_balancing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace headroom::balancing_test {
namespace {

using Type = BalancingParameters::Type;
using News = Balancing::News;

std::unique_ptr<Balancing> Make(Type type, int entropies) {
  BalancingParameters parameters;
  parameters.type = type;
  parameters.entropies = entropies;
  return MakeBalancing(parameters, "h0/0");
}

std::vector<uint16_t> Draw(Balancing& balancing, int packets, Time now = {}) {
  std::vector<uint16_t> drawn;
  for (int i = 0; i < packets; ++i) drawn.push_back(balancing.Next(now));
  return drawn;
}

TEST(Balancing, NoneHasNoObject) { EXPECT_EQ(Make(Type::none, 64), nullptr); }

TEST(Balancing, EveryEntropyIsBelowTheirNumber) {
  for (const Type type : {Type::oblivious, Type::bitmap, Type::reps, Type::mixed}) {
    for (const int entropies : {1, 2, 64, 16384}) {
      const auto balancing = Make(type, entropies);
      for (int i = 0; i < 3 * entropies; ++i) {
        const uint16_t entropy = balancing->Next({});
        ASSERT_LT(entropy, entropies);
        if (i % 3 == 0) balancing->Hear(entropy, i % 2 == 0 ? News::good : News::marked);
      }
    }
  }
}

TEST(Balancing, ObliviousTakesEachEntropyOnceInARound) {
  const auto balancing = Make(Type::oblivious, 64);
  std::set<std::vector<uint16_t>> rounds;
  for (int round = 0; round < 10; ++round) {
    std::vector<uint16_t> drawn = Draw(*balancing, 64);
    rounds.insert(drawn);
    std::ranges::sort(drawn);
    for (uint16_t e = 0; e < 64; ++e) EXPECT_EQ(drawn[e], e);
  }
  EXPECT_GT(rounds.size(), 5u);  // the order changes
}

// A penalty of p passes over its entropy p times, once in a round.
TEST(Balancing, BitmapPassesOverMarkedEntropies) {
  for (const auto& [news, penalty] : {std::pair(News::marked, 1), {News::trimmed, 4}}) {
    const auto balancing = Make(Type::bitmap, 8);
    balancing->Hear(5, news);
    std::map<uint16_t, int> used;
    for (const uint16_t e : Draw(*balancing, 8 * (penalty + 4))) ++used[e];
    EXPECT_EQ(used.size(), 8u);
    for (const auto& [e, count] : used) {
      if (e != 5) {
        EXPECT_LT(used[5], count);
      }
    }
    // Each of the first `penalty` rounds has seven entropies.
    const auto fresh = Make(Type::bitmap, 8);
    fresh->Hear(5, news);
    const std::vector<uint16_t> first = Draw(*fresh, 7 * penalty);
    EXPECT_EQ(std::ranges::count(first, 5), 0);
    EXPECT_EQ(std::ranges::count(Draw(*fresh, 8), 5), 1);
  }
}

TEST(Balancing, BitmapSendsThoughAllEntropiesHavePenalties) {
  const auto balancing = Make(Type::bitmap, 4);
  for (int i = 0; i < 100; ++i)
    for (uint16_t e = 0; e < 4; ++e) balancing->Hear(e, News::trimmed);
  EXPECT_EQ(Draw(*balancing, 200).size(), 200u);
}

TEST(Balancing, RepsUsesGoodEntropiesOnceMoreTheOldestFirst) {
  const auto balancing = Make(Type::reps, 16384);
  for (const uint16_t e : {100, 200, 300}) balancing->Hear(e, News::good);
  balancing->Hear(400, News::marked);
  EXPECT_EQ(Draw(*balancing, 3), (std::vector<uint16_t>{100, 200, 300}));
  const std::vector<uint16_t> rest = Draw(*balancing, 20);  // random again
  EXPECT_EQ(std::ranges::count(rest, 400), 0);
  EXPECT_GT(std::set(rest.begin(), rest.end()).size(), 15u);
  // The ring has eight places: the oldest of ten are overwritten.
  for (uint16_t e = 0; e < 10; ++e) balancing->Hear(e, News::good);
  EXPECT_EQ(Draw(*balancing, 8), (std::vector<uint16_t>{2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(Balancing, RepsIsFrozenAfterATimeout) {
  const auto balancing = Make(Type::reps, 16384);
  for (const uint16_t e : {7, 8, 9}) balancing->Hear(e, News::good);
  Draw(*balancing, 3);
  balancing->OnTimeout(Microseconds(100));
  const std::vector<uint16_t> frozen = Draw(*balancing, 30, Milliseconds(5));
  for (const uint16_t e : {7, 8, 9}) EXPECT_EQ(std::ranges::count(frozen, e), 10);
  // 10 ms later it explores.
  const std::vector<uint16_t> later = Draw(*balancing, 16, Microseconds(10'100));
  EXPECT_GT(std::set(later.begin(), later.end()).size(), 12u);
}

TEST(Balancing, MixedUsesGoodEntropiesFirst) {
  const auto balancing = Make(Type::mixed, 64);
  for (int i = 0; i < 20; ++i) balancing->Hear(11, News::good);
  const std::vector<uint16_t> drawn = Draw(*balancing, 20);
  EXPECT_EQ(std::ranges::count(drawn, 11), 20);
  std::vector<uint16_t> round = Draw(*balancing, 64);
  std::ranges::sort(round);
  EXPECT_EQ(std::ranges::unique(round).size(), 0u);
}

}  // namespace
}  // namespace headroom::balancing_test
