// Hosts with several NICs, in complete runs: which links carry their messages.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "analysis/bounds/traffic_shares.h"
#include "report/summary/summary.h"
#include "run/run.h"
#include "scenario/read/load.h"
#include "support/in_child.h"

namespace headroom::rails_test {
namespace {

/// Eight hosts of eight NICs, one leaf for each rail. Every host sends one message on each of its queue pairs
/// to every other host.
Scenario EightHosts(const std::string& keys) {
  return LoadScenarioText(
      "name: rails\n"
      "duration: 1ms\n"
      "deadline: 50ms\n"
      "topology: {type: leaf_spine, leaves: 8, spines: 2, hosts_per_leaf: 8, nics: 8, attach: rails,\n"
      "           host_link: {rate: 100Gbps, length: 3m}, fabric_link: {rate: 400Gbps, length: 30m}}\n"
      "workloads:\n"
      "  - {name: all, type: stream, from: \"*\", to: \"*\", message: 4KB, in_flight: 64, stop: 100ns,\n"
      "     qp: {per_pair: 64}" +
          keys + "}\n",
      "rails.yaml", ".");
}

/// Payload bytes of the messages whose two NICs are at different leaves, and of all.
struct Payload {
  uint64_t over_spine = 0, all = 0;
};
Payload PayloadOf(const Scenario& s, const RunRecord& r) {
  Payload payload;
  for (const MessageRecord& m : r.messages) {
    payload.all += static_cast<uint64_t>(m.size.v);
    if (s.topology.nodes[m.src].nic != s.topology.nodes[m.dst].nic)
      payload.over_spine += static_cast<uint64_t>(m.size.v);
  }
  return payload;
}

/// Wire bytes that leaves received from spines, and that hosts received.
struct Bytes2 {
  uint64_t from_spines = 0, at_hosts = 0;
};
Bytes2 BytesOf(const Scenario& s, const RunRecord& r) {
  Bytes2 bytes;
  for (const PortRecord& port : r.ports) {
    for (const auto& c : port.priority) {
      if (s.topology.nodes[port.node].tier == "spine") bytes.from_spines += c.tx_bytes;
      if (s.topology.nodes[port.node].is_host) bytes.at_hosts += c.rx_bytes;
    }
  }
  return bytes;
}

TEST(Rails, StayOnTheirLeaves) {
  InChild([] {
    const Scenario s = EightHosts("");
    const RunRecord r = headroom::Run(s, {});
    EXPECT_EQ(r.status, RunStatus::complete);
    EXPECT_EQ(r.messages.size(), 8u * 7 * 64);
    EXPECT_EQ(PayloadOf(s, r).over_spine, 0u);
    EXPECT_EQ(BytesOf(s, r).from_spines, 0u);
    EXPECT_GT(BytesOf(s, r).at_hosts, 0u);
  });
}

TEST(Rails, AreUsedEquallyMuch) {
  // 64 queue pairs for each of 56 pairs of hosts, over 8 rails.
  InChild([] {
    const Scenario s = EightHosts("");
    std::map<uint16_t, int> messages;
    for (const MessageRecord& m : headroom::Run(s, {}).messages) ++messages[s.topology.nodes[m.src].nic];
    ASSERT_EQ(messages.size(), 8u);
    for (const auto& [rail, count] : messages) EXPECT_EQ(count, 56 * 8) << rail;
  });
}

TEST(Rails, AHashSendsSevenEighthsOverTheSpine) {
  // Of 8 × 8 pairs of NICs, 8 are on one leaf. 3,584 queue pairs draw theirs: the share has a deviation of
  // sqrt(7/64 / 3584) = 0.55 %.
  InChild([] {
    const Scenario s = EightHosts(", nic: hash");
    const RunRecord r = headroom::Run(s, {});
    EXPECT_EQ(r.status, RunStatus::complete);
    const Payload payload = PayloadOf(s, r);
    EXPECT_NEAR(static_cast<double>(payload.over_spine) / static_cast<double>(payload.all), 7.0 / 8, 0.0165);
    // The ports agree: messages of one size, so equally many bytes each, with their ACKs.
    const Bytes2 bytes = BytesOf(s, r);
    EXPECT_EQ(bytes.from_spines * payload.all, bytes.at_hosts * payload.over_spine);
  });
}

TEST(Rails, TakeEveryPairOfNicsInRoundRobinOrder) {
  InChild([] {
    const Scenario s = EightHosts(", nic: round_robin");
    const RunRecord r = headroom::Run(s, {});
    std::map<NodeId, int> sent;
    for (const MessageRecord& m : r.messages) ++sent[m.src];
    EXPECT_EQ(sent.size(), 64u);
    for (const auto& [nic, count] : sent) EXPECT_EQ(count, 7 * 8) << nic;
  });
}

TEST(Rails, OneNicMayCarryAll) {
  InChild([] {
    const Scenario s = EightHosts(", nic: 5");
    for (const MessageRecord& m : headroom::Run(s, {}).messages) {
      EXPECT_EQ(s.topology.nodes[m.src].name, HostName(s.topology.nodes[m.src].name) + "/n5");
      EXPECT_EQ(s.topology.nodes[m.dst].nic, 5);
    }
  });
}

TEST(Rails, ASummaryHasTheBytesOfEachRail) {
  InChild([] {
    const Scenario s = EightHosts("");
    const RunRecord r = headroom::Run(s, {});
    const auto summary = Summarise(s, r, {}, SIZE_MAX);
    ASSERT_EQ(summary.at("rails").size(), 8u);
    uint64_t received = 0;
    for (const auto& [rail, bytes] : summary.at("rails").items()) {
      EXPECT_EQ(bytes.at("nics"), 8) << rail;
      received += bytes.at("rx_bytes").get<uint64_t>();
    }
    EXPECT_EQ(received, BytesOf(s, r).at_hosts);
  });
}

TEST(Rails, ACheckKnowsWhichLinksCarryThem) {
  for (const auto& [keys, share] :
       {std::pair("", 0.0), std::pair(", nic: 3", 0.0), std::pair(", nic: hash", 7.0 / 8)}) {
    const Scenario s = EightHosts(keys);
    const Fabric fabric(s);
    const std::vector<double> crossings = ExpectedCrossings(SharesOf(s.workloads[0], fabric), fabric);
    double down = 0;
    for (size_t link = 0; link < s.topology.links.size(); ++link) {
      const TopologyLink& l = s.topology.links[link];
      if (s.topology.nodes[l.b.node].tier == "spine") down += crossings[2 * link + 1];
    }
    EXPECT_NEAR(down, share, share > 0 ? 0.0165 : 1e-12) << keys;
  }
}

TEST(Rails, NamedNicsAreTaken) {
  InChild([] {
    Scenario s = EightHosts("");
    s = LoadScenarioText(
        "name: named\nduration: 1ms\n"
        "topology: {type: star, hosts: 3, nics: 2, link: {rate: 100Gbps, length: 3m}}\n"
        "workloads:\n"
        "  - {name: w, type: list, messages: [{from: h0/n1, to: h2/n0, size: 1KB}, {from: h0/n0, to: h0/n1, "
        "size: 1KB}]}\n",
        "named.yaml", ".");
    const RunRecord r = headroom::Run(s, {});
    ASSERT_EQ(r.messages.size(), 2u);
    std::set<std::pair<std::string, std::string>> ends;
    for (const MessageRecord& m : r.messages)
      ends.emplace(s.topology.nodes[m.src].name, s.topology.nodes[m.dst].name);
    EXPECT_TRUE(ends.contains({"h0/n1", "h2/n0"}));
    EXPECT_TRUE(ends.contains({"h0/n0", "h0/n1"}));
  });
}

TEST(Rails, ASendersLoadIsAShareOfAllItsLines) {
  // Two NICs of 100 Gb/s at a load of 40 % are 80 Gb/s; with `nic: 1` one of them is used, at 40 Gb/s.
  for (const auto& [keys, gbps] : {std::pair("", 80.0), std::pair(", nic: 1", 40.0)}) {
    InChild([keys = keys, gbps = gbps] {
      const Scenario s = LoadScenarioText(
          std::string(
              "name: load\nduration: 2ms\n"
              "topology: {type: star, hosts: 4, nics: 2, link: {rate: 100Gbps, length: 3m}}\n"
              "workloads: [{name: w, type: poisson, from: h0, to: [h1, h2, h3], sizes: 10KB, load: 40%") +
              keys + "}]\n",
          "load.yaml", ".");
      double bits = 0;
      for (const MessageRecord& m : headroom::Run(s, {}).messages) bits += static_cast<double>(m.size.v) * 8;
      EXPECT_NEAR(bits / 2e-3 / 1e9, gbps, gbps * 0.15);
    });
  }
}

TEST(Rails, HostsOfAStarMayDiffer) {
  const Scenario s = LoadScenarioText(
      "name: stars\nduration: 1ms\n"
      "topology: {type: star, hosts: [a, b, c], nics: 2, link: {rate: 100Gbps, length: 3m}}\n"
      "hosts: [{match: b, nics: 1}, {match: c, nics: 3}]\n"
      "nics: [{match: \"*\", generation: gen2}, {match: c, generation: gen1}, {match: c/n1, generation: "
      "gen3}]\n"
      "workloads: [{name: w, type: permutation, size: 1KB}]\n",
      "star.yaml", ".");
  std::vector<std::string> names, generations;
  for (NodeId n = 0; n < s.topology.hosts; ++n) {
    names.push_back(s.topology.nodes[n].name);
    generations.push_back(s.nics[n].generation);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"a/n0", "a/n1", "b", "c/n0", "c/n1", "c/n2"}));
  EXPECT_EQ(generations, (std::vector<std::string>{"gen2", "gen2", "gen2", "gen1", "gen3", "gen1"}));
}

TEST(Rails, GpusSendToTheirHostOverItsNvswitch) {
  InChild([] {
    const Scenario s = LoadScenarioText(
        "name: gpus\nduration: 1ms\n"
        "topology: {type: leaf_spine, leaves: 2, spines: 1, hosts_per_leaf: 2, nics: 2, attach: rails,\n"
        "  host_link: {rate: 100Gbps, length: 3m}, fabric_link: {rate: 100Gbps, length: 3m},\n"
        "  nvlink: {rate: 2880Gbps, delay: 25ns}}\n"
        "workloads:\n"
        "  - {name: w, type: stream, from: \"h1/gpu*\", to: \"h1/gpu*\", message: 1MB, in_flight: 1, stop: "
        "1us}\n",
        "gpus.yaml", ".");
    const RunRecord r = headroom::Run(s, {});
    EXPECT_EQ(r.status, RunStatus::complete);
    EXPECT_GE(r.messages.size(), 2u);
    for (const PortRecord& port : r.ports) {
      const TopologyNode& node = s.topology.nodes[port.node];
      const bool inside = node.name.starts_with("h1/gpu") || node.name == "h1/nv0";
      for (const auto& c : port.priority) EXPECT_TRUE(inside || c.tx_bytes == 0) << node.name;
    }
  });
}

}  // namespace
}  // namespace headroom::rails_test
