// The group and queue to which a switch's maps assign a class, and the pauses that follow.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/in_child.h"
#include "switch/buffer/frame_pools.h"
#include "switch/switch_bench.h"

namespace headroom::switch_maps_test {
namespace {

using testing::ElementsAre;

/// Two lossless classes and two lossy ones, whose DSCPs differ from their priorities.
TrafficClasses Classes() {
  TrafficClasses classes;
  classes[1] = {"best", 1, 10, false, 1, false};
  classes[2] = {"bulk", 2, 20, false, 1, false};
  classes[3] = {"storage", 3, 30, true, 1, false};
  classes[4] = {"compute", 4, 40, true, 1, false};
  return classes;
}

/// Groups 3 and 5 have profile "gl". All others are lossy and have no limit.
BufferParameters Frames() {
  BufferParameters b = FramePools();
  b.profiles.push_back({"gy", "in", Bytes(), {}, Bytes(800'000), {}, Bytes(), Bytes()});
  b.profiles.push_back({"q", "out", Bytes(), {}, Bytes(900'000), {}, Bytes(), Bytes()});
  b.groups = {{"*", 0, 7, "gy"}, {"*", 3, 3, "gl"}, {"*", 5, 5, "gl"}};
  b.queues = {{"*", 0, 7, "q"}};
  return b;
}

/// DSCPs 10, 20, 30 and 40 are traffic classes 0, 2, 3 and 4. Lossy classes are in group 0, lossless ones in
/// group 3, whose pauses name priorities 3 and 4. Traffic class n has queue n + 1.
PortQos Maps() {
  PortQos q;
  q.dscp_to_tc[20] = 2;
  q.dscp_to_tc[30] = 3;
  q.dscp_to_tc[40] = 4;
  q.tc_to_group = {0, 0, 0, 3, 3, 0, 0, 0};
  q.tc_to_queue = {1, 2, 3, 4, 5, 6, 7, 0};
  q.pfc_to_queue = {1, 2, 3, 4, 5, 6, 7, 0};
  q.pfc_to_group = {0, 1, 2, 3, 3, 5, 6, 7};
  q.pfc_enable = 1 << 3 | 1 << 4;
  return q;
}

SwitchConfig Config(const std::vector<PortQos>& qos) {
  SwitchConfig c;
  c.name = "s0";
  c.latency = Nanoseconds(500);
  c.qos = qos;
  return c;
}

std::vector<PortQos> Everywhere(const PortQos& qos) { return {qos, qos, qos}; }

TEST(SwitchMaps, AClassIsInTheGroupAndQueueOfItsDscp) {
  // The port is blocked by pauses of priorities 3 and 4, which stop queues 4 and 5.
  InChild([] {
    SwitchBench bench(3, Config(Everywhere(Maps())), Frames(), Classes(), kLink);
    bench.ports[2]->SendPfc(1 << 3 | 1 << 4, 0, 65535);
    bench.Send(0, 2, 1, kFrame);
    bench.Send(0, 2, 2, kFrame);
    bench.Send(0, 2, 3, kFrame);
    bench.Send(0, 2, 4, kFrame);
    bench.Send(0, 2, 4, kFrame);
    RunUntil(Microseconds(5));
    EXPECT_EQ(bench.buffer().group_used(0, 3), 3 * kFrame);
    EXPECT_EQ(bench.buffer().queue_used(2, 4), kFrame);
    EXPECT_EQ(bench.buffer().queue_used(2, 5), 2 * kFrame);
    EXPECT_EQ(bench.node->port(2).counters(1).tx_packets, 1u);  // class best
    EXPECT_EQ(bench.node->port(2).counters(3).tx_packets, 1u);  // class bulk
    EXPECT_EQ(bench.node->port(0).counters(4).rx_packets, 2u);  // counted by the priority on the wire
    EXPECT_EQ(bench.node->queues_in_use(), 1 << 1 | 1 << 3 | 1 << 4 | 1 << 5);
    EXPECT_EQ(bench.node->groups_in_use(), 1 << 0 | 1 << 3);
    At(Microseconds(6), [&] { bench.ports[2]->SendPfc(0, 1 << 4, 0); });
    RunUntil(Microseconds(8));
    EXPECT_THAT(bench.listeners[2].Numbers(), ElementsAre(0, 1, 3, 4));
  });
}

TEST(SwitchMaps, TheGroupIsOfThePortInAndTheQueueOfThePortOut) {
  // Port 1 has storage in traffic class 7 and group 5, port 2 has it in queue 0; from port 0 it is in
  // queue 4.
  InChild([] {
    std::vector<PortQos> qos = Everywhere(Maps());
    qos[1].dscp_to_tc[30] = 7;
    qos[1].tc_to_group[7] = 5;
    qos[2].pfc_to_queue[7] = 0;
    qos[2].pfc_enable = 0xff;
    SwitchBench bench(3, Config(qos), Frames(), Classes(), kLink);
    bench.ports[2]->SendPfc(0xff, 0, 65535);
    bench.Send(0, 2, 3, kFrame);
    bench.Send(1, 2, 3, kFrame);
    RunUntil(Microseconds(5));
    EXPECT_EQ(bench.buffer().group_used(0, 3), kFrame);
    EXPECT_EQ(bench.buffer().group_used(1, 5), kFrame);
    EXPECT_EQ(bench.buffer().queue_used(2, 4), kFrame);
    EXPECT_EQ(bench.buffer().queue_used(2, 0), kFrame);
  });
}

TEST(SwitchMaps, APauseNamesAllPrioritiesOfItsGroup) {
  InChild([] {
    SwitchBench bench(3, Config(Everywhere(Maps())), Frames(), Classes(), kLink);
    bench.ports[2]->SendPfc(1 << 3 | 1 << 4, 0, 65535);
    for (int i = 0; i < 22; ++i) bench.Send(0, 2, i % 2 == 0 ? 3 : 4, kFrame);
    At(Microseconds(10), [&] { bench.ports[2]->SendPfc(0, 1 << 3 | 1 << 4, 0); });
    RunUntil(Microseconds(30));
    const auto& pfc = bench.listeners[0].pfc;
    ASSERT_EQ(pfc.size(), 2u);
    EXPECT_EQ(pfc[0].xoff, 1 << 3 | 1 << 4);
    EXPECT_EQ(pfc[1].xon, 1 << 3 | 1 << 4);
    EXPECT_EQ(bench.node->port(0).statistics().pause_frames(4), 1u);
  });
}

TEST(SwitchMaps, APriorityThatIsNotEnabledNeitherSendsNorHonoursPauses) {
  // PFC of priority 4 is off at port 0 and at port 2. Its frames ignore the pause of port 2. Frames of
  // storage wait; its group's pause names only priority 3.
  InChild([] {
    std::vector<PortQos> qos = Everywhere(Maps());
    qos[0].pfc_enable = qos[2].pfc_enable = 1 << 3;
    SwitchBench bench(3, Config(qos), Frames(), Classes(), kLink);
    bench.ports[2]->SendPfc(1 << 3 | 1 << 4, 0, 65535);
    for (int i = 0; i < 21; ++i) bench.Send(0, 2, 3, kFrame);
    bench.Send(0, 2, 4, kFrame);
    RunUntil(Microseconds(10));
    EXPECT_THAT(bench.listeners[2].Numbers(), ElementsAre(21));
    ASSERT_EQ(bench.listeners[0].pfc.size(), 1u);
    EXPECT_EQ(bench.listeners[0].pfc[0].xoff, 1 << 3);
  });
}

TEST(SwitchMaps, ALosslessClassInALossyGroupIsLostAndPausesNobody) {
  // A switch has no lossless profile for its ports: PFC is on, but the class gets a lossy group. Of 40 frames
  // that cannot leave, 20 fit.
  InChild([] {
    BufferParameters b = Frames();
    b.groups = {{"*", 0, 7, "gy"}};
    b.profiles[1].static_th = Bytes(20 * kFrame);
    SwitchBench bench(3, Config(Everywhere(Maps())), b, Classes(), kLink);
    bench.ports[2]->SendPfc(1 << 3, 0, 65535);
    for (int i = 0; i < 40; ++i) bench.Send(0, 2, 3, kFrame);
    RunUntil(Microseconds(10));
    EXPECT_TRUE(bench.listeners[0].pfc.empty());
    EXPECT_EQ(bench.Dropped(0, 3, DropReason::ingress_limit), 20u);
  });
}

TEST(SwitchMaps, QueuesShareTheWireAsTheirSchedulersSay) {
  // bulk in queue 3 counts packets with weight 1, best in queue 1 with weight 3: for each full frame three
  // frames of 64 B leave. storage in queue 4 is strict and leaves first.
  InChild([] {
    PortQos q = Maps();
    q.scheduling[1] = {QueueScheduling::Kind::wrr, 3};
    q.scheduling[3] = {QueueScheduling::Kind::wrr, 1};
    q.scheduling[4] = {QueueScheduling::Kind::strict, 1};
    SwitchBench bench(3, Config(Everywhere(q)), Frames(), Classes(), kLink);
    for (const int queue : {1, 3, 4}) bench.node->port(2).SetPaused(queue, true);
    for (int i = 0; i < 30; ++i) {
      bench.Send(0, 2, 2, kFrame);
      bench.Send(1, 2, 1, 64);
    }
    bench.Send(0, 2, 3, kFrame);
    At(Microseconds(10), [&] {
      for (const int queue : {4, 1, 3}) bench.node->port(2).SetPaused(queue, false);
    });
    RunUntil(Microseconds(30));
    const auto& arrivals = bench.listeners[2].arrivals;
    ASSERT_EQ(arrivals.size(), 61u);
    EXPECT_EQ(arrivals[0].number, 60u);
    int best = 0;
    for (size_t i = 1; i <= 40; ++i) best += arrivals[i].number % 2 == 1;
    EXPECT_EQ(best, 30);
  });
}

TEST(SwitchMaps, WatermarksOfQueuesAreReadAndClearedByEach) {
  // Ten frames wait, seven leave, the user clears, two more arrive: 5 for the user, 10 for the others. 1000 B
  // of each slice belong to the queue.
  InChild([] {
    BufferParameters b = Frames();
    b.profiles[2].size = Bytes(1000);
    SwitchBench bench(3, Config(Everywhere(Maps())), b, Classes(), kLink);
    bench.node->port(2).SetPaused(4, true);
    for (int i = 0; i < 10; ++i) bench.Send(0, 2, 3, kFrame);
    At(Microseconds(10), [&] { bench.node->port(2).SetPaused(4, false); });
    RunUntil(Nanoseconds(10'650));  // the seventh started at 10.6 us
    bench.node->port(2).SetPaused(4, true);
    bench.node->ClearQueueWatermarks(Watermark::user);
    bench.Send(0, 2, 3, kFrame);
    bench.Send(0, 2, 3, kFrame);
    RunUntil(Microseconds(20));
    EXPECT_EQ(bench.node->peak_queue(Watermark::user, 2, 4), 5 * kFrame);
    EXPECT_EQ(bench.node->queue_watermark(Watermark::user, 2, 4), 5 * kFrame - 1000);
    EXPECT_EQ(bench.node->peak_queue(Watermark::persistent, 2, 4), 10 * kFrame);
    EXPECT_EQ(bench.node->peak_queue(Watermark::run, 2, 4), 10 * kFrame);
    EXPECT_EQ(bench.node->queue_watermark(Watermark::user, 2, 3), 0);
  });
}

TEST(SwitchMaps, MarksByTheQueuesCurve) {
  InChild([] {
    PortQos q = Maps();
    q.ecn[4] = EcnParameters{Bytes(0), Bytes(0), 0.01, {}};  // all frames that leave some behind
    SwitchBench bench(3, Config(Everywhere(q)), Frames(), Classes(), kLink);
    for (const int queue : {4, 5}) bench.node->port(2).SetPaused(queue, true);
    for (const int priority : {3, 3, 4, 4}) bench.Send(0, 2, priority, kFrame);
    At(Microseconds(10), [&] {
      for (const int queue : {4, 5}) bench.node->port(2).SetPaused(queue, false);
    });
    RunUntil(Microseconds(30));
    EXPECT_EQ(bench.node->port(2).counters(4).marked_packets, 1u);
    EXPECT_EQ(bench.node->port(2).counters(5).marked_packets, 0u);
  });
}

}  // namespace
}  // namespace headroom::switch_maps_test
