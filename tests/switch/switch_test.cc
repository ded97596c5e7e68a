#include "switch/switch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/in_child.h"
#include "switch/buffer/frame_pools.h"
#include "switch/switch_bench.h"

namespace headroom::switch_test {
namespace {

using testing::ElementsAre;

TrafficClasses Classes() {
  TrafficClasses classes;
  classes[0] = {"lossy", 0, 0, false, 1, false};
  classes[3] = {"storage", 3, 3, true, 1, false};
  return classes;
}

/// Lossless groups have profile "gl", lossy queues hold 5 frames.
BufferParameters Frames() {
  BufferParameters b = FramePools();
  b.profiles.push_back({"ql", "out", Bytes(), {}, Bytes(900'000), {}, Bytes(), Bytes()});
  b.profiles.push_back({"qy", "out", Bytes(), {}, Bytes(5 * kFrame), {}, Bytes(), Bytes()});
  b.profiles.push_back({"gy", "in", Bytes(), {}, Bytes(900'000), {}, Bytes(), Bytes()});
  b.lossless_group = "gl";
  b.lossy_group = "gy";
  b.lossless_queue = "ql";
  b.lossy_queue = "qy";
  return b;
}

SwitchConfig Config() {
  SwitchConfig c;
  c.name = "s0";
  c.latency = Nanoseconds(500);
  return c;
}

EcnParameters Step(int64_t bytes) {
  EcnParameters e;
  e.kmin = e.kmax = Bytes(bytes);
  e.pmax = 0.01;
  return e;
}

TEST(Switch, StoresAndForwardsAfterItsLatency) {
  // The frame's last bit arrives at 110 ns, it leaves from 610 ns on, and reaches the far end at 720 ns; the
  // next one follows 100 ns later.
  InChild([] {
    SwitchBench bench(3, Config(), Frames(), Classes(), kLink);
    bench.Send(0, 1, 3, kFrame);
    bench.Send(0, 1, 3, kFrame);
    RunUntil(Nanoseconds(600));
    EXPECT_EQ(bench.buffer().resident(), 2 * kFrame);
    RunUntil(Nanoseconds(650));
    EXPECT_EQ(bench.buffer().resident(), kFrame);  // it is released when its transmission starts
    RunUntil(Microseconds(5));
    EXPECT_EQ(bench.buffer().resident(), 0);
    ASSERT_EQ(bench.listeners[1].arrivals.size(), 2u);
    EXPECT_EQ(bench.listeners[1].arrivals[0].at, Nanoseconds(720));
    EXPECT_EQ(bench.listeners[1].arrivals[1].at, Nanoseconds(820));
    EXPECT_TRUE(bench.listeners[2].arrivals.empty());
  });
}

TEST(Switch, MarksWhenAFrameLeavesOnWhatStaysBehind) {
  // SONiC's test of marking at dequeue: the port is blocked, 2N = 40 frames gather, Kmin = Kmax = N = 20
  // frames. Frame i leaves 39 − i behind: more than 20 up to i = 18. So the first is marked and the last is
  // not.
  InChild([] {
    SwitchConfig config = Config();
    config.ecn[0] = Step(20 * kFrame);
    BufferParameters b = Frames();
    b.lossy_queue = "ql";
    SwitchBench bench(3, config, b, Classes(), kLink);
    bench.node->port(2).SetPaused(0, true);
    for (int i = 0; i < 40; ++i) bench.Send(0, 2, 0, kFrame);
    At(Microseconds(10), [&] { bench.node->port(2).SetPaused(0, false); });
    RunUntil(Microseconds(30));
    const auto& arrivals = bench.listeners[2].arrivals;
    ASSERT_EQ(arrivals.size(), 40u);
    for (size_t i = 0; i < 40; ++i) EXPECT_EQ(arrivals[i].ce, i <= 18) << i;
    EXPECT_EQ(bench.node->port(2).counters(0).marked_packets, 19u);
    EXPECT_EQ(bench.node->port(2).statistics().first_mark(0), Microseconds(10));
  });
}

TEST(Switch, MarksDataAlone) {
  // All queue lengths above 0 B mark. Of data, ACK and CNP only data is marked; a frame that was marked
  // before counts once.
  InChild([] {
    SwitchConfig config = Config();
    config.ecn[3] = Step(0);
    SwitchBench bench(3, config, Frames(), Classes(), kLink);
    bench.ports[2]->SendPfc(1 << 3, 0, 65535);
    for (int i = 0; i < 3; ++i) {
      bench.Send(0, 2, 3, kFrame, FrameKind::data);
      bench.Send(0, 2, 3, kFrame, FrameKind::ack);
      bench.Send(0, 2, 3, kFrame, FrameKind::cnp);
    }
    bench.Send(0, 2, 3, kFrame, FrameKind::data)->ce = true;
    bench.Send(0, 2, 3, kFrame, FrameKind::data);
    At(Microseconds(10), [&] { bench.ports[2]->SendPfc(0, 1 << 3, 0); });
    RunUntil(Microseconds(30));
    std::vector<bool> marked;
    for (const auto& a : bench.listeners[2].arrivals) marked.push_back(a.ce);
    EXPECT_THAT(marked, ElementsAre(true, false, false, true, false, false, true, false, false, true, false));
    EXPECT_EQ(bench.node->port(2).counters(3).marked_packets, 3u);
  });
}

TEST(Switch, PausesASenderAtItsThresholdAndResumesIt) {
  // The egress is blocked. Frame 20 arrives at 10 + 20 × 100 = 2010 ns and brings the group to its limit:
  // XOFF has left 6.72 ns later and arrives at 2026.72 ns. Frame 21, on the wire since 2000 ns, still arrives
  // and goes into headroom. From 10 us on one frame leaves each 100 ns. After frames 0 to 10, of which the
  // first empties the headroom, the group has 10 frames, XON: the last of them starts 1000 ns after the
  // first.
  InChild([] {
    SwitchBench bench(3, Config(), Frames(), Classes(), kLink);
    bench.listeners[0].on_pfc = [](Port& port, const Frame& f) { port.SetPaused(3, f.pfc.xoff != 0); };
    bench.ports[2]->SendPfc(1 << 3, 0, 65535);
    for (int i = 0; i < 60; ++i) bench.Send(0, 2, 3, kFrame);
    RunUntil(Nanoseconds(2'005));
    EXPECT_FALSE(bench.buffer().xoff(0, 3));
    RunUntil(Microseconds(9));
    EXPECT_TRUE(bench.buffer().xoff(0, 3));
    EXPECT_EQ(bench.buffer().group_used(0, 3), 20 * kFrame);
    EXPECT_EQ(bench.buffer().group_headroom(0, 3), kFrame);
    At(Picoseconds(10'000'000 - 16'720), [&] { bench.ports[2]->SendPfc(0, 1 << 3, 0); });
    RunUntil(Microseconds(30));
    const auto& pfc = bench.listeners[0].pfc;
    ASSERT_GE(pfc.size(), 2u);
    EXPECT_EQ(pfc[0], (Listener::Pfc{Picoseconds(2'026'720), 1 << 3, 0, 65535}));
    EXPECT_EQ(pfc[1], (Listener::Pfc{Picoseconds(11'000'000 + 16'720), 0, 1 << 3, 65535}));
    EXPECT_EQ(bench.listeners[2].arrivals.size(), 60u);
    EXPECT_EQ(bench.Dropped(0, 3, DropReason::group_cap), 0u);
  });
}

TEST(Switch, ASenderThatDoesNotStopLosesWhatHeadroomCannotHold) {
  // 20 frames fit, 4 go into headroom, the other 16 of 40 are dropped: by name, at the port of their arrival.
  InChild([] {
    SwitchBench bench(3, Config(), Frames(), Classes(), kLink);
    bench.ports[2]->SendPfc(1 << 3, 0, 65535);
    for (int i = 0; i < 40; ++i) bench.Send(0, 2, 3, kFrame);
    RunUntil(Microseconds(30));
    EXPECT_EQ(bench.Dropped(0, 3, DropReason::group_cap), 16u);
    EXPECT_EQ(bench.node->port(0).statistics().first_drop_reason(3), DropReason::group_cap);
    EXPECT_EQ(bench.buffer().peak_headroom(0, 3), 4 * kFrame);
    EXPECT_EQ(bench.pool.in_use(), 24u);
  });
}

TEST(Switch, WithoutPfcNobodyIsPausedAndNobodyPauses) {
  InChild([] {
    SwitchConfig config = Config();
    config.pfc.enabled = false;
    SwitchBench bench(3, config, Frames(), Classes(), kLink);
    bench.ports[2]->SendPfc(1 << 3, 0, 65535);
    for (int i = 0; i < 40; ++i) bench.Send(0, 2, 3, kFrame);
    for (int i = 0; i < 40; ++i) bench.Send(1, 2, 3, kFrame);
    RunUntil(Microseconds(30));
    EXPECT_TRUE(bench.listeners[0].pfc.empty());
    EXPECT_GT(bench.listeners[2].arrivals.size(), 40u);
  });
}

TEST(Switch, LossyIsDroppedAtTheEgressQueue) {
  // Two senders send 20 frames each at once: one frame leaves while two arrive. Of the 40 the queue of 5
  // forwards those that leave meanwhile. The losses count at the egress port.
  InChild([] {
    SwitchBench bench(3, Config(), Frames(), Classes(), kLink);
    for (int i = 0; i < 20; ++i) {
      bench.Send(0, 2, 0, kFrame);
      bench.Send(1, 2, 0, kFrame);
    }
    RunUntil(Microseconds(30));
    const uint64_t lost = bench.Dropped(2, 0, DropReason::egress_limit);
    EXPECT_EQ(bench.listeners[2].arrivals.size() + lost, 40u);
    EXPECT_GT(lost, 10u);
    EXPECT_EQ(bench.node->port(2).peak_queue(0), 5 * kFrame);
    EXPECT_EQ(bench.pool.in_use(), 0u);
  });
}

TEST(Switch, AFrameInALoopDies) {
  InChild([] {
    SwitchBench bench(2, Config(), Frames(), Classes(), kLink);
    bench.Send(0, 1, 3, kFrame)->hops = 63;
    bench.Send(0, 1, 3, kFrame)->hops = 64;
    RunUntil(Microseconds(30));
    EXPECT_THAT(bench.listeners[1].Numbers(), ElementsAre(0));
    EXPECT_EQ(bench.Dropped(0, 3, DropReason::ttl), 1u);
  });
}

TEST(Switch, PausedByItsPeerItKeepsThatPriorityAloneBack) {
  InChild([] {
    SwitchBench bench(3, Config(), Frames(), Classes(), kLink);
    bench.ports[2]->SendPfc(1 << 3, 0, 65535);
    bench.Send(0, 2, 3, kFrame);
    bench.Send(0, 2, 0, kFrame);
    bench.Send(0, 1, 3, kFrame);
    RunUntil(Microseconds(30));
    EXPECT_THAT(bench.listeners[2].Numbers(), ElementsAre(1));
    EXPECT_THAT(bench.listeners[1].Numbers(), ElementsAre(2));
  });
}

TEST(Switch, APauseOfALossyPriorityIsIgnored) {
  InChild([] {
    SwitchBench bench(3, Config(), Frames(), Classes(), kLink);
    bench.ports[2]->SendPfc(1 << 0, 0, 65535);
    bench.Send(0, 2, 0, kFrame);
    RunUntil(Microseconds(30));
    EXPECT_THAT(bench.listeners[2].Numbers(), ElementsAre(0));
  });
}

TEST(Switch, ABufferThatDoesNotFitIsRefusedByTheSwitchsName) {
  InChild([] {
    BufferParameters b = Frames();
    b.lossless_group = "nobody";
    try {
      SwitchBench bench(2, Config(), b, Classes(), kLink);
      ADD_FAILURE() << "accepted";
    } catch (const std::invalid_argument& e) {
      EXPECT_STREQ(e.what(),
                   "switch s0: port p0, priority 3, ingress has buffer profile nobody, which does not exist");
    }
  });
}

}  // namespace
}  // namespace headroom::switch_test
