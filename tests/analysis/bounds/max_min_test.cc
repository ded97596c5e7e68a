#include "analysis/bounds/max_min.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace headroom::max_min_test {
namespace {

void ExpectRates(const std::vector<double>& got, const std::vector<double>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 1e-9) << "flow " << i;
}

TEST(MaxMinRates, OneLinkIsSharedEvenly) {
  // a + b + c ≤ 9, and all are equal: 3 each.
  ExpectRates(MaxMinRates({9}, {{{0}}, {{0}}, {{0}}}), {3, 3, 3});
}

TEST(MaxMinRates, ParkingLot) {
  // long + a ≤ 1, long + b ≤ 2. The first link gives 1/2 each; the second then leaves b 2 − 1/2.
  ExpectRates(MaxMinRates({1, 2}, {{{0, 1}}, {{0}}, {{1}}}), {0.5, 0.5, 1.5});
}

TEST(MaxMinRates, SlowAccessLeavesRoomForOthers) {
  // x ≤ 1 at its own link; x + y + z ≤ 10: x = 1, y = z = 4.5.
  ExpectRates(MaxMinRates({1, 10}, {{{0, 1}}, {{1}}, {{1}}}), {1, 4.5, 4.5});
}

TEST(MaxMinRates, ThreeLevels) {
  // Links A 3, B 4, C 10. p on A, q on A and B, r on B and C, s on C.
  // A: p = q = 3/2. B: r = 4 − 3/2 = 5/2. C: s = 10 − 5/2 = 15/2.
  ExpectRates(MaxMinRates({3, 4, 10}, {{{0}}, {{0, 1}}, {{1, 2}}, {{2}}}), {1.5, 1.5, 2.5, 7.5});
}

TEST(MaxMinRates, LimitsComeFirstWhereTheyAreLower) {
  // a ≤ 1 alone, a + b + c ≤ 9: b = c = 4; a limit of 5 above the share has no effect.
  ExpectRates(MaxMinRates({9}, {{{0}, 1.0}, {{0}, 5.0}, {{0}}}), {1, 4, 4});
  ExpectRates(MaxMinRates({9}, {{{0}, 1.0}, {{0}, 2.0}, {{0}}}), {1, 2, 6});
}

TEST(MaxMinRates, AFlowOfSeveralPathsPutsItsSharesOnThem) {
  // Half of x crosses A and half B, both of capacity 4; y crosses A alone. A: x/2 + y ≤ 4, B: x/2 ≤ 4. Equal
  // rates fill A at 3/2 r = 4: r = 8/3, and y can gain only what x loses.
  ExpectRates(MaxMinRates({4, 4}, {{{0, 1}, 100.0, {0.5, 0.5}}, {{0}}}), {8.0 / 3, 8.0 / 3});
  // Alone, x fills both links: 8. With shares of 3/4 and 1/4, A limits it: 4 / (3/4) = 16/3.
  ExpectRates(MaxMinRates({4, 4}, {{{0, 1}, 100.0, {0.5, 0.5}}}), {8});
  ExpectRates(MaxMinRates({4, 4}, {{{0, 1}, 100.0, {0.75, 0.25}}}), {16.0 / 3});
}

TEST(MaxMinRates, EdgeCases) {
  EXPECT_TRUE(MaxMinRates({1}, {}).empty());
  ExpectRates(MaxMinRates({}, {{{}, 3.0}}), {3});
  EXPECT_TRUE(std::isinf(MaxMinRates({}, {MaxMinFlow{}})[0]));
  ExpectRates(MaxMinRates({0, 5}, {{{0, 1}}, {{1}}}), {0, 5});
  ExpectRates(MaxMinRates({6}, {{{0, 0}}, {{0}}}), {2, 2});  // 2a + b ≤ 6
}

TEST(MaxMinRates, EveryFlowHasABottleneck) {
  // The definition: no link is over its capacity, and every flow crosses a full link on which no flow has a
  // higher rate.
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> capacity(8);
    for (double& c : capacity) c = 1 + random() % 100;
    std::vector<MaxMinFlow> flows(20);
    for (MaxMinFlow& flow : flows) {
      for (uint32_t link = 0; link < capacity.size(); ++link) {
        if (random() % 3 == 0) flow.links.push_back(link);
      }
      if (flow.links.empty()) flow.links.push_back(0);
    }
    const std::vector<double> rates = MaxMinRates(capacity, flows);
    std::vector<double> load(capacity.size()), most(capacity.size());
    for (size_t f = 0; f < flows.size(); ++f) {
      for (uint32_t link : flows[f].links) {
        load[link] += rates[f];
        most[link] = std::max(most[link], rates[f]);
      }
    }
    for (size_t link = 0; link < capacity.size(); ++link) EXPECT_LE(load[link], capacity[link] + 1e-9);
    for (size_t f = 0; f < flows.size(); ++f) {
      bool has_bottleneck = false;
      for (uint32_t link : flows[f].links) {
        has_bottleneck |= load[link] > capacity[link] - 1e-9 && rates[f] > most[link] - 1e-9;
      }
      EXPECT_TRUE(has_bottleneck) << "flow " << f << " of round " << round;
    }
  }
}

}  // namespace
}  // namespace headroom::max_min_test
