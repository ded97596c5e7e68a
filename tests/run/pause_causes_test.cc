// Causes of pauses, in complete runs whose roots are known by construction.
#include "run/pause_causes.h"
#include "protocol/storage/storage_parameters.h"

#include <gtest/gtest.h>

#include <map>

#include "run/fault_star.h"
#include "run/record_text.h"
#include "run/small_storage.h"
#include "scenario/senders.h"
#include "workload/io_arrivals.h"
#include "workload/types/list.h"

namespace headroom::pause_causes_test {
namespace {

using Kind = PauseRoot::Kind;

LinkSpec Link(int gbps) { return {GigabitsPerSecond(gbps), Nanoseconds(15), Time{}, 0.0}; }

/// A group pauses at 20 kB and has 20 kB of headroom.
void MakeTight(Scenario& s) {
  for (SwitchParameters& sw : s.switches) {
    BufferParameters& b = sw.buffer;
    b.headroom.clear();
    b.profiles[0].dynamic_th.reset();
    b.profiles[0].static_th = Bytes(20'000);
    b.profiles[0].xoff = Bytes(20'000);
  }
  for (NicParameters& nic : s.nics) {
    nic.congestion_control = NicParameters::CongestionControl::none;
    nic.transport.rto = Seconds(1);
  }
}

WorkloadParameters One(const std::string& name, NodeId from, NodeId to, int64_t bytes, uint8_t priority = 3) {
  return Flow(name, from, to, Time{}, 1, Bytes(bytes), priority);
}

/// h0, h1, h2 are at s0, h3, h4, h5 at s1, with 400 Gb/s between the switches. Lines of hosts have 100 Gb/s,
/// except for `slow` ones and h5's, which has 400. Switches do not delay frames that could leave. Port p of a
/// switch leads to its p-th host; port 3 connects the switches.
Scenario TwoSwitches(const std::vector<NodeId>& slow) {
  std::vector<std::string> hosts;
  std::vector<CustomLink> links;
  for (NodeId h = 0; h < 6; ++h) {
    hosts.push_back("h" + std::to_string(h));
    const bool is_slow = std::find(slow.begin(), slow.end(), h) != slow.end();
    links.push_back({hosts.back(), "", h < 3 ? "s0" : "s1", "", Link(is_slow ? 25 : h == 5 ? 400 : 100)});
  }
  links.push_back({"s0", "", "s1", "", Link(400)});
  Scenario s = ScenarioOf(BuildCustom(hosts, {"s0", "s1"}, links));
  MakeTight(s);
  for (SwitchParameters& sw : s.switches) sw.latency = Time{};
  return s;
}
constexpr NodeId kS0 = 6, kS1 = 7;
constexpr uint16_t kTrunk = 3;

/// Runs it and checks what must always hold: every pause that was sent has causes, and their shares sum to 1.
RunRecord RunWithCauses(const Scenario& s) {
  RunRecord r = Checked(s);
  std::map<uint32_t, double> sums;
  for (const PauseCause& c : r.pause_causes) {
    EXPECT_GT(c.share, 0);
    sums[c.pause] += c.share;
  }
  size_t sent = 0;
  for (uint32_t i = 0; i < r.pauses.size(); ++i) {
    const bool tx = r.pauses[i].direction == PauseRecord::Direction::tx;
    sent += tx;
    EXPECT_EQ(sums.count(i), tx ? 1u : 0u) << i;
    EXPECT_NEAR(sums[i], tx ? 1 : 0, 1e-9) << i;
  }
  EXPECT_GT(sent, 0u);
  return r;
}

/// The share of each root in the time for which `node` paused its peer at `port`.
std::map<PauseRoot, double> RootsAt(const RunRecord& r, NodeId node, uint16_t port) {
  std::map<PauseRoot, double> ps;
  double all = 0;
  for (const PauseCause& c : r.pause_causes) {
    const PauseRecord& p = r.pauses[c.pause];
    if (p.node != node || p.port != port) continue;
    const double weight = c.share * static_cast<double>((std::min(p.end, r.end) - p.start).v);
    ps[c.root] += weight;
    all += weight;
  }
  for (auto& [root, share] : ps) share /= all;
  return ps;
}

double ShareOf(const std::map<PauseRoot, double>& roots, Kind kind, NodeId node, uint16_t port,
               int tag = -1) {
  double sum = 0;
  for (const auto& [root, share] : roots) {
    if (root.kind == kind && root.node == node && root.port == port && (tag < 0 || root.tag == tag))
      sum += share;
  }
  return sum;
}

TEST(PauseCauses, an_incast_has_the_queue_towards_its_receiver_as_root_at_every_switch) {
  // h0 and h1 send to h3, whose line has 25 Gb/s: s1 pauses s0 between the switches, and s0 pauses both
  // hosts. The line between the switches is faster than the arriving traffic.
  InChild([] {
    Scenario s = TwoSwitches({3});
    s.workloads = {One("incast", 0, 3, 2'000'000), One("incast", 1, 3, 2'000'000)};
    const RunRecord r = RunWithCauses(s);
    EXPECT_NEAR(ShareOf(RootsAt(r, kS1, kTrunk), Kind::queue, kS1, 0), 1, 1e-6);
    for (const uint16_t host : {0, 1}) {
      const auto roots = RootsAt(r, kS0, host);
      EXPECT_GT(ShareOf(roots, Kind::queue, kS1, 0), 0.95) << host;
      // The rest are frames that leave s0 between two pauses.
      EXPECT_NEAR(ShareOf(roots, Kind::queue, kS1, 0) + ShareOf(roots, Kind::queue, kS0, kTrunk), 1, 1e-3);
    }
  });
}

TEST(PauseCauses, a_victim_contributes_nothing) {
  // h2's frames to h5 wait in the same queue between the switches; they leave s1 at once.
  InChild([] {
    Scenario s = TwoSwitches({3});
    s.workloads = {One("incast", 0, 3, 2'000'000), One("incast", 1, 3, 2'000'000),
                   One("victim", 2, 5, 2'000'000)};
    const RunRecord r = RunWithCauses(s);
    const auto roots = RootsAt(r, kS1, kTrunk);
    const double incast = ShareOf(roots, Kind::queue, kS1, 0, 1) + ShareOf(roots, Kind::queue, kS1, 0, 2);
    EXPECT_NEAR(incast, 1, 1e-3);
    EXPECT_LT(ShareOf(roots, Kind::queue, kS1, 2), 1e-3);
    // It is nevertheless paused, and not because of its own traffic.
    const auto victim = RootsAt(r, kS0, 2);
    ASSERT_FALSE(victim.empty());
    EXPECT_GT(ShareOf(victim, Kind::queue, kS1, 0), 0.9);
    EXPECT_EQ(ShareOf(victim, Kind::queue, kS1, 0, 3), 0);
    EXPECT_NEAR(ShareOf(victim, Kind::queue, kS1, 0) + ShareOf(victim, Kind::queue, kS0, kTrunk), 1, 1e-3);
  });
}

TEST(PauseCauses, two_directions_of_a_link_have_nothing_to_do_with_each_other_unless_frames_say_so) {
  // s1 pauses s0 because of h3's queue, s0 pauses s1 because of h1's, across the same line.
  InChild([] {
    Scenario s = TwoSwitches({1, 3});
    s.workloads = {One("there", 0, 3, 2'000'000), One("back", 4, 1, 2'000'000)};
    const RunRecord r = RunWithCauses(s);
    EXPECT_NEAR(ShareOf(RootsAt(r, kS1, kTrunk), Kind::queue, kS1, 0, 1), 1, 1e-3);
    EXPECT_NEAR(ShareOf(RootsAt(r, kS0, kTrunk), Kind::queue, kS0, 1, 2), 1, 1e-3);
    EXPECT_GT(ShareOf(RootsAt(r, kS0, 0), Kind::queue, kS1, 0, 1), 0.9);
    EXPECT_GT(ShareOf(RootsAt(r, kS1, 1), Kind::queue, kS0, 1, 2), 0.9);
  });
}

TEST(PauseCauses, two_roots_share_a_pause_as_their_bytes_fill_the_group) {
  // Both lines are permanently blocked. 8 frames of 1086 B from h0, with 6 cells of 208 B each, go to h2. The
  // rest of the group waits for h3, and nothing changes during the pause.
  InChild([] {
    Scenario s = StormStar(4, {});
    MakeTight(s);
    s.duration = s.deadline = Milliseconds(1);
    PortBlockedFault to_h3 = Blocked(Time{}, Milliseconds(2));
    to_h3.port = 3;
    s.faults = {Blocked(Time{}, Milliseconds(2)), to_h3};
    s.workloads = {One("few", 0, 2, 8 * 1024), One("many", 0, 3, 1'000'000)};
    const RunRecord r = RunWithCauses(s);
    const auto roots = RootsAt(r, kSwitch, 0);
    const auto whole = static_cast<double>(At(r, kSwitch, 0).peak_group.v);
    const auto cell = s.switches[0].buffer.cell.v;
    // The first has a RETH of 16 B.
    const auto few =
        static_cast<double>(((1086 + 16 + cell - 1) / cell + 7 * ((1086 + cell - 1) / cell)) * cell);
    EXPECT_NEAR(ShareOf(roots, Kind::blocked, kSwitch, 2, 1), few / whole, 0.002);
    EXPECT_NEAR(ShareOf(roots, Kind::blocked, kSwitch, 3, 2), 1 - few / whole, 0.002);
  });
}

TEST(PauseCauses, equal_flows_to_equal_queues_are_to_blame_for_a_half_each) {
  // There are two lines of 25 Gb/s, each of which receives 50 Gb/s to the end of the run. Their frames
  // alternate: of 17, the fewest that wait in a group of 20 kB while it pauses, one queue may have nine.
  InChild([] {
    Scenario s = TwoSwitches({3, 4});
    s.workloads = {One("a", 0, 3, 20'000'000), One("b", 0, 4, 20'000'000)};
    s.duration = s.deadline = Milliseconds(2);
    const RunRecord r = RunWithCauses(s);
    const auto roots = RootsAt(r, kS1, kTrunk);
    EXPECT_NEAR(ShareOf(roots, Kind::queue, kS1, 0, 1), 0.5, 9.0 / 17 - 0.5);
    EXPECT_NEAR(ShareOf(roots, Kind::queue, kS1, 1, 2), 0.5, 9.0 / 17 - 0.5);
  });
}

TEST(PauseCauses, a_storm_is_the_root_of_what_waits_behind_it) {
  InChild([] {
    Scenario s = TwoSwitches({});
    s.workloads = {One("a", 0, 3, 2'000'000)};
    s.faults = {StormFrom(3, Time{}, Milliseconds(3))};
    s.duration = s.deadline = Milliseconds(2);
    const RunRecord r = RunWithCauses(s);
    EXPECT_NEAR(ShareOf(RootsAt(r, 3, 0), Kind::storm, 3, 0), 1, 1e-9);
    EXPECT_GT(ShareOf(RootsAt(r, kS1, kTrunk), Kind::storm, 3, 0, 1), 0.99);
    EXPECT_GT(ShareOf(RootsAt(r, kS0, 0), Kind::storm, 3, 0, 1), 0.99);
  });
}

TEST(PauseCauses, a_slow_receiver_is_the_root_of_what_waits_behind_it) {
  // The host has 1 Gb/s of 100: the line to it is paused for 99 % of the time.
  InChild([] {
    Scenario s = TwoSwitches({});
    s.workloads = {One("a", 0, 3, 500'000)};
    s.nics[3].rx_buffer = RxBufferParameters{Bytes(200'000), Bytes(100'000), Bytes(50'000)};
    SlowReceiverFault slow;
    slow.host = 3;
    slow.rate = GigabitsPerSecond(1);
    s.faults = {slow};
    const RunRecord r = RunWithCauses(s);
    EXPECT_NEAR(ShareOf(RootsAt(r, 3, 0), Kind::receiver, 3, 0), 1, 1e-9);
    EXPECT_GT(ShareOf(RootsAt(r, kS1, kTrunk), Kind::receiver, 3, 0, 1), 0.95);
    EXPECT_GT(ShareOf(RootsAt(r, kS0, 0), Kind::receiver, 3, 0, 1), 0.95);
  });
}

TEST(PauseCauses, a_deadlock_is_a_cycle) {
  // Each link of a ring of five carries its own host's traffic and through traffic.
  InChild([] {
    std::vector<std::string> hosts, switches;
    std::vector<CustomLink> links;
    for (int i = 0; i < 5; ++i) {
      hosts.push_back("h" + std::to_string(i));
      switches.push_back("s" + std::to_string(i));
      links.push_back({hosts.back(), "", switches.back(), "", Link(100)});
    }
    for (size_t i = 0; i < 5; ++i) links.push_back({switches[i], "", switches[(i + 1) % 5], "", Link(100)});
    Scenario s = ScenarioOf(BuildCustom(hosts, switches, links));
    MakeTight(s);
    ListArrivals a;
    for (NodeId h = 0; h < 5; ++h) a.messages.push_back({Time{}, h, (h + 2) % 5, Bytes(20'000'000), {}});
    s.workloads = {WorkloadOf("round", a)};
    const RunRecord r = RunWithCauses(s);
    ASSERT_EQ(r.status, RunStatus::deadlock);
    // The cause of the hosts' pauses is the same.
    for (NodeId sw = 5; sw < 10; ++sw) {
      const auto roots = RootsAt(r, sw, 0);
      EXPECT_GT(ShareOf(roots, Kind::cycle, 5, 1, 1), 0.99) << sw;
    }
  });
}

TEST(PauseCauses, a_lossy_class_beside_has_no_part_in_it) {
  // The traffic fills the same line towards h3.
  InChild([] {
    Scenario s = TwoSwitches({3});
    s.workloads = {One("lossless", 0, 3, 2'000'000), One("lossy", 1, 3, 2'000'000, 0)};
    const RunRecord r = RunWithCauses(s);
    for (const PauseCause& c : r.pause_causes) EXPECT_NE(c.root.tag, 2);
    EXPECT_NEAR(ShareOf(RootsAt(r, kS1, kTrunk), Kind::queue, kS1, 0, 1), 1, 1e-6);
  });
}

TEST(PauseCauses, groups_and_queues_of_other_numbers_than_the_priority_are_followed) {
  // In SONiC's maps priority 3 is group 4 at its ingress, and queue 5 at its egress.
  InChild([] {
    Scenario s = TwoSwitches({3});
    s.workloads = {One("incast", 0, 3, 2'000'000), One("incast", 1, 3, 2'000'000)};
    for (SwitchParameters& sw : s.switches) {
      PortQos q = QosOfClasses(s.classes, sw.ecn);
      q.tc_to_group[3] = 4;
      q.tc_to_queue[3] = 5;
      q.pfc_to_group[3] = 4;
      q.pfc_to_queue[3] = 5;
      sw.qos.assign(4, q);
    }
    const RunRecord r = RunWithCauses(s);
    const auto roots = RootsAt(r, kS0, 0);
    EXPECT_GT(ShareOf(roots, Kind::queue, kS1, 0), 0.9);
    for (const auto& [root, unused] : roots) EXPECT_EQ(root.queue, 5);
  });
}

TEST(PauseCauses, a_port_of_a_chassis_is_a_root_too) {
  InChild([] {
    Scenario s = TwoSwitches({3});
    s.workloads = {One("incast", 0, 3, 2'000'000), One("incast", 1, 3, 2'000'000)};
    s.switches[1].chassis.emplace();
    const RunRecord r = RunWithCauses(s);
    EXPECT_GT(ShareOf(RootsAt(r, kS1, kTrunk), Kind::queue, kS1, 0), 0.95);
  });
}

TEST(PauseCauses, frames_of_services_are_told_apart) {
  // Two services have the same hosts.
  InChild([] {
    Scenario s = StorageStar(3, 1, Blocks(65'536, 0, 8));
    MakeTight(s);
    StorageParameters other = s.services[0].As<StorageParameters>();
    other.name = "other";
    s.services.push_back(other);
    WorkloadParameters more = s.workloads[0];
    more.name = "more";
    more.arrivals.As<IoArrivals>().service = 1;
    s.workloads.push_back(more);
    const RunRecord r = RunWithCauses(s);
    std::map<std::string, double> by;
    for (const PauseCause& c : r.pause_causes) by[SenderName(s, c.root.tag)] += c.share;
    // The workloads themselves send nothing, and equal services send equal traffic.
    EXPECT_EQ(by.count("disks") + by.count("more"), 0u);
    EXPECT_GT(by["store"], 0);
    EXPECT_NEAR(by["store"] / (by["store"] + by["other"]), 0.5, 0.1);
    EXPECT_EQ(by.count(""), 0u);
  });
}

TEST(PauseCauses, change_nothing_else) {
  const auto run = [](bool causes) {
    return TextFromChild([causes] {
      Scenario s = TwoSwitches({1, 3});
      s.observe.causes = causes;
      s.workloads = {One("there", 0, 3, 2'000'000), One("back", 5, 1, 2'000'000)};
      const RunRecord r = Checked(s);
      EXPECT_EQ(r.pause_causes.empty(), !causes);
      return RecordText(r);
    });
  };
  EXPECT_EQ(run(true), run(false));
}

TEST(PauseCauses, are_the_same_every_time) {
  const auto run = [] {
    return TextFromChild([] {
      Scenario s = TwoSwitches({3, 4});
      s.workloads = {One("a", 0, 3, 2'000'000), One("b", 1, 4, 2'000'000)};
      std::string text;
      for (const PauseCause& c : Checked(s).pause_causes)
        text += fmt::format("{} {} {} {} {} {} {}\n", c.pause, PauseRootName(c.root.kind), c.root.node,
                            c.root.port, c.root.queue, c.root.tag, c.share);
      return text;
    });
  };
  EXPECT_EQ(run(), run());
}

}  // namespace
}  // namespace headroom::pause_causes_test
