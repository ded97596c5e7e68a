#include "dcqcn/notification_point.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "dcqcn/generations.h"

namespace headroom::notification_point_test {
namespace {

ns3::Ptr<NotificationPoint> Point(NpParameters::Coalescing coalescing, Time interval) {
  NpParameters p;
  p.coalescing = coalescing;
  p.min_cnp_interval = interval;
  const auto point = ns3::CreateObject<NotificationPoint>();
  point->SetParameters(p);
  return point;
}

TEST(NotificationPoint, OneCnpPerQueuePairInItsInterval) {
  // Marks come at random, one in 3 us on average. There are never two CNPs within 50 us, and after each mark
  // there is one.
  const auto point = Point(NpParameters::Coalescing::per_qp, Microseconds(50));
  NpState s;
  std::mt19937 random(1);
  Time now, last;
  int sent = 0;
  for (int i = 0; i < 10'000; ++i) {
    now += Nanoseconds(random() % 6000);
    const bool expected = sent == 0 || now - last >= Microseconds(50);
    ASSERT_EQ(point->OnMarked(s, now), expected);
    if (!expected) continue;
    last = now;
    ++sent;
  }
  EXPECT_GT(sent, 400);
  EXPECT_LE(sent, now / Microseconds(50) + 1);
}

TEST(NotificationPoint, QueuePairsDoNotShareTheInterval) {
  const auto point = Point(NpParameters::Coalescing::per_qp, Microseconds(50));
  NpState a, b;
  EXPECT_TRUE(point->OnMarked(a, Microseconds(1)));
  EXPECT_TRUE(point->OnMarked(b, Microseconds(2)));
  EXPECT_FALSE(point->OnMarked(a, Microseconds(3)));
}

TEST(NotificationPoint, PerPacketMeansEveryMarkedPacketWhateverTheInterval) {
  for (const Time interval : {Time{}, Microseconds(50)}) {
    const auto point = Point(NpParameters::Coalescing::per_packet, interval);
    NpState s;
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(point->OnMarked(s, Nanoseconds(100 * i)));
  }
}

TEST(NotificationPoint, WithTheFlagOnAcksThereIsNoCnp) {
  const auto point = Point(NpParameters::Coalescing::ack_flag, Time{});
  NpState s;
  EXPECT_FALSE(point->OnMarked(s, Microseconds(1)));
}

ns3::Ptr<NotificationPoint> Limited(NpParameters::Coalescing coalescing, Time qp, Time nic) {
  NpParameters p;
  p.coalescing = coalescing;
  p.min_cnp_interval = qp;
  p.nic_interval = nic;
  const auto point = ns3::CreateObject<NotificationPoint>();
  point->SetParameters(p);
  return point;
}

TEST(NotificationPoint, TheNicSendsOneCnpInItsIntervalForAllQueuePairs) {
  const auto point = Limited(NpParameters::Coalescing::per_qp, Microseconds(50), Microseconds(5));
  NpState a, b;
  EXPECT_TRUE(point->OnMarked(a, Microseconds(1)));
  EXPECT_FALSE(point->OnMarked(b, Microseconds(2)));  // the NIC may not send yet
  EXPECT_TRUE(point->OnMarked(b, Microseconds(6)));   // b's own interval had not begun
  EXPECT_FALSE(point->OnMarked(b, Microseconds(51)));
  EXPECT_TRUE(point->OnMarked(a, Microseconds(51)));
  EXPECT_TRUE(point->OnMarked(b, Microseconds(56)));
}

/// CNPs within a millisecond, in which queue pairs receive random marked packets, one in 100 ns on average.
int CnpsOf(NotificationPoint& point, size_t queue_pairs, uint32_t seed, int64_t* most_of_one = nullptr) {
  std::vector<NpState> states(queue_pairs);
  std::vector<int64_t> of(queue_pairs);
  std::mt19937 random(seed);
  int cnps = 0;
  for (Time now; now < Milliseconds(1); now += Nanoseconds(random() % 200)) {
    const size_t qp = random() % queue_pairs;
    if (!point.OnMarked(states[qp], now)) continue;
    ++cnps;
    ++of[qp];
  }
  if (most_of_one) *most_of_one = *std::max_element(of.begin(), of.end());
  return cnps;
}

TEST(NotificationPoint, EveryKindKeepsItsBounds) {
  // In 1 ms a queue pair sends at most 1 ms / 50 us + 1 = 21 CNPs, a NIC at most 1 ms / interval + 1. Per
  // packet there are at most as many as marks; without a limit and with 20 queue pairs there are nearly all
  // of 20 × 20.
  for (const uint32_t seed : {1u, 2u, 3u}) {
    int64_t most = 0;
    const auto per_qp = [](Time nic) {
      return Limited(NpParameters::Coalescing::per_qp, Microseconds(50), nic);
    };
    EXPECT_GT(CnpsOf(*per_qp(Time{}), 20, seed, &most), 20 * 18);
    EXPECT_LE(most, 21);
    const int limited = CnpsOf(*per_qp(Microseconds(5)), 20, seed, &most);
    EXPECT_LE(limited, 201);
    EXPECT_GT(limited, 180);
    EXPECT_LE(most, 21);
    const auto per_packet = [](Time nic) {
      return Limited(NpParameters::Coalescing::per_packet, Time{}, nic);
    };
    EXPECT_GT(CnpsOf(*per_packet(Time{}), 20, seed), 9'000);  // about 10 000 marks
    const int limited_packets = CnpsOf(*per_packet(Microseconds(1)), 20, seed);
    EXPECT_LE(limited_packets, 1'001);
    EXPECT_GT(limited_packets, 850);
    EXPECT_EQ(CnpsOf(*Limited(NpParameters::Coalescing::ack_flag, Time{}, Time{}), 20, seed), 0);
  }
}

TEST(NotificationPoint, AConnectX3ProServesTenToTwentyFlowsAConnectX4TwoHundred) {
  // One CNP in 50 us for each of N queue pairs makes 20 N in 1 ms. With one in 5 us the NIC sends 200 of
  // them, enough for 10 queue pairs; in 2.5 us (gen1) 400, for 20; in 250 ns (gen2-interop) 4000, for 200.
  const auto served = [](const NpParameters& p, size_t queue_pairs) {
    const auto point = ns3::CreateObject<NotificationPoint>();
    point->SetParameters(p);
    std::vector<NpState> states(queue_pairs);
    std::mt19937 random(1);
    int cnps = 0;
    for (Time now; now < Milliseconds(1); now += Nanoseconds(10)) {  // every packet is marked, at 100 Gb/s
      cnps += point->OnMarked(states[random() % queue_pairs], now) ? 1 : 0;
    }
    return cnps / (20.0 * static_cast<double>(queue_pairs));
  };
  NpParameters slow = FindGeneration("gen1")->dcqcn.np;
  slow.nic_interval = Microseconds(5);
  EXPECT_GT(served(slow, 10), 0.8);
  EXPECT_LT(served(slow, 20), 0.55);
  const NpParameters gen1 = FindGeneration("gen1")->dcqcn.np;
  EXPECT_GT(served(gen1, 20), 0.8);
  EXPECT_LT(served(gen1, 40), 0.55);
  const NpParameters gen2 = FindGeneration("gen2-interop")->dcqcn.np;
  EXPECT_GT(served(gen2, 200), 0.8);
  EXPECT_LT(served(gen2, 400), 0.55);
  EXPECT_GT(served(FindGeneration("gen3-interop")->dcqcn.np, 400), 0.9);
}

}  // namespace
}  // namespace headroom::notification_point_test
