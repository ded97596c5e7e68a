// Lossless traffic that stands still for good is found and named; traffic that is merely slow is not.
#include <gtest/gtest.h>

#include "report/run.h"
#include "support/in_child.h"
#include "support/scenarios.h"

namespace headroom {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(15), Time{}, 0.0};

/// A ring of five switches with a host each. From every host to the next but one there is one shortest way,
/// two links clockwise: each link of the ring carries what comes from its own host and what passes, and each
/// waits for the next.
Scenario Ring() {
  std::vector<std::string> hosts, switches;
  std::vector<CustomLink> links;
  for (int i = 0; i < 5; ++i) {
    hosts.push_back("h" + std::to_string(i));
    switches.push_back("s" + std::to_string(i));
    links.push_back({hosts.back(), "", switches.back(), "", kLink});
  }
  for (int i = 0; i < 5; ++i) {
    links.push_back(
        {switches[static_cast<size_t>(i)], "", switches[static_cast<size_t>((i + 1) % 5)], "", kLink});
  }
  Scenario s = ScenarioOf(BuildCustom(hosts, switches, links));
  for (SwitchParameters& sw : s.switches) {
    BufferParameters& b = sw.buffer;
    b.headroom.clear();
    b.pools[0].size = Bytes(100'000);
    b.profiles[0].dynamic_th.reset();
    b.profiles[0].static_th = Bytes(20'000);
    b.profiles[0].xoff = Bytes(20'000);
  }
  for (NicParameters& nic : s.nics) nic.congestion_control = NicParameters::CongestionControl::none;
  ListArrivals a;
  for (NodeId h = 0; h < 5; ++h) a.messages.push_back({Time{}, h, (h + 2) % 5, Bytes(20'000'000), {}});
  s.workloads = {Workload("round", a)};
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
    // s0 sends to s1 by p1, its first link of the ring; every other switch has the link from its left
    // neighbour first.
    EXPECT_EQ(e.detail,
              "s0:p1 (priority 3) waits for s1:p2 (priority 3) waits for s2:p2 (priority 3) waits for s3:p2 "
              "(priority 3) "
              "waits for s4:p2 (priority 3) waits for s0:p1");
  });
}

TEST(Deadlock, WithRoomForWhatIsOnTheWayTheRingMoves) {
  // The same with DCQCN and marks long before the pause: slow, but it moves.
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
  // Two incasts across two leaves, both ways, with hardly any buffer: pauses everywhere for milliseconds, no
  // cycle.
  InChild([] {
    Scenario s = ScenarioOf(BuildLeafSpine(2, 1, 4, kLink, kLink));
    for (SwitchParameters& sw : s.switches) {
      sw.buffer.headroom.clear();
      sw.buffer.pools[0].size = Bytes(200'000);
      sw.buffer.profiles[0].dynamic_th.reset();
      sw.buffer.profiles[0].static_th = Bytes(10'000);
      sw.buffer.profiles[0].xoff = Bytes(20'000);
    }
    for (NicParameters& nic : s.nics) nic.congestion_control = NicParameters::CongestionControl::none;
    ListArrivals a;
    for (NodeId h = 0; h < 8; ++h) {
      if (h != 0) a.messages.push_back({Time{}, h, 0, Bytes(5'000'000), {}});
      if (h != 7) a.messages.push_back({Time{}, h, 7, Bytes(5'000'000), {}});
    }
    s.workloads = {Workload("both", a)};
    const RunRecord r = headroom::Run(s, {});
    EXPECT_EQ(r.status, RunStatus::complete);
    EXPECT_GT(r.pauses.size(), 1000u);
    EXPECT_GT(r.end, Milliseconds(2));
  });
}

}  // namespace
}  // namespace headroom
