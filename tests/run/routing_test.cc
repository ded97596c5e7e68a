// Routing that splits flows, in complete runs: the ways of packets, the order of their arrival, and its cost.
#include <gtest/gtest.h>

#include <cmath>

#include "run/record_text.h"
#include "run/storms.h"

namespace headroom::routing_test {
namespace {

using Kind = RoutingParameters::Kind;

constexpr int kLeaves = 2, kSpines = 4, kHosts = 4;  ///< hosts of each leaf
constexpr NodeId kLeaf = kLeaves * kHosts, kSpine = kLeaf + kLeaves;

/// Every host of one leaf sends to a host of the other, some over the same spine links.
Scenario Across(const RoutingParameters& routing, int messages = 5, const LinkOf& fabric = kStormLink) {
  Scenario s = ScenarioOf(BuildLeafSpine(kLeaves, kSpines, kHosts, kStormLink, fabric));
  s.duration = s.deadline = Milliseconds(20);
  for (SwitchParameters& sw : s.switches) sw.routing = routing;
  for (NicParameters& nic : s.nics) {
    nic.congestion_control = NicParameters::CongestionControl::none;
    nic.transport.rto = Milliseconds(1);
  }
  for (NodeId h = 0; h < kLeaf; ++h) {
    WorkloadParameters w =
        Flow("f" + std::to_string(h), h, (h + kHosts) % kLeaf, Microseconds(20), messages, Bytes(60'000));
    w.qp_per_message = false;
    s.workloads.push_back(w);
  }
  return s;
}

RoutingParameters Of(Kind kind, Time timeout = Microseconds(50)) {
  RoutingParameters r;
  r.kind = kind;
  r.timeout = timeout;
  return r;
}

uint64_t Sent(const RunRecord& r, NodeId node, uint16_t port) { return At(r, node, port).tx_packets; }

uint64_t Repeated(const RunRecord& r) {
  uint64_t sum = 0;
  for (const MessageRecord& m : r.messages) sum += m.retransmitted_packets;
  return sum;
}

TEST(Routing, EveryFrameTakesAShortestWayAndEveryMessageArrives) {
  // All traffic crosses the spines: hosts' bytes, one leaf's bytes up, and one spine's bytes down.
  for (const Kind kind : {Kind::ecmp, Kind::spray, Kind::flowlet, Kind::adaptive}) {
    InChild([kind] {
      const RunRecord r = Checked(Across(Of(kind, Nanoseconds(200))));
      EXPECT_EQ(r.status, RunStatus::complete);
      uint64_t hosts = 0, up = 0, down = 0, delivered = 0;
      for (NodeId h = 0; h < kLeaf; ++h) hosts += Sent(r, h, 0);
      for (NodeId leaf = kLeaf; leaf < kSpine; ++leaf) {
        for (uint16_t p = 0; p < kHosts; ++p) delivered += Sent(r, leaf, p);
        for (uint16_t p = kHosts; p < kHosts + kSpines; ++p) up += Sent(r, leaf, p);
      }
      for (NodeId spine = kSpine; spine < kSpine + kSpines; ++spine) {
        for (uint16_t p = 0; p < kLeaves; ++p) down += Sent(r, spine, p);
      }
      EXPECT_GT(hosts, 2000u);
      EXPECT_EQ(up, hosts);
      EXPECT_EQ(down, hosts);
      EXPECT_EQ(delivered, hosts);
      for (const MessageRecord& m : r.messages) EXPECT_TRUE(m.Finished());
      EXPECT_EQ(AllDrops(r), 0u);
    });
  }
}

TEST(Routing, SprayingSharesALeafsPacketsByTheWeightsOfItsLinks) {
  // Weights are 1, 1, 2, 4: an eighth, an eighth, a quarter and a half of n packets, ± 5 √(n p (1 − p)).
  InChild([] {
    const LinkOf fabric =
        LinkOf::Choose([](const auto&, const auto&, const TopologyNode& spine, const auto&) {
          LinkSpec link = kStormLink;
          link.weight = spine.name == "spine2" ? 6 : spine.name == "spine3" ? 12 : 3;
          return link;
        });
    const RunRecord r = Checked(Across(Of(Kind::spray), 5, fabric));
    for (NodeId leaf = kLeaf; leaf < kSpine; ++leaf) {
      double all = 0;
      for (uint16_t p = kHosts; p < kHosts + kSpines; ++p) all += static_cast<double>(Sent(r, leaf, p));
      const double shares[] = {0.125, 0.125, 0.25, 0.5};
      for (uint16_t p = 0; p < kSpines; ++p) {
        EXPECT_NEAR(static_cast<double>(Sent(r, leaf, kHosts + p)), all * shares[p],
                    5 * std::sqrt(all * shares[p] * (1 - shares[p])))
            << leaf << " " << p;
      }
    }
  });
}

TEST(Routing, WithoutWeightsTheRatioOfThemChangesNothing) {
  // Links with weight 7 each are links without weights.
  const auto text = [](int weight) {
    return TextFromChild([weight] {
      LinkSpec link = kStormLink;
      link.weight = weight;
      return RecordText(Checked(Across(Of(Kind::ecmp), 3, link)));
    });
  };
  ExpectSameText(text(1), text(7));
}

TEST(Routing, PacketsThatOvertakeAreSentAgainUnderGoBackNAndFlowletsThatNeverEndDoNotOvertake) {
  const auto repeated = [](const RoutingParameters& routing) {
    return std::stoull(
        TextFromChild([&routing] { return std::to_string(Repeated(Checked(Across(routing)))); }));
  };
  EXPECT_EQ(repeated(Of(Kind::ecmp)), 0u);
  EXPECT_EQ(repeated(Of(Kind::flowlet, Milliseconds(100))), 0u);
  EXPECT_GT(repeated(Of(Kind::spray)), 500u);
}

TEST(Routing, AFlowletThatPausesForLongerThanItsWaysDifferIsNotOvertaken) {
  // Ways differ only by their queues: all hosts of a leaf together fill no link of 4 spines × 100 Gb/s for
  // long. A message of 60 kB has left after 5 µs, the next comes 15 µs later. With a timeout of 12 µs each
  // message is a separate flowlet; no packet is overtaken, and flows change their ways.
  InChild([] {
    const RunRecord r = Checked(Across(Of(Kind::flowlet, Microseconds(12)), 40));
    EXPECT_EQ(Repeated(r), 0u);
    int used = 0;
    for (uint16_t p = kHosts; p < kHosts + kSpines; ++p) used += Sent(r, kLeaf, p) > 0;
    EXPECT_EQ(used, kSpines);
  });
}

TEST(Routing, IsTheSameForTheSameSeedAndAnyOrderOfBuilding) {
  const auto text = [](Kind kind, uint64_t seed, bool reversed) {
    return TextFromChild([=] {
      Scenario s = Across(Of(kind, Microseconds(1)), 3);
      s.seed = seed;
      RunOptions options;
      if (reversed) {
        for (NodeId n = static_cast<NodeId>(s.topology.nodes.size()); n-- > 0;)
          options.build_order.push_back(n);
      }
      return RecordText(headroom::Run(s, options));
    });
  };
  for (const Kind kind : {Kind::spray, Kind::flowlet, Kind::adaptive}) {
    const std::string one = text(kind, 1, false);
    ExpectSameText(one, text(kind, 1, true));
    EXPECT_NE(one, text(kind, 2, false));
  }
}

TEST(Routing, AdaptiveRoutingAvoidsALinkThatIsDownBeforeRoutesDo) {
  // The link from leaf0 to spine0 is down from 100 µs on, and routes never change: leaf0 loses its frames
  // there; no node after it loses any. (Except for ACKs that leaf1 sends through spine0.)
  InChild([] {
    Scenario s = Across(Of(Kind::adaptive), 20);
    s.workloads.resize(kHosts);  // only from leaf0
    LinkDownFault down;
    down.a = kLeaf;
    down.b = kSpine;
    down.convergence = kNever;
    down.times.start = Microseconds(100);
    s.faults = {down};
    const RunRecord r = Checked(s);
    EXPECT_LT(Drops(At(r, kLeaf, kHosts), DropReason::link_loss), 100u);
    EXPECT_GT(Sent(r, kLeaf, kHosts + 1), 500u);
  });
}

/// Every host sends to the host two places on in the first dimension; groups pause at 20 kB and have 20 kB of
/// headroom.
Scenario Torus(const RoutingParameters& routing) {
  Scenario s = ScenarioOf(BuildTorus({4, 4, 4}, kStormLink));
  s.duration = Milliseconds(1);
  s.deadline = Milliseconds(20);
  s.classes[4] = {"behind", 4, 4, true, 1, false};
  for (SwitchParameters& sw : s.switches) {
    BufferParameters& b = sw.buffer;
    b.headroom.clear();
    b.pools[0].size = Bytes(400'000);
    b.profiles[0].dynamic_th.reset();
    b.profiles[0].static_th = Bytes(20'000);
    b.profiles[0].xoff = Bytes(20'000);
    sw.routing = routing;
  }
  for (NicParameters& nic : s.nics) nic.congestion_control = NicParameters::CongestionControl::none;
  ListArrivals a;
  for (NodeId h = 0; h < s.topology.hosts; ++h) {
    for (int i = 0; i < 4; ++i)
      a.messages.push_back({Time{}, h, h / 4 * 4 + (h + 2) % 4, Bytes(100'000), {}});
  }
  s.workloads = {WorkloadOf("two on", a)};
  s.workloads[0].qp_per_message = true;
  return s;
}

TEST(Torus, OneLosslessClassDeadlocksAndADatelineDoesNot) {
  InChild([] {
    const RunRecord r = Checked(Torus(Of(Kind::dimension_order)));
    EXPECT_EQ(r.status, RunStatus::deadlock);
    ASSERT_FALSE(r.events_log.empty());
    EXPECT_EQ(r.events_log.back().kind, "deadlock");
    EXPECT_NE(r.events_log.back().detail.find("waits for"), std::string::npos);
  });
  InChild([] {
    RoutingParameters routing = Of(Kind::dimension_order);
    routing.dateline = {3, 4};
    const RunRecord r = Checked(Torus(routing));
    EXPECT_EQ(r.status, RunStatus::complete);
    for (const MessageRecord& m : r.messages) EXPECT_TRUE(m.Finished());
    EXPECT_EQ(AllDrops(r), 0u);
    EXPECT_EQ(Repeated(r), 0u);
    uint64_t pauses[kPriorities] = {}, packets[kPriorities] = {};
    for (const PortRecord& port : r.ports) {
      for (int p = 0; p < kPriorities; ++p) {
        pauses[p] += port.priority[p].pause_frames_tx;
        packets[p] += port.priority[p].tx_packets;
        if (port.node < 64 &&
            p == 4) {  // hosts neither send nor receive frames with the priority after a dateline
          EXPECT_EQ(port.priority[p].tx_packets + port.priority[p].rx_packets, 0u);
        }
      }
    }
    EXPECT_GT(pauses[3], 0u);
    // Of the ways with two links upwards a third crosses the dateline, from 2 to 0 with the second link, from
    // 3 to 1 with the first.
    EXPECT_GT(packets[4], packets[3] / 10);
  });
}

}  // namespace
}  // namespace headroom::routing_test
