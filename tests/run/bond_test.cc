// Hosts with two ports in complete runs: how queue pairs share the ports, and what happens when one fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "run/fault_star.h"
#include "scenario/paths/flow_paths.h"

namespace headroom::bond_test {
namespace {

constexpr Time kDetection = Microseconds(200);

/// Racks of `hosts` hosts with two ports of 100 Gb/s, without congestion control.
Scenario Racks(int racks, int hosts, Attach kind) {
  const int leaves = kind == Attach::one_leaf ? racks : 2 * racks;
  const int at_leaf = kind == Attach::one_leaf ? 2 * hosts : hosts;
  Scenario s = ScenarioOf(BuildLeafSpine(leaves, 2, at_leaf, kStormLink, kStormLink, 2, {1, kind, 2}));
  for (NicParameters& nic : s.nics) {
    nic.congestion_control = NicParameters::CongestionControl::none;
    nic.transport.rto = Microseconds(100);
  }
  for (HostParameters& host : s.hosts) host.bond = {.detection = kDetection};
  s.duration = s.deadline = Milliseconds(2);
  return s;
}

NodeId Named(const Scenario& s, const std::string& name) {
  const auto& nodes = s.topology.nodes;
  return static_cast<NodeId>(std::ranges::find(nodes, name, &TopologyNode::name) - nodes.begin());
}

/// `count` messages, each on a queue pair of its own.
WorkloadParameters Many(NodeId from, NodeId to, int count, Bytes size) {
  ListArrivals a;
  for (int i = 0; i < count; ++i)
    a.messages.push_back({Time{}, from, to, size, {}, static_cast<uint16_t>(50'000 + i)});
  WorkloadParameters w = WorkloadOf("many", a);
  w.qp_per_message = true;
  return w;
}

/// A source port with which a queue pair leaves by `port` of the sender.
uint16_t SourcePortBy(const Scenario& s, NodeId from, NodeId to, uint32_t port) {
  const auto routes = RoutesOf(s);
  const EcmpPaths paths(s.topology, routes, EcmpSeedsOf(s));
  uint16_t source_port = 50'000;
  while (paths.Of(from, to, source_port).front().from.port_index != port) ++source_port;
  return source_port;
}

/// Messages one after the other on one queue pair, which leaves by `port` of the sender.
WorkloadParameters One(const Scenario& s, NodeId from, NodeId to, uint32_t port, int count, Bytes size,
                       Time every = {}) {
  const uint16_t source_port = SourcePortBy(s, from, to, port);
  ListArrivals a;
  for (int i = 0; i < count; ++i) a.messages.push_back({every * i, from, to, size, {}, source_port});
  return WorkloadOf("one", a);
}

/// Gigabits per second on the wire.
double RateOf(const RunRecord& r, NodeId node, uint16_t port, Time span) {
  return static_cast<double>(At(r, node, port).tx_wire_bytes) * 8 / InSeconds(span) / 1e9;
}

TEST(Bond, two_ports_carry_the_rate_of_both_with_many_queue_pairs) {
  for (const auto kind : {Attach::dual_tor, Attach::planes}) {
    InChild([kind] {
      Scenario s = Racks(1, 2, kind);
      s.workloads = {Many(0, 1, 32, Bytes(4'000'000))};
      const RunRecord r = Checked(s);
      EXPECT_NEAR(RateOf(r, 0, 0, s.duration), 100, 0.5);
      EXPECT_NEAR(RateOf(r, 0, 1, s.duration), 100, 0.5);
    });
  }
}

TEST(Bond, one_queue_pair_has_one_port) {
  InChild([] {
    Scenario s = Racks(1, 2, Attach::dual_tor);
    s.workloads = {One(s, 0, 1, 1, 50, Bytes(1'000'000))};
    const RunRecord r = Checked(s);
    EXPECT_EQ(At(r, 0, 0).tx_packets, 0u);
    EXPECT_NEAR(RateOf(r, 0, 1, s.duration), 100, 0.5);
  });
}

TEST(Bond, the_hash_decides_the_port_of_each_queue_pair) {
  InChild([] {
    Scenario s = Racks(2, 2, Attach::dual_tor);
    s.deadline = Milliseconds(20);
    s.workloads = {Many(0, 3, 100, Bytes(s.mtu * 10))};
    const auto routes = RoutesOf(s);
    const EcmpPaths paths(s.topology, routes, EcmpSeedsOf(s));
    std::map<uint32_t, uint64_t> sent, received;
    for (int i = 0; i < 100; ++i) {
      const auto path = paths.Of(0, 3, static_cast<uint32_t>(50'000 + i));
      sent[path.front().from.port_index] += 10;
      received[path.back().to.port_index] += 10;
    }
    const RunRecord r = Checked(s);
    for (const uint16_t port : {0, 1}) {
      EXPECT_EQ(At(r, 0, port).tx_packets, sent[port]);
      EXPECT_EQ(At(r, 3, port).rx_packets, received[port]);
      EXPECT_NEAR(static_cast<double>(sent[port]), 500, 150);
    }
  });
}

/// Goodput of one queue pair, message by message, whose port 0 fails at 1 ms.
struct Outage {
  Time longest;      ///< between two completions
  double after = 0;  ///< Gb/s of payload in the last millisecond
  int unfinished = 0;
};

Outage OutageOf(Scenario s, const std::vector<LinkDownFault>& faults) {
  s.duration = Milliseconds(3);
  s.deadline = Milliseconds(10);
  const Bytes size(s.mtu * 8);
  s.workloads = {One(s, 0, 1, 0, 4000, size)};
  s.faults.assign(faults.begin(), faults.end());
  const RunRecord r = Checked(s);
  Outage outage;
  std::vector<Time> ends;
  for (const MessageRecord& m : r.messages) {
    if (m.Finished()) {
      ends.push_back(m.completed);
    } else {
      ++outage.unfinished;
    }
  }
  std::ranges::sort(ends);
  int64_t late = 0;
  for (size_t i = 1; i < ends.size(); ++i) {
    outage.longest = std::max(outage.longest, ends[i] - ends[i - 1]);
    late += ends[i] >= Milliseconds(2) && ends[i] < Milliseconds(2) + Microseconds(400) ? size.v : 0;
  }
  outage.after = static_cast<double>(late) * 8 / 400e-6 / 1e9;
  return outage;
}

LinkDownFault LastingDown(NodeId a, NodeId b) {
  LinkDownFault down = Down(a, b, Milliseconds(1), kNever);
  down.convergence = kDetection;
  return down;
}

TEST(Bond, queue_pairs_of_a_dead_port_move_after_detection_and_lose_no_message) {
  InChild([] {
    const Scenario s = Racks(1, 2, Attach::dual_tor);
    const Outage outage = OutageOf(s, {LastingDown(0, Named(s, "leaf0"))});
    EXPECT_EQ(outage.unfinished, 0);
    // The timeout of 100 µs is over before the port is given up: it costs nothing.
    EXPECT_NEAR(InMicroseconds(outage.longest), InMicroseconds(kDetection), 10);
    EXPECT_NEAR(outage.after, 94, 3);  // payload of 100 Gb/s
  });
}

TEST(Bond, a_message_without_a_successor_waits_for_its_timeout) {
  // It leaves from 999.9 µs on, and is lost at the leaf, which has no link to the receiver from 1 ms on.
  InChild([] {
    Scenario s = Racks(1, 2, Attach::dual_tor);
    for (NicParameters& nic : s.nics) nic.transport.rto = Microseconds(500);
    ListArrivals a;
    a.messages = {{Nanoseconds(999'900), 0, 1, Bytes(s.mtu * 8), {}, SourcePortBy(s, 0, 1, 0)}};
    s.workloads = {WorkloadOf("last", a)};
    s.faults = {LastingDown(1, Named(s, "leaf0"))};
    const RunRecord r = Checked(s);
    ASSERT_EQ(Finished(r, 0), std::pair(1, 1));
    EXPECT_NEAR(InMicroseconds(r.messages[0].completed - r.messages[0].start), 500, 5);
    EXPECT_EQ(At(r, 1, 0).rx_packets, 0u);
  });
}

TEST(Bond, the_death_of_a_leaf_costs_as_much) {
  InChild([] {
    const Scenario s = Racks(1, 2, Attach::dual_tor);
    const NodeId leaf = Named(s, "leaf0");
    std::vector<LinkDownFault> faults;
    for (const TopologyLink& link : s.topology.links)
      if (link.b.node == leaf || link.a.node == leaf) faults.push_back(LastingDown(link.a.node, link.b.node));
    for (LinkDownFault& fault : faults) fault.port_a.reset();
    const Outage outage = OutageOf(s, faults);
    EXPECT_EQ(outage.unfinished, 0);
    EXPECT_NEAR(InMicroseconds(outage.longest), InMicroseconds(kDetection), 10);
    EXPECT_NEAR(outage.after, 94, 3);
  });
}

TEST(Bond, in_planes_a_sender_leaves_the_plane_in_which_the_receiver_lost_its_port) {
  InChild([] {
    const Scenario s = Racks(1, 2, Attach::planes);
    const Outage outage = OutageOf(s, {LastingDown(1, Named(s, "leaf0"))});
    EXPECT_EQ(outage.unfinished, 0);
    EXPECT_NEAR(InMicroseconds(outage.longest), InMicroseconds(kDetection), 10);
    EXPECT_NEAR(outage.after, 94, 3);
  });
}

TEST(Bond, a_short_failure_moves_nothing) {
  InChild([] {
    Scenario s = Racks(1, 2, Attach::dual_tor);
    s.workloads = {One(s, 0, 1, 0, 100, Bytes(s.mtu * 8), Microseconds(10))};
    LinkDownFault down = Down(0, Named(s, "leaf0"), Microseconds(300), Microseconds(400));
    down.convergence = kNever;
    s.faults = {down};
    const RunRecord r = Checked(s);
    EXPECT_EQ(Finished(r, 0), std::pair(100, 100));
    EXPECT_EQ(At(r, 0, 1).tx_packets, 0u);
  });
}

TEST(Bond, queue_pairs_return_when_the_link_has_been_up_for_as_long) {
  InChild([] {
    Scenario s = Racks(1, 2, Attach::dual_tor);
    s.workloads = {One(s, 0, 1, 0, 190, Bytes(s.mtu), Microseconds(10))};
    LinkDownFault down = Down(0, Named(s, "leaf0"), Microseconds(305), Microseconds(1005));
    down.convergence = kDetection;
    s.faults = {down};
    const RunRecord r = Checked(s);
    EXPECT_EQ(Finished(r, 0), std::pair(190, 190));
    // It is gone from 505 to 1205 µs, in which it also sends what was lost from 305 µs on.
    EXPECT_NEAR(static_cast<double>(At(r, 0, 1).tx_packets), 70 + 20, 3);
  });
}

TEST(Bond, a_storm_at_one_port_leaves_the_other_alone) {
  InChild([] {
    Scenario s = Racks(1, 2, Attach::dual_tor);
    s.workloads = {Many(0, 1, 32, Bytes(4'000'000))};
    PauseStormFault storm = StormFrom(Named(s, "leaf0"), Time{}, kNever);
    for (const TopologyLink& link : s.topology.links)
      if (link.a.node == 0 && link.b.node == storm.node) storm.port = link.b.port_index;
    s.faults = {storm};
    const RunRecord r = Checked(s);
    EXPECT_LT(RateOf(r, 0, 0, s.duration), 1);
    EXPECT_NEAR(RateOf(r, 0, 1, s.duration), 100, 0.5);
  });
}

TEST(Bond, a_nic_with_resources_has_two_ports_too) {
  InChild([] {
    Scenario s = Racks(1, 2, Attach::dual_tor);
    for (NicParameters& nic : s.nics) {
      nic.resources.tx_fetched = Nanoseconds(20);  // a frame takes 44 ns on both wires together
      nic.resources.rx_write = Nanoseconds(20);
    }
    s.workloads = {Many(0, 1, 32, Bytes(4'000'000))};
    PauseStormFault storm = StormFrom(Named(s, "leaf0"), Milliseconds(1), kNever);
    for (const TopologyLink& link : s.topology.links)
      if (link.a.node == 0 && link.b.node == storm.node) storm.port = link.b.port_index;
    s.faults = {storm};
    const RunRecord r = Checked(s);
    EXPECT_NEAR(RateOf(r, 0, 0, s.duration), 50, 1);
    EXPECT_NEAR(RateOf(r, 0, 1, s.duration), 100, 1);
  });
}

TEST(Bond, in_planes_no_frame_changes_its_plane) {
  InChild([] {
    Scenario s = Racks(2, 2, Attach::planes);
    s.deadline = Milliseconds(20);
    s.workloads = {Many(0, 3, 64, Bytes(100'000)), Many(1, 2, 64, Bytes(100'000))};
    s.workloads[1].name = "others";
    const RunRecord r = Checked(s);
    EXPECT_EQ(Finished(r, 0), std::pair(64, 64));
    for (const auto& [from, to] : {std::pair<NodeId, NodeId>(0, 3), {1, 2}}) {
      for (const uint16_t port : {0, 1}) EXPECT_EQ(At(r, from, port).tx_packets, At(r, to, port).rx_packets);
    }
  });
}

}  // namespace
}  // namespace headroom::bond_test
