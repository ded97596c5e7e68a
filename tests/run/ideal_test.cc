// A lone message takes exactly the time that analysis/bounds/ideal_time.h computes: over every tier, for
// every size.
#include "analysis/bounds/ideal_time.h"

#include <gtest/gtest.h>

#include "analysis/bounds/ideal_path.h"
#include "run/run.h"
#include "support/in_child.h"
#include "support/path_of.h"
#include "support/recovery.h"
#include "support/scenarios.h"
#include "workload/types/list.h"

namespace headroom::ideal_test {
namespace {

constexpr int64_t kSizes[] = {0, 1, 63, 1023, 1024, 1025, 2048, 10'000, 65'536, 1'000'000};

/// Sends every size between these pairs, each message long after the previous one.
void ExpectIdeal(Scenario s, const std::vector<std::pair<NodeId, NodeId>>& pairs, Time apart,
                 Operation verb = Operation::write) {
  InChild([&] {
    ListArrivals a;
    for (const auto& [src, dst] : pairs) {
      for (const int64_t size : kSizes) {
        a.messages.push_back({apart * static_cast<int64_t>(a.messages.size()), src, dst, Bytes(size), {}});
      }
    }
    s.duration = apart * static_cast<int64_t>(a.messages.size());
    s.deadline = s.duration * 2;
    s.workloads = {WorkloadOf("alone", a)};
    s.workloads[0].qps_per_pair = 3;  // several paths
    s.workloads[0].verb = verb;
    const RunRecord r = headroom::Run(s, {});
    ASSERT_EQ(r.status, RunStatus::complete);
    const auto routes = ComputeRoutes(s.topology);
    for (const MessageRecord& m : r.messages) {
      const IdealPath path = IdealPathOf(s, PathOf(s, routes, m.src, m.dst, m.source_port),
                                         PathOf(s, routes, m.dst, m.src, m.source_port));
      ASSERT_LT(m.completed - m.start, apart);
      EXPECT_EQ((m.completed - m.start).v, IdealCompletion(path, m.size, verb).v)
          << VerbName(verb) << " " << s.topology.nodes[m.src].name << " to " << s.topology.nodes[m.dst].name
          << ", " << m.size.v << " B";
      const MessageParts& parts = r.message_parts[static_cast<size_t>(&m - r.messages.data())];
      for (const MessagePart part :
           {MessagePart::own_queue, MessagePart::limiter, MessagePart::port, MessagePart::queued,
            MessagePart::paused, MessagePart::recovery, MessagePart::ack_paused, MessagePart::other})
        EXPECT_EQ(parts[part], Time{}) << MessagePartName(part);
    }
    EXPECT_EQ(r.marked_packets, 0u);
    EXPECT_TRUE(r.pauses.empty());
  });
}

/// Rates and delays differ from tier to tier; the region's links are 40 km.
Scenario Region() {
  RegionShape shape;
  shape.datacenters = shape.clusters = shape.racks = shape.hosts = 2;
  shape.host = {GigabitsPerSecond(100), Nanoseconds(15), Nanoseconds(110), 0.0};
  shape.t0_t1 = {GigabitsPerSecond(400), Nanoseconds(150), Time{}, 0.0};
  shape.t1_t2 = {GigabitsPerSecond(200), Microseconds(2), Time{}, 0.0};
  shape.t2_rh = {GigabitsPerSecond(400), Microseconds(200), Nanoseconds(7), 0.0};
  Scenario s = ScenarioOf(BuildRegion(shape));
  for (NodeId n = 0; n < s.switches.size(); ++n) s.switches[n].latency = Nanoseconds(500 + 37 * n);
  for (NodeId h = 0; h < s.nics.size(); ++h) {
    s.nics[h].tx_latency = Nanoseconds(100 + h);
    s.nics[h].rx_latency = Nanoseconds(200 + 3 * h);
  }
  return s;
}

TEST(Ideal, OverEveryTierOfARegion) {
  // Pairs within a rack, a cluster, a datacenter, the region, and some in the other direction.
  ExpectIdeal(Region(), {{0, 1}, {0, 2}, {1, 4}, {0, 7}, {0, 8}, {15, 3}, {9, 6}}, Milliseconds(3));
}

TEST(Ideal, WithEveryVerb) {
  for (const auto& [name, verb] : kVerbs) {
    if (verb != Operation::write)
      ExpectIdeal(Region(), {{0, 1}, {0, 2}, {1, 4}, {0, 7}, {0, 8}, {15, 3}}, Milliseconds(3), verb);
  }
}

TEST(Ideal, WithAcksForEverySeventhPacketAndBursts) {
  Scenario s = Region();
  for (NicParameters& nic : s.nics) {
    nic.transport.ack_every = 7;
    nic.dcqcn.limiter.granularity = LimiterParameters::Granularity::burst;
  }
  s.mtu = 4096;
  ExpectIdeal(s, {{0, 1}, {1, 4}, {0, 8}, {15, 3}}, Milliseconds(3));
}

TEST(Ideal, WithWindowsSmallerAndLargerThanTheirPaths) {
  for (const int64_t packets : {1, 2, 3, 16, 100, 0}) {
    for (const int ack_every : {1, 3}) {
      for (const bool latencies : {true, false}) {
        Scenario s = Region();
        for (NicParameters& nic : s.nics) {
          using Kind = SendWindow::Kind;
          nic.transport.window = {packets == 0 ? Kind::bdp : Kind::bytes, Bytes(s.mtu * packets + 100)};
          nic.transport.ack_every = packets == 1 || packets == 2 ? 1 : ack_every;
          if (!latencies) nic.tx_latency = nic.rx_latency = Time{};
        }
        ExpectIdeal(s, {{0, 1}, {1, 4}, {15, 3}}, Milliseconds(900));
        if (packets == 16) ExpectIdeal(s, {{0, 2}, {0, 8}}, Milliseconds(90), Operation::read_request);
      }
    }
  }
}

TEST(Ideal, WithContextsBuffersAndCounts) {
  constexpr void (*kWays[])(Scenario&) = {UseReceiverWindow, UseSenderWindow,
                                          UseCumulativeAcks, UseCounter,
                                          SetUpSenderWindow, [](Scenario& s) { CountInContexts(s, 64); }};
  for (const auto recover : kWays) {
    for (const int packets : {1, 5, 128}) {
      Scenario s = Region();
      recover(s);
      for (NicParameters& nic : s.nics) {
        nic.transport.recovery.packets = packets;
        nic.transport.recovery.timer = Milliseconds(50);
      }
      ExpectIdeal(s, {{0, 1}, {0, 2}, {1, 4}, {15, 3}}, Milliseconds(900));
      if (packets == 5) ExpectIdeal(s, {{0, 2}, {0, 8}}, Milliseconds(90), Operation::read_request);
    }
  }
}

TEST(Ideal, WhereTheMiddleOrTheEndIsTheBottleneck) {
  // a at 100 Gb/s sends to b at 25 Gb/s behind 40 Gb/s: frames wait at each switch, ACKs on their way back do
  // not.
  const auto link = [](int64_t gbps, int64_t ns) {
    return LinkSpec{GigabitsPerSecond(gbps), Nanoseconds(ns), Time{}, 0.0};
  };
  Scenario s = ScenarioOf(BuildCustom({"a", "b", "c"}, {"s", "t"},
                                      {{"a", "", "s", "", link(100, 15)},
                                       {"s", "", "t", "", link(40, 300)},
                                       {"t", "", "b", "", link(25, 40)},
                                       {"t", "", "c", "", link(1, 40)}}));
  ExpectIdeal(s, {{0, 1}, {1, 0}, {0, 2}, {2, 1}}, Milliseconds(30));
}

TEST(Ideal, InAnotherSimulatorsFrames) {
  Scenario s = Region();
  s.frames = {.header = 48, .reth = 0, .ack = 60, .cnp = 60, .pfc = 43, .gap = 0, .min = 0};
  s.mtu = 1000;
  ExpectIdeal(s, {{0, 1}, {0, 8}}, Milliseconds(3));
}

// In T2 and the hub, requests, credits and frames cross a fabric.
TEST(Ideal, AMessageAloneThroughChassis) {
  Scenario s = Region();
  for (size_t n = 0; n < s.switches.size(); ++n) {
    const std::string& tier = s.topology.nodes[s.topology.hosts + n].tier;
    if (tier != "t2" && tier != "rh") continue;
    s.switches[n].buffer = *FindBufferProfile("azure-deep");
    s.switches[n].chassis.emplace();
    s.switches[n].chassis->line_cards = 2;
    s.switches[n].chassis->fabric_latency = Nanoseconds(700 + 13 * static_cast<int64_t>(n));
  }
  const auto hosts = static_cast<NodeId>(s.topology.hosts);
  ExpectIdeal(s, {{0, 1}, {0, 2}, {0, 4}, {0, hosts - 1}, {hosts - 1, 0}}, Milliseconds(10));
}

}  // namespace
}  // namespace headroom::ideal_test
