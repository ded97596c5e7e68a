#include "dcqcn/notification_point.h"

#include <gtest/gtest.h>

#include <random>

namespace headroom {
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
  // Marks at random, one in 3 us on average: never two CNPs within 50 us, and never a mark without one after
  // them.
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

}  // namespace
}  // namespace headroom
