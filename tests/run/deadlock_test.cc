// Lossless traffic that stalls for good is found and named; traffic that is only slow is not.
#include <gtest/gtest.h>

#include "run/deadlock.h"
#include "run/record_text.h"
#include "run/run.h"
#include "support/in_child.h"
#include "support/rank_processes.h"
#include "support/scenarios.h"
#include "workload/types/list.h"

namespace headroom::deadlock_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(15), Time{}, 0.0};

/// A group pauses at 20 kB and has 20 kB of headroom; there is no congestion control.
void MakeTight(Scenario& s) {
  for (SwitchParameters& sw : s.switches) {
    BufferParameters& b = sw.buffer;
    b.headroom.clear();
    b.pools[0].size = Bytes(100'000);
    b.profiles[0].dynamic_th.reset();
    b.profiles[0].static_th = Bytes(20'000);
    b.profiles[0].xoff = Bytes(20'000);
  }
  for (NicParameters& nic : s.nics) nic.congestion_control = NicParameters::CongestionControl::none;
}

/// A ring of five switches with one host each, and the additional links of `more`. From every host to the
/// next but one there is one shortest path, two links clockwise. So each link of the ring carries its own
/// host's traffic and through traffic, and each waits for the next.
Scenario Ring(Bytes size = Bytes(20'000'000), const LinkSpec& link = kLink,
              const std::vector<CustomLink>& more = {}) {
  std::vector<std::string> hosts, switches;
  std::vector<CustomLink> links;
  for (int i = 0; i < 5; ++i) {
    hosts.push_back("h" + std::to_string(i));
    switches.push_back("s" + std::to_string(i));
    links.push_back({hosts.back(), "", switches.back(), "", link});
  }
  for (int i = 0; i < 5; ++i) {
    links.push_back(
        {switches[static_cast<size_t>(i)], "", switches[static_cast<size_t>((i + 1) % 5)], "", link});
  }
  for (const CustomLink& l : more) {
    hosts.push_back(l.a);
    links.push_back(l);
  }
  Scenario s = ScenarioOf(BuildCustom(hosts, switches, links));
  MakeTight(s);
  ListArrivals a;
  for (NodeId h = 0; h < 5; ++h) a.messages.push_back({Time{}, h, (h + 2) % 5, size, {}});
  s.workloads = {WorkloadOf("round", a)};
  return s;
}

/// The ring with 40 kB for each host, and a host with a line of 10 Mb/s beside h1. h0's frames to it first
/// wait in the very group that pauses s0, and leave it at 0.9 ms per frame.
Scenario RingWithASlowDrain(Bytes to_slow) {
  Scenario s =
      Ring(Bytes(40'000), kLink, {{"slow", "", "s1", "", {MegabitsPerSecond(10), kLink.delay, Time{}, 0.0}}});
  ListArrivals a;
  a.messages.push_back({Time{}, 0, 5, to_slow, {}});
  s.workloads.insert(s.workloads.begin(), WorkloadOf("slow", a));
  for (NicParameters& nic : s.nics) nic.transport.rto = Seconds(1);
  return s;
}

TEST(Deadlock, ARingOfPausesIsFoundAndDescribed) {
  InChild([] {
    const Scenario s = Ring();
    const RunRecord r = headroom::Run(s, {});
    EXPECT_EQ(r.status, RunStatus::deadlock);
    EXPECT_LT(r.end, Milliseconds(10));
    EXPECT_TRUE(r.conservation.Ok());
    EXPECT_GT(r.conservation.in_flight, 0u);
    for (const MessageRecord& m : r.messages) EXPECT_FALSE(m.Finished());
    const EventRecord& e = r.events_log.back();
    ASSERT_EQ(e.kind, "deadlock");
    EXPECT_EQ(e.priority, 3);
    // s0 sends to s1 through p1, its first link of the ring; for every other switch the link from its left
    // neighbour is first.
    EXPECT_EQ(e.detail,
              "s0:p1 (priority 3) waits for s1:p2 (priority 3) waits for s2:p2 (priority 3) waits for s3:p2 "
              "(priority 3) "
              "waits for s4:p2 (priority 3) waits for s0:p1");
  });
}

/// The ring with 200 kB for each host. A watchdog acts after 3 ms of pause.
Scenario WatchedRing() {
  Scenario s = Ring(Bytes(200'000));
  for (SwitchParameters& sw : s.switches) {
    WatchdogParameters w;
    w.detection = Milliseconds(2);
    w.restoration = Milliseconds(2);
    w.poll = Milliseconds(1);
    sw.pfc.watchdogs = {w};
  }
  return s;
}

TEST(Deadlock, AWatchdogBreaksIt) {
  // The deadlock is reported and the run continues: each switch drops its queue, and the senders retry.
  InChild([] {
    const Scenario s = WatchedRing();
    const RunRecord r = headroom::Run(s, {});
    EXPECT_NE(r.status, RunStatus::deadlock);
    EXPECT_TRUE(r.conservation.Ok());
    int deadlocks = 0, storms = 0;
    for (const EventRecord& e : r.events_log) {
      deadlocks += e.kind == "deadlock";
      storms += e.kind == "watchdog_detected";
    }
    EXPECT_EQ(deadlocks, 1);
    EXPECT_GE(storms, 5);
    for (const MessageRecord& m : r.messages) EXPECT_GT(m.retransmitted_packets, 0u);
  });
}

TEST(Deadlock, OfSwitchesOnSeveralRanksIsTheSame) {
  // No rank has all switches of the ring.
  for (const Scenario& s : {Ring(), WatchedRing()}) {
    const std::string whole = TextFromChild([&s] { return RecordText(headroom::Run(s, {})); });
    const std::string in_ranks = TextFromRanks(3, [&s](Exchange& exchange) {
      RunOptions options;
      for (size_t n = 0; n < s.topology.nodes.size(); ++n) options.parts.push_back(static_cast<int>(n % 3));
      options.exchange = &exchange;
      return RecordText(headroom::Run(s, options));
    });
    EXPECT_EQ(in_ranks, whole);
    EXPECT_NE(whole.find("deadlock"), std::string::npos);
  }
}

TEST(Deadlock, WithRoomForWhatIsOnTheWayTheRingMoves) {
  // The same with DCQCN and marks long before the pause: the traffic is slow, but it moves.
  InChild([] {
    Scenario s = Ring();
    for (SwitchParameters& sw : s.switches) {
      sw.buffer.pools[0].size = Bytes(2'000'000);
      sw.buffer.profiles[0].static_th = Bytes(1'000'000);
      sw.ecn[3] = Ecn(5'000, 50'000, 0.5);
    }
    for (NicParameters& nic : s.nics) nic.congestion_control = NicParameters::CongestionControl::dcqcn;
    const RunRecord r = headroom::Run(s, {});
    EXPECT_EQ(r.status, RunStatus::complete);
  });
}

TEST(Deadlock, ATreeOfPausesIsNone) {
  // Two incasts cross two leaves in both directions, with hardly any buffer: there are pauses everywhere for
  // milliseconds, but no cycle.
  InChild([] {
    Scenario s = ScenarioOf(BuildLeafSpine(2, 1, 4, kLink, kLink));
    MakeTight(s);
    for (SwitchParameters& sw : s.switches) {
      sw.buffer.pools[0].size = Bytes(200'000);
      sw.buffer.profiles[0].static_th = Bytes(10'000);
    }
    ListArrivals a;
    for (NodeId h = 0; h < 8; ++h) {
      if (h != 0) a.messages.push_back({Time{}, h, 0, Bytes(5'000'000), {}});
      if (h != 7) a.messages.push_back({Time{}, h, 7, Bytes(5'000'000), {}});
    }
    s.workloads = {WorkloadOf("both", a)};
    const RunRecord r = headroom::Run(s, {});
    EXPECT_EQ(r.status, RunStatus::complete);
    EXPECT_GT(r.pauses.size(), 1000u);
    EXPECT_GT(r.end, Milliseconds(2));
  });
}

TEST(Deadlock, ARingIsNoneWhereAGroupAlsoDrainsElsewhere) {
  // The cycle lasts for more than four milliseconds, with every queue of it paused. Then the group at s1 has
  // drained enough.
  InChild([] {
    const RunRecord r = headroom::Run(RingWithASlowDrain(Bytes(20'000)), {});
    EXPECT_EQ(r.status, RunStatus::complete);
    ASSERT_EQ(r.messages.size(), 6u);
    for (const MessageRecord& m : r.messages) {
      EXPECT_TRUE(m.Finished());
      EXPECT_GT(m.completed, Milliseconds(4));
    }
  });
}

TEST(Deadlock, ARingIsOneOnceNothingDrainsElsewhereAnyMore) {
  // The slow host gets half as much: its ten frames end 8.7 ms after the start, and the group is still XOFF.
  InChild([] {
    const RunRecord r = headroom::Run(RingWithASlowDrain(Bytes(10'000)), {});
    EXPECT_EQ(r.status, RunStatus::deadlock);
    EXPECT_TRUE(r.messages[0].Finished());
    EXPECT_GT(r.end, r.messages[0].completed);
    EXPECT_LE(r.end, r.messages[0].completed + Milliseconds(2));
  });
}

TEST(Deadlock, PausesThatRunOutMakeNone) {
  // At 10 Gb/s 65535 quanta are 3.4 ms. Without refreshes the pauses end after that, every port sends until
  // it is paused again, and so on.
  InChild([] {
    Scenario s = Ring(Bytes(20'000'000), {GigabitsPerSecond(10), Nanoseconds(15), Time{}, 0.0});
    for (SwitchParameters& sw : s.switches) sw.pfc.refresh = Seconds(1);
    s.deadline = Milliseconds(30);
    const RunRecord r = headroom::Run(s, {});
    EXPECT_EQ(r.status, RunStatus::deadline);
    EXPECT_GT(r.pauses.size(), 50u);
  });
}

TEST(Deadlock, LooksAreFurtherApartThanAPauseAndARoundTrip) {
  // 65535 × 512 bit at 10 Gb/s: 3.355 ms. 100 km, there and back, take 1 ms. At 100 Gb/s over a few metres:
  // 0.336 ms.
  const auto interval = [](const Scenario& s) {
    return TextFromChild([&s] {
      StartSimulator(1);
      Network network(s);
      return std::to_string(DeadlockWatch(network).interval() / Microseconds(1));
    });
  };
  EXPECT_EQ(interval(Ring(Bytes(1), {GigabitsPerSecond(10), Microseconds(500), Time{}, 0.0})), "4358");
  EXPECT_EQ(interval(Ring()), "1000");
}

}  // namespace
}  // namespace headroom::deadlock_test
