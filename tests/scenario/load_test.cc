// The meaning of scenario files: defaults, matches, includes, sets, and which of several errors is reported.
#include "scenario/read/load.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "dcqcn/generations.h"
#include "switch/buffer/profiles.h"
#include "workload/types/incast.h"
#include "workload/types/list.h"
#include "workload/types/permutation.h"

namespace headroom::load_test {
namespace {

const std::string kGood = std::string(HEADROOM_SOURCE_DIR) + "/tests/scenario/good";
const std::string kStar = "topology: {type: star, hosts: 4, link: {rate: 100Gbps, length: 3m}}\n";
const std::string kPermutation = "workloads: [{name: perm, type: permutation, size: 2MB}]\n";

Scenario Load(const std::string& text, const std::vector<std::string>& sets = {}) {
  return LoadScenarioText(text, "test.yaml", kGood, sets);
}

std::string ErrorOf(const std::string& text, const std::vector<std::string>& sets = {}) {
  try {
    Load(text, sets);
  } catch (const ScenarioError& e) {
    return e.what();
  }
  return "";
}

TEST(Load, defaults) {
  const Scenario s = Load(kStar + kPermutation);
  EXPECT_EQ(s.name, "test");
  EXPECT_EQ(s.seed, 1u);
  EXPECT_EQ(s.duration, Milliseconds(10));
  EXPECT_EQ(s.deadline, Milliseconds(100));
  EXPECT_EQ(s.mtu, 1024);
  EXPECT_EQ(s.frames, FrameFormat{});
  EXPECT_EQ(s.classes[3].name, "storage");
  EXPECT_TRUE(s.classes[3].lossless);
  EXPECT_EQ(s.classes[6].dscp, 48);
  EXPECT_TRUE(s.classes[6].strict);
  EXPECT_EQ(s.cnp_priority, 6);
  ASSERT_EQ(s.switches.size(), 1u);
  EXPECT_EQ(s.switches[0].buffer, FindBufferProfile("azure-24mb").value());
  EXPECT_FALSE(s.switches[0].ecn[3]);
  EXPECT_EQ(s.switches[0].latency, Nanoseconds(500));
  ASSERT_EQ(s.nics.size(), 4u);
  EXPECT_EQ(s.nics[0].dcqcn, FindGeneration("dcqcn-paper")->dcqcn);
  EXPECT_EQ(s.workloads[0].priority, 3);
  EXPECT_EQ(s.workloads[0].qps_per_pair, 1);
  EXPECT_FALSE(s.workloads[0].qp_per_message);
  EXPECT_EQ(s.topology.links[0].spec.delay, Nanoseconds(15));
}

/// Rates of the links of each host, in Gbit/s.
std::vector<double> HostRates(const Scenario& s) {
  std::vector<double> rates;
  for (size_t i = 0; i < s.topology.hosts; ++i)
    rates.push_back(static_cast<double>(s.topology.links[i].spec.rate.v) / 1e9);
  return rates;
}

TEST(Load, links_of_one_kind_may_differ_and_key_by_key_the_last_match_wins) {
  const Scenario s = LoadScenario(kGood + "/two_speeds.yaml");
  EXPECT_EQ(HostRates(s), (std::vector<double>{100, 100, 100, 25, 25, 25, 25, 25}));
  EXPECT_EQ(s.topology.links[1].spec, (LinkSpec{GigabitsPerSecond(100), Nanoseconds(150), Time(), 1e-6}));
  EXPECT_EQ(s.topology.links[7].spec,
            (LinkSpec{GigabitsPerSecond(25), Nanoseconds(25), Nanoseconds(120), 0}));
  // leaf0 to spine0 and spine1, then leaf1's links
  EXPECT_EQ(s.topology.links[8].spec, (LinkSpec{GigabitsPerSecond(400), Nanoseconds(200), Time(), 0}));
  EXPECT_EQ(s.topology.links[9].spec.rate, GigabitsPerSecond(200));
  EXPECT_EQ(s.topology.links[10].spec.rate, GigabitsPerSecond(400));
  EXPECT_EQ(s.topology.links[11].spec.rate, GigabitsPerSecond(200));
  EXPECT_EQ(s.observe.queues->match, (std::vector<std::string>{"leaf1:p0", "spine*"}));
}

TEST(Load, an_entry_of_links_is_set_by_its_match_or_number) {
  const std::string text =
      "topology: {type: star, hosts: 4, link: [{match: \"*\", rate: 100Gbps, length: 3m}, {match: \"h[01]\", "
      "rate: 25Gbps}]}\n" +
      kPermutation;
  EXPECT_EQ(HostRates(Load(text, {"topology.link.h[01].rate=10Gbps"})),
            (std::vector<double>{10, 10, 100, 100}));
  EXPECT_EQ(HostRates(Load(text, {"topology.link.0.rate=40Gbps"})), (std::vector<double>{25, 25, 40, 40}));
}

TEST(Load, patterns_of_a_key_for_several_tiers_are_for_all_of_them) {
  const Scenario s = LoadScenario(kGood + "/fat_tree_rules.yaml");
  EXPECT_EQ(HostRates(s), (std::vector<double>{100, 25}));
  EXPECT_EQ(s.topology.links.back().spec.delay, Microseconds(10));
}

TEST(Load, a_custom_topology_takes_numbers_of_nodes_and_patterns_at_one_end) {
  const Scenario s = LoadScenario(kGood + "/custom_patterns.yaml");
  EXPECT_EQ(HostRates(s), (std::vector<double>{100, 100, 100, 100, 25, 25, 25, 25}));
  ASSERT_EQ(s.topology.links.size(), 10u);
  const auto name = [&](const LinkEnd& end) { return s.topology.nodes[end.node].name + ":" + end.port; };
  EXPECT_EQ(name(s.topology.links[5].a), "s1:p1");
  EXPECT_EQ(name(s.topology.links[5].b), "h5:p0");
  EXPECT_EQ(name(s.topology.links[9].a), "s1:up");
  EXPECT_EQ(name(s.topology.links[9].b), "s2:p1");
}

TEST(Load, a_pattern_leaves_out_the_node_that_it_is_linked_to) {
  const Scenario s = Load(
      "topology: {type: custom, hosts: [a, b], switches: [t0], links: [{ends: [\"*\", t0], rate: 1Gbps, "
      "length: "
      "1m}]}\n" +
      kPermutation);
  EXPECT_EQ(s.topology.links.size(), 2u);
}

TEST(Load, a_named_profile_takes_another_alpha_and_fields_of_its_tables) {
  const BufferParameters b = LoadScenario(kGood + "/changed_profile.yaml").switches[0].buffer;
  EXPECT_EQ(b.profile, "azure-24mb");
  EXPECT_EQ(b.pools[0].size, Bytes(17'000'000));
  EXPECT_EQ(b.pools[0].xoff, Bytes(6'000'000));
  const Rate rate = GigabitsPerSecond(100);
  const BufferProfile near = ProfileAtPort(b, *FindProfile(b, "ingress_lossless"), rate, Nanoseconds(15));
  EXPECT_EQ(near.dynamic_th, -2);
  EXPECT_EQ(near.xoff, Bytes(96'928));  // from the row for 5 m
  EXPECT_EQ(near.xon, Bytes(2496));
  EXPECT_EQ(near.xon_offset, Bytes(2496));
  // A user's own row is unchanged: no row by speed and length replaces its xoff.
  EXPECT_EQ(GroupProfileName(b, "p3", 3, true), "far");
  EXPECT_EQ(GroupProfileName(b, "p2", 3, true), "ingress_lossless");
  EXPECT_EQ(ProfileAtPort(b, *FindProfile(b, "far"), rate, Nanoseconds(15)).xoff, Bytes(300'000));
  EXPECT_EQ(FindProfile(b, "egress_lossy")->static_th, Bytes(1'000'000));
  EXPECT_FALSE(FindProfile(b, "egress_lossy")->dynamic_th);
}

TEST(Load, a_named_profile_of_another_size_keeps_the_shares_of_its_pools) {
  const auto buffer_of = [](const char* set) {
    return LoadScenario(kGood + "/smallest.yaml", {std::string("switches.\"*\".buffer=") + set})
        .switches[0]
        .buffer;
  };
  const BufferParameters as_published = buffer_of("{profile: azure-24mb}");
  const BufferParameters four =
      buffer_of("{profile: azure-24mb, size: 96MB, tables: {BUFFER_POOL: {ingress_pool: {xoff: 5MB}}}}");
  EXPECT_EQ(four.size, Bytes(96'000'000));
  for (size_t i = 0; i < four.pools.size(); ++i)
    EXPECT_EQ(four.pools[i].size.v, 4 * as_published.pools[i].size.v);
  EXPECT_EQ(four.pools[0].xoff, Bytes(5'000'000));
  for (size_t i = 0; i < four.profiles.size(); ++i) {
    BufferProfile wanted = as_published.profiles[i];
    if (wanted.static_th) wanted.static_th->v *= 4;
    EXPECT_EQ(four.profiles[i], wanted) << wanted.name;
  }
}

TEST(Load, what_is_said_of_a_named_profile_holds_at_every_speed) {
  const auto buffer = [](const std::string& keys) {
    return Load(kStar + "switches: [{match: s0, buffer: {" + keys + "}}]\n" + kPermutation)
        .switches[0]
        .buffer;
  };
  const auto at = [](const BufferParameters& b, int64_t gbps) {
    return ProfileAtPort(b, *FindProfile(b, b.lossless_group), GigabitsPerSecond(gbps), Microseconds(1));
  };
  const BufferParameters deep = buffer("profile: azure-deep, alpha: 1/8");
  EXPECT_EQ(at(deep, 100).dynamic_th, -3);
  EXPECT_EQ(at(deep, 400).dynamic_th, -3);
  EXPECT_EQ(at(deep, 400).xon_offset, Bytes(1'454'025));
  const BufferParameters hpcc =
      buffer("profile: hpcc, size: 16MiB, tables: {BUFFER_PROFILE: {ingress_lossless: {xoff: 50KB}}}");
  EXPECT_EQ(at(hpcc, 100).xoff, Bytes(50'000));
  EXPECT_EQ(at(hpcc, 400).dynamic_th, -1);
  EXPECT_EQ(hpcc.pools[0].size, Kibibytes(16 * 1024));
}

TEST(Load, the_default_duration_reaches_the_last_arrival) {
  EXPECT_EQ(
      Load(kStar + "workloads: [{name: a, type: incast, to: h0, size: 1KB, repeat: {every: 3ms, count: 6}}]")
          .duration,
      Milliseconds(15) + Time(1));
  EXPECT_EQ(
      Load(kStar + "workloads: [{name: a, type: incast, to: h0, size: 1KB, repeat: {every: 1ms, count: 6}}]")
          .duration,
      Milliseconds(10));
}

TEST(Load, the_vendors_names_and_units) {
  // us, 64 B, Mb/s, kept parts of 1024. 1024 − 1020 = 4: g = 1/256.
  const Scenario s = LoadScenario(kGood + "/vendor.yaml", {});
  EXPECT_EQ(s.nics[0].dcqcn, FindGeneration("connectx-default")->dcqcn);
  EXPECT_EQ(s.nics[1].dcqcn.np.min_cnp_interval, Microseconds(50));
  const RpParameters& p = s.nics[1].dcqcn.rp;
  EXPECT_EQ(p.machine, RpParameters::Machine::vendor);
  EXPECT_TRUE(p.clamp_target);
  EXPECT_FALSE(p.clamp_after_time_increase);
  EXPECT_EQ(p.increase_timer, Microseconds(55));
  EXPECT_EQ(p.byte_counter, Bytes(64'000));
  EXPECT_EQ(p.fast_recovery, 5);
  EXPECT_EQ(p.max_rate, GigabitsPerSecond(50));
  EXPECT_EQ(p.rate_ai, MegabitsPerSecond(40));
  EXPECT_EQ(p.rate_hai, MegabitsPerSecond(200));
  EXPECT_EQ(p.cut_shift, 10);
  EXPECT_EQ(p.least_kept, 70);
  EXPECT_EQ(p.min_rate, MegabitsPerSecond(10));
  EXPECT_EQ(p.rate_on_first_cnp, GigabitsPerSecond(30));
  EXPECT_EQ(p.g, 1.0 / 256);
  EXPECT_EQ(p.alpha_timer, Microseconds(55));
  EXPECT_EQ(p.reduce_window, Microseconds(50));
  EXPECT_EQ(p.initial_alpha, 1000);
  const RpParameters& paper = s.nics[2].dcqcn.rp;
  EXPECT_EQ(paper.machine, RpParameters::Machine::paper);
  EXPECT_EQ(paper.g, 1.0 / 256);
  EXPECT_EQ(paper.alpha_timer, Microseconds(10));
  EXPECT_EQ(paper.byte_counter, Bytes(0));
}

TEST(Load, the_last_match_wins_key_by_key) {
  const Scenario s = Load(kStar + kPermutation + R"(
nics:
  - {match: "*", generation: gen2, tx_latency: 5ns, dcqcn: {rp: {g: 1/64, rate_ai: 50Mbps}}}
  - {match: [h1, h2], generation: gen1}
  - {match: "h[2-9]", dcqcn: {rp: {g: 1/16}}}
)");
  EXPECT_EQ(s.nics[0].generation, "gen2");
  EXPECT_EQ(s.nics[0].dcqcn.rp.g, 1.0 / 64);
  EXPECT_EQ(s.nics[1].generation, "gen1");
  EXPECT_EQ(s.nics[1].dcqcn.rp.g, 1.0 / 64);
  EXPECT_EQ(s.nics[1].tx_latency, Nanoseconds(5));
  EXPECT_EQ(s.nics[1].transport.recovery_delay, FindGeneration("gen1")->recovery_delay);
  EXPECT_EQ(s.nics[2].dcqcn.rp.g, 1.0 / 16);
  EXPECT_EQ(s.nics[2].dcqcn.rp.rate_ai, MegabitsPerSecond(50));
  EXPECT_EQ(s.nics[2].dcqcn.limiter, FindGeneration("gen1")->dcqcn.limiter);
  EXPECT_EQ(s.nics[3].generation, "gen2");
}

TEST(Load, buffers_and_ecn_curves_are_replaced_whole) {
  const Scenario s = LoadScenario(kGood + "/region.yaml");
  const auto find = [&](const std::string& name) {
    for (size_t n = s.topology.hosts; n < s.topology.nodes.size(); ++n)
      if (s.topology.nodes[n].name == name) return s.switches[n - s.topology.hosts];
    throw std::runtime_error(name);
  };
  EXPECT_EQ(find("rh-0").buffer.profile, "azure-deep");
  EXPECT_EQ(find("rh-0").latency, Microseconds(2));
  EXPECT_TRUE(find("rh-0").ecn[3]);
  EXPECT_FALSE(find("dc1-c0-r0-t0").ecn[3]);
  EXPECT_FALSE(find("dc1-c0-r0-t0").pfc.enabled);
  EXPECT_EQ(find("dc0-c0-r0-t0").ecn[3]->kmax, Kilobytes(2000));
}

TEST(Load, patterns_leave_out_the_only_target) {
  const Scenario s = Load(kStar + "workloads: [{name: b, type: incast, size: 1MB, to: h2}]");
  const auto& incast = s.workloads[0].arrivals.As<IncastArrivals>();
  EXPECT_EQ(incast.from, (std::vector<NodeId>{0, 1, 3}));
  EXPECT_EQ(incast.to, std::vector<NodeId>{2});
  EXPECT_EQ(incast.fan_in, 0);
}

TEST(Load, hpcc_files) {
  const Scenario s = LoadScenario(kGood + "/hpcc.yaml");
  EXPECT_EQ(s.topology.hosts, 3u);
  EXPECT_EQ(s.topology.nodes[3].name, "n3");
  EXPECT_EQ(s.topology.links[1].spec.delay, Microseconds(1));
  EXPECT_EQ(s.frames.Ack(), Bytes(60));
  EXPECT_EQ(s.frames.Data(1000, true), Bytes(1048));
  EXPECT_EQ(s.switches[0].buffer, HpccBuffer(Bytes(2 << 20)));
  const WorkloadParameters& w = s.workloads[0];
  EXPECT_TRUE(w.qp_per_message);
  const auto& list = w.arrivals.As<ListArrivals>();
  ASSERT_EQ(list.messages.size(), 2u);
  EXPECT_EQ(list.messages[0].at, Time(0));
  EXPECT_EQ(list.messages[1].at, Microseconds(500));  // from the first arrival
  EXPECT_EQ(list.messages[1].priority, uint8_t{3});
}

TEST(Load, includes_merge_and_the_including_file_wins) {
  const Scenario s = LoadScenario(kGood + "/trees.yaml");
  EXPECT_EQ(s.topology.hosts, 16u);  // a topology of another type replaces the included one
  EXPECT_EQ(s.duration, Milliseconds(2));
  EXPECT_EQ(s.nics[0].generation, "gen1");
  EXPECT_EQ(s.nics[1].generation, "gen3");
  ASSERT_EQ(s.workloads.size(), 2u);
  EXPECT_EQ(s.workloads[0].arrivals.As<IncastArrivals>().fan_in, 3);
  EXPECT_EQ(s.workloads[0].arrivals.As<IncastArrivals>().count, 4);
}

TEST(Load, sets_go_over_the_file) {
  const std::string text = kStar + kPermutation;
  EXPECT_EQ(Load(text, {"seed=7", "seed=8"}).seed, 8u);
  EXPECT_EQ(Load(text, {"workloads.perm.size=1KiB"}).workloads[0].arrivals.As<PermutationArrivals>().size,
            Bytes(1024));
  EXPECT_EQ(Load(text, {"nics.*.dcqcn.rp.g=1/64"}).nics[2].dcqcn.rp.g, 1.0 / 64);
  EXPECT_EQ(Load(text, {"switches.*.ecn.storage={kmin: 1MB, kmax: 2MB, pmax: 5%}"}).switches[0].ecn[3]->pmax,
            0.05);
  EXPECT_EQ(ErrorOf(text, {"workloads.perm.sise=1MB"}),
            "--set workloads.perm.sise=1MB: unknown key \"sise\"; allowed: name, type, enabled, verb, "
            "priority, register, "
            "qp, nic, size, at, "
            "hosts; did you mean \"size\"?");
  EXPECT_EQ(
      ErrorOf(text, {"topology.link.rate=100"}),
      "--set topology.link.rate=100: \"100\" has no unit; write a rate as a number and one of the units bps, "
      "Kbps, Mbps, "
      "Gbps, Tbps; did you mean \"100Gbps\"?");
}

TEST(Load, a_workload_that_is_not_enabled_is_checked_and_left_out) {
  const std::string both = kStar +
                           "workloads:\n"
                           "  - {name: a, type: permutation, size: 2MB, enabled: false}\n"
                           "  - {name: b, type: permutation, size: 1MB}\n";
  EXPECT_TRUE(Load(both) == Load(kStar + "workloads: [{name: b, type: permutation, size: 1MB}]\n"));
  ASSERT_EQ(Load(both, {"workloads.a.enabled=true"}).workloads.size(), 2u);
  EXPECT_EQ(Load(both, {"workloads.a.enabled=true"}).workloads[0].name, "a");
  EXPECT_EQ(ErrorOf(both, {"workloads.b.enabled=false"}),
            "test.yaml:3:3: no workload is enabled; remove enabled: false from at least one workload");
  EXPECT_EQ(ErrorOf(both, {"workloads.a.size=2"}).substr(0, 41),
            "--set workloads.a.size=2: \"2\" has no unit");
  EXPECT_EQ(ErrorOf(both, {"workloads.a.name=b"}), "test.yaml:4:12: a workload \"b\" exists already");
}

TEST(Load, a_leaf_may_have_several_links_to_a_spine) {
  const std::string text =
      "topology: {type: leaf_spine, leaves: 2, spines: 2, hosts_per_leaf: 2, links_per_spine: 3,\n"
      "           host_link: {rate: 25Gbps, length: 3m},\n"
      "           fabric_link: [{match: \"*\", rate: 100Gbps, length: 30m}, {match: \"leaf1:p3\", rate: "
      "40Gbps}]}\n" +
      kPermutation;
  const Topology t = Load(text).topology;
  EXPECT_EQ(t.links.size(), 4u + 2 * 2 * 3);
  std::map<int64_t, int> of_rate;
  for (const TopologyLink& link : t.links) ++of_rate[link.spec.rate.v];
  EXPECT_EQ(of_rate,
            (std::map<int64_t, int>{{25'000'000'000, 4}, {40'000'000'000, 1}, {100'000'000'000, 11}}));
}

TEST(Load, of_several_errors_the_first_in_the_file) {
  EXPECT_EQ(ErrorOf("sed: 1\n" + kStar + "mtu: x\n" + kPermutation).substr(0, 14), "test.yaml:1:1:");
  EXPECT_EQ(
      ErrorOf("workloads: [{name: p, type: permutation, size: 1}]\n" + kStar + "mtu: x\n").substr(0, 15),
      "test.yaml:1:48:");
}

TEST(Load, a_profile_that_tables_only_name_limits_nothing) {
  const Scenario s = Load(kStar + kPermutation + R"(
switches:
  - match: "*"
    buffer:
      size: 24MB
      tables:
        BUFFER_POOL: {ingress_lossless_pool: {type: ingress, mode: dynamic, size: 18000000, xoff: "6000000"}}
        BUFFER_PROFILE: {pg_lossless: {pool: ingress_lossless_pool, size: 1248, xoff: 96928, dynamic_th: "-3"}}
        BUFFER_PG: {"*|3-4": {profile: pg_lossless}}
        BUFFER_QUEUE: {"*|3": {profile: egress_lossless}}
)");
  const BufferParameters& buffer = s.switches[0].buffer;
  EXPECT_EQ(buffer.pools[0].xoff, Bytes(6'000'000));
  EXPECT_EQ(buffer.groups, (std::vector<BufferAssignment>{{"*", 3, 4, "pg_lossless"}}));
  ASSERT_EQ(buffer.profiles.size(), 3u);
  EXPECT_EQ(buffer.profiles[1].name, "egress_lossless");
  EXPECT_EQ(buffer.profiles[1].static_th, Bytes(24'000'000));
  EXPECT_EQ(buffer.lossy_group, "ingress_lossy");
}

TEST(Load, a_buffer_may_have_slices_limits_of_ports_and_an_asics_rules) {
  const Scenario s =
      LoadScenario(std::string(HEADROOM_SOURCE_DIR) + "/tests/scenario/good/divided_buffer.yaml", {});
  const BufferParameters& b = s.switches[0].buffer;
  EXPECT_EQ(b.asic, "th2");
  EXPECT_EQ(b.cell, Bytes(208));  // the family's value
  EXPECT_EQ(b.slices, 2);         // the family has 4
  EXPECT_FALSE(b.rules.reserved_off_ingress);
  EXPECT_EQ(b.port_ingress, (std::vector<PortProfiles>{{"p0", {"ingress_lossy_profile"}},
                                                       {"p1", {"ingress_lossy_profile"}}}));
  EXPECT_EQ(b.port_egress,
            (std::vector<PortProfiles>{{"*", {"egress_lossless_profile", "egress_lossy_profile"}}}));
  EXPECT_EQ(s.switches[1].buffer.slices, 3);
}

TEST(Load, what_does_not_fit_is_refused_before_it_is_built) {
  try {
    LoadScenarioText(
        "topology: {type: fat_tree, k: 100000, link: {rate: 100Gbps, length: 3m}}\n" + kPermutation, "x", ".",
        {}, {.memory = 1e9});
    FAIL();
  } catch (const ScenarioError& e) {
    EXPECT_NE(std::string(e.what()).find("the topology would take about"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("there is 1.0 GB"), std::string::npos) << e.what();
  }
}

TEST(Load, what_does_not_fit_is_told_at_the_key_that_makes_it_so) {
  const auto told = [](const std::string& k, const std::vector<std::string>& sets) -> std::string {
    try {
      LoadScenarioText(
          "topology: {type: fat_tree, k: " + k + ", link: {rate: 100Gbps, length: 3m}}\n" + kPermutation, "x",
          ".", sets, {.memory = 1e6});
    } catch (const ScenarioError& e) {
      return e.what();
    }
    return "";
  };
  const std::string file = told("1000", {}), set = told("4", {"topology.k=2000"});
  EXPECT_TRUE(file.starts_with("x:1:31: the topology would take about ")) << file;
  EXPECT_TRUE(set.starts_with("--set topology.k=2000: the topology would take about ")) << set;
  for (const std::string& text : {file, set})
    EXPECT_TRUE(text.ends_with("there is 1.0 MB: a smaller \"k\"")) << text;
}

TEST(Load, connections_that_do_not_fit_are_refused_at_the_service_that_makes_them) {
  try {
    LoadScenarioText(
        "duration: 1ms\ntopology: {type: star, hosts: 6, link: {rate: 100Gbps, length: 3m}}\n"
        "services: [{name: s, type: storage, compute: \"h[0-9]\", extent_nodes: \"h[0-9]?*\", front: "
        "{protocol: "
        "su_rdma}}]\nworkloads: [{name: w, type: io, service: s, depth: 1, blocks: [{size: 4KiB}]}]\n"
        "observe: {operations: none}\n",
        "x", ".", {"topology.hosts=300"}, {.memory = 8e6});
    FAIL();
  } catch (const ScenarioError& e) {
    const std::string text = e.what();
    EXPECT_TRUE(text.starts_with("x:3:12: the run would take about ")) << text;
    EXPECT_TRUE(text.ends_with(
        "for service s; there is 8.0 MB: give fewer hosts, connections or credits, or a lower rate"))
        << text;
  }
}

TEST(Load, a_folder_is_no_file) {
  const std::string text = kStar + "workloads: [{name: w, type: hpcc, file: /}]\n";
  try {
    LoadScenarioText(text, "x", ".");
    FAIL();
  } catch (const ScenarioError& e) {
    EXPECT_NE(std::string(e.what()).find("\"/\" is a folder; a file"), std::string::npos) << e.what();
  }
}

TEST(Load, a_thousand_hosts_are_estimated_below_100_mb) {
  const Scenario s =
      Load("topology: {type: fat_tree, k: 16, link: {rate: 100Gbps, length: 200m}}\n" + kPermutation);
  EXPECT_EQ(s.topology.hosts, 1024u);
}

}  // namespace
}  // namespace headroom::load_test
