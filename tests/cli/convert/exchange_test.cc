// Conversion of other tools' files, in both directions.
#include "cli/convert/exchange.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "files/staged_directory.h"
#include "scenario/hpcc/hpcc_files.h"
#include "scenario/read/load.h"
#include "support/shared_data.h"
#include "workload/types/list.h"

namespace headroom::exchange_test {
namespace {

namespace fs = std::filesystem;

class ExchangeTest : public ::testing::Test {
 protected:
  ExchangeTest() : folder_(fs::temp_directory_path() / ("headroom-exchange-" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~ExchangeTest() override { fs::remove_all(folder_); }

  fs::path File(const std::string& name, const std::string& text) const {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path;
  }
  static std::string Read(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  template <class F>
  static std::string MessageOf(const F& action) {
    try {
      action();
    } catch (const std::exception& e) {
      const std::string text = e.what();
      return text.substr(text.find_last_of('/') + 1);
    }
    return "no error";
  }

  const fs::path folder_;
};

const std::string kStar = R"(
name: star
duration: 1ms
topology: {type: star, hosts: 3, link: {rate: 12.5Gbps, delay: 15500ps, phy: 100ns, loss: 1/1000}}
workloads: [{name: w, type: permutation, size: 1MB}]
)";

TEST_F(ExchangeTest, TopologyAsTheHpccSimulatorReadsIt) {
  const Scenario s = LoadScenarioText(kStar, "star.yaml", ".");
  // A bit waits for 15.5 ns of propagation and 100 ns of transceivers.
  EXPECT_EQ(
      HpccTopologyOf(s).text,
      "4 1 3\n3\n0 3 12500Mbps 115500ps 0.001\n1 3 12500Mbps 115500ps 0.001\n2 3 12500Mbps 115500ps 0.001\n");
}

TEST_F(ExchangeTest, TopologySaysWhatIsNotInIt) {
  const auto notes = [&](const std::string& more) {
    return HpccTopologyOf(LoadScenarioText(kStar + more, "star.yaml", ".")).notes;
  };
  using testing::ElementsAre, testing::HasSubstr;
  EXPECT_THAT(
      notes("switches: [{match: '*', latency: 5us}]\nfaults: [{type: mark, link: [h0, s0], packets: [0]}]\n"),
      ElementsAre(HasSubstr("the switches' latency (5us) is left out"), HasSubstr("faults"),
                  HasSubstr("config.txt")));
  EXPECT_THAT(notes("switches: [{match: '*', latency: 0ns}]\n"), ElementsAre(HasSubstr("config.txt")));
}

TEST_F(ExchangeTest, TopologyThereAndBackIsTheSame) {
  // There are switches between hosts, and a link from a switch to itself is removed twice: ids must not
  // change.
  const std::string text =
      "5 2 4\n1 3\n0 1 100Gbps 1000ns 0\n1 3 400Gbps 5us 0.5\n3 2 40Gbps 1ns 0\n4 3 100Gbps 0ns 0\n";
  File("t.txt", text);
  File("f.txt", "1\n0 2 3 100 1000 0\n");
  const Scenario s = LoadScenarioText(
      "name: x\nduration: 1ms\ntopology: {type: hpcc, file: t.txt}\nnics: [{match: \"*\", generation: "
      "hpcc-sim}]\npriorities: {p: {priority: 3, lossless: "
      "true}}\n"
      "workloads: [{name: w, type: hpcc, file: f.txt}]\n",
      "x.yaml", folder_);
  EXPECT_EQ(
      HpccTopologyOf(s).text,
      "5 2 4\n1 3\n0 1 100Gbps 1000ns 0\n1 3 400Gbps 5000ns 0.5\n3 2 40Gbps 1ns 0\n4 3 100Gbps 0ns 0\n");
}

TEST_F(ExchangeTest, ThePublicFatTreeSurvives) {
  const fs::path fat = SharedData("hpcc/fat.txt");
  if (fat.empty()) GTEST_SKIP() << "the data are not at hand";
  const Scenario s = LoadScenarioText("name: x\nduration: 1ms\ntopology: {type: hpcc, file: " + fat.string() +
                                          "}\nnics: [{match: \"*\", generation: hpcc-sim}]\nworkloads: "
                                          "[{name: w, type: permutation, size: 1MB}]\n",
                                      "x.yaml", folder_);
  File("again.txt", HpccTopologyOf(s).text);
  const CustomSpec first = ReadHpccTopology(fat, {}), second = ReadHpccTopology(folder_ / "again.txt", {});
  EXPECT_EQ(first.hosts, second.hosts);
  EXPECT_EQ(first.switches, second.switches);
  ASSERT_EQ(first.links.size(), 480u);
  ASSERT_EQ(second.links.size(), 480u);
  for (size_t i = 0; i < first.links.size(); ++i) {
    EXPECT_EQ(first.links[i].a, second.links[i].a);
    EXPECT_EQ(first.links[i].b, second.links[i].b);
    EXPECT_EQ(first.links[i].spec, second.links[i].spec);
  }
}

class ResultTest : public ExchangeTest {
 protected:
  /// There are three messages: 12 µs, unfinished, 2.0005 µs.
  fs::path Result() const {
    File("r/resolved.yaml", kStar);
    File(
        "r/summary.json",
        R"({"scenario": "star", "seed": 1, "status": "complete", "messages": {"w": {"offered": 2, "warmup_offered": 1}}})");
    File("r/messages.csv",
         "id,workload,src,dst,scope,priority,verb,bytes,start_ns,delivered_ns,completed_ns,ideal_ns,slowdown,"
         "finished,"
         "marked_packets,retransmitted_packets\n"
         "w/h0/0,w,h0,h2,rack,3,write,1000,5000000000.125,,5000012000.125,1000.000,12.0,1,0,0\n"
         "w/h0/1,w,h0,h2,rack,3,write,9,5000000001.000,,,1000.000,,0,0,0\n"
         "w/h1/0,w,h1,h0,rack,0,write,7,5000000001.000,,5000002001.500,900.400,2.0,1,0,0\n");
    return folder_ / "r";
  }
};

TEST_F(ResultTest, FlowsInTheOrderOfTheirStartsToThePicosecond) {
  EXPECT_EQ(HpccFlowsOf(Result()).text,
            "3\n0 2 3 100 1000 5.000000000125\n0 2 3 100 9 5.000000001000\n1 0 0 100 7 5.000000001000\n");
}

TEST_F(ResultTest, FlowsSayThatReadsAreTheirData) {
  const fs::path result = Result();
  std::string text = Read(result / "messages.csv");
  text.replace(text.find("rack,3,write,1000"), 17, "rack,3,read,1000");
  File("r/messages.csv", text);
  EXPECT_THAT(HpccFlowsOf(result).notes,
              testing::ElementsAre("1 READs become flows of the data that they read; the READ requests "
                                   "are left out"));
}

TEST_F(ResultTest, CompletionsInTheOrderOfTheirEnds) {
  // Node 1 is 0b000101. The second flow of a pair has the next port, even if the first is unfinished.
  const Converted out = HpccCompletionsOf(Result());
  EXPECT_EQ(out.text,
            "0b000101 0b000001 10000 100 7 5000000001 2001 900\n"
            "0b000001 0b000201 10000 100 1000 5000000000 12000 1000\n");
  ASSERT_EQ(out.notes.size(), 1u);
  EXPECT_EQ(out.notes[0], "1 unfinished messages are left out: the format has no place for them");
}

TEST_F(ResultTest, SeveralSeedsAreRefusedWithOneToTake) {
  fs::create_directories(folder_ / "s/seed-1");
  EXPECT_NE(MessageOf([&] { HpccFlowsOf(folder_ / "s"); }).find("seed-1"), std::string::npos);
}

TEST_F(ExchangeTest, CompletionTimesBecomeAResult) {
  // Node 0x0123 = 291 has the address 0b012301; 300 µs where 100 µs is ideal.
  const fs::path fct = File("fct.txt", "0b012301 0b000101 10000 100 4000 2000000000 300000 100000\n");
  ResultOfHpccCompletions(fct, "flows", folder_ / "theirs", false);
  EXPECT_EQ(Read(folder_ / "theirs/messages.csv"),
            "id,workload,src,dst,scope,priority,verb,bytes,start_ns,delivered_ns,completed_ns,ideal_ns,"
            "slowdown,finished,"
            "marked_packets,retransmitted_packets\n"
            "flows/n291/"
            "0,flows,n291,n1,region,0,write,4000,2000000000.000,,2000300000.000,100000.000,3.000000,1,0,0\n");
  const auto summary = nlohmann::json::parse(Read(folder_ / "theirs/summary.json"));
  EXPECT_EQ(summary["messages"]["flows"]["completion_us"]["p50"], 300.0);
  EXPECT_EQ(summary["messages"]["flows"]["slowdown"]["max"], 3.0);
  EXPECT_FALSE(summary.contains("pfc")) << "nobody measured that";
  EXPECT_THROW(ResultOfHpccCompletions(fct, "flows", folder_ / "theirs", false), ResultError);
}

TEST_F(ExchangeTest, WrongCompletionTimesAreFoundByLine) {
  const std::string good = "0b000001 0b000101 10000 100 4000 1 2 3\n";
  const auto wrong = [&](const std::string& line) {
    return MessageOf(
        [&] { ResultOfHpccCompletions(File("fct.txt", good + line), "w", folder_ / "r", false); });
  };
  EXPECT_EQ(wrong("0b000001 0b000101 10000 100 4000 1 2\n").substr(0, 34),
            "fct.txt:2:1: 7 values are in the l");
  EXPECT_EQ(wrong("0a000001 0b000101 1 1 4000 1 2 3\n").substr(0, 44),
            "fct.txt:2:1: \"0a000001\" is not the address o");
  const std::string flow = "0b000001 0b000101 10000 100 ";
  EXPECT_EQ(wrong(flow + "4000 1 0 3\n"),
            "fct.txt:2:1: fct_ns is 0, but a flow takes time; allowed: 1 to 1000000000000000");
  EXPECT_EQ(wrong(flow + "4000 1 2 0\n"),
            "fct.txt:2:1: alone_ns is 0, but a flow takes time; allowed: 1 to 1000000000000000");
  EXPECT_EQ(wrong(flow + "0 1 2 3\n"), "fct.txt:2:1: \"0\" is out of range; allowed: 1 to 1125899906842624");
  EXPECT_FALSE(fs::exists(folder_ / "r"));
}

TEST_F(ExchangeTest, HpccFilesMakeAScenario) {
  const fs::path topology = File("in/t.txt", "3 1 2\n2\n0 2 100Gbps 1000ns 0\n1 2 100Gbps 1000ns 0\n");
  const fs::path flows = File("in/f.txt", "2\n0 1 3 100 4000 2.0\n1 0 3 100 4000 2.5\n");
  const Converted out = ScenarioOfHpcc(topology, flows, folder_ / "their incast.yaml");
  const Scenario s = LoadScenarioText(out.text, "x.yaml", folder_);
  EXPECT_EQ(s.name, "their-incast");  // names may not contain blanks
  EXPECT_EQ(LoadScenarioText(ScenarioOfHpcc(topology, flows, "/dev/null").text, "x.yaml", "/dev").name,
            "null");
  EXPECT_NE(ScenarioOfHpcc(topology, flows, "x.yaml").text.find("name: x\n"), std::string::npos)
      << "a file in the current folder";
  ASSERT_EQ(out.notes.size(), 1u);
  EXPECT_NE(out.notes[0].find("KMIN_MAP"), std::string::npos) << "nobody should take PFC alone for DCQCN";
  EXPECT_EQ(s.topology.links.size(), 2u);
  EXPECT_GT(s.duration, Milliseconds(500));  // the second flow starts half a second after the first
}

TEST_F(ExchangeTest, HpccFilesThatMakeNoScenarioAreRefusedByLine) {
  const std::string topology = "4 1 3\n3\n0 3 100Gbps 1us 0\n1 3 100Gbps 1us 0\n2 3 100Gbps 1us 0\n";
  const std::string flows = "1\n0 1 3 100 4000 2.0\n";
  const auto wrong = [&](const std::string& t, const std::string& f) {
    return MessageOf([&] { ScenarioOfHpcc(File("t.txt", t), File("f.txt", f), folder_ / "x.yaml"); });
  };
  const auto replaced = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_EQ(wrong(topology, flows), "no error");
  EXPECT_EQ(wrong(replaced(topology, "4 1 3", "4 1 4") + "0 3 100Gbps 1us 0\n", flows),
            "t.txt:6:1: a second link of host \"n0\" is not supported yet; give each host exactly one link");
  EXPECT_EQ(wrong(replaced(topology, "4 1 3", "4 1 2"), flows), "t.txt:1:1: host \"n2\" has no link");
  EXPECT_EQ(wrong(replaced(topology, "1us 0", "1us 0 7"), flows),
            "t.txt:3:1: 6 values are in the line; expected: src dst rate delay error_rate");
  const auto notes = [&](const std::string& t, const std::string& f) {
    return ScenarioOfHpcc(File("t.txt", t), File("f.txt", f), folder_ / "x.yaml").notes;
  };
  EXPECT_EQ(notes(topology, flows).size(), 1u);
  EXPECT_EQ(notes(topology + "0 3 100Gbps 1us 0\n", flows + flows).size(), 3u);
  EXPECT_EQ(wrong(topology, replaced(flows, "2.0", "2.0 9")),
            "f.txt:2:1: 7 values are in the line; expected: src dst priority_group dst_port size_bytes "
            "start_s");
  EXPECT_EQ(wrong(topology, replaced(flows, "0 1", "0 3")), "f.txt:2:1: \"n3\" is a switch, not a host");
}

/// A fat tree of k = 4 in htsim's format.
const std::string kTree =
    "# sixteen hosts\nNodes 16\nTiers 3\nPodsize 4\n\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down "
    "2\nRadix_Up 2\n"
    "Downlink_Latency_ns 1000\n\nTier 1\nDownlink_speed_Gbps 100\nRadix_Down 2\nRadix_Up "
    "2\nDownlink_Latency_ns 700\n"
    "Switch_Latency_ns 300\n\nTier 2\nDownlink_speed_Gbps 100\nRadix_Down 4\nDownlink_Latency_ns 500\n";

class HtsimTest : public ExchangeTest {
 protected:
  Scenario Loaded(const std::string& tree, const std::string& matrix) const {
    const Converted out = ScenarioOfHtsim(File("t.topo", tree), File("m.cm", matrix), "");
    return LoadScenarioText(out.text, "x.yaml", folder_);
  }
  std::string Wrong(const std::string& tree, const std::string& matrix) const {
    return MessageOf([&] { Loaded(tree, matrix); });
  }
  static std::string Replaced(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  }
};

const std::string kOne = "Nodes 16\nConnections 1\n0->15 id 1 start 2500 size 4000\n";

TEST_F(HtsimTest, FatTreeWithItsCores) {
  const Scenario s = Loaded(kTree, kOne);
  EXPECT_EQ(s.topology.hosts, 16u);
  EXPECT_EQ(s.topology.nodes.size(), 16u + 8 + 8 + 4);
  EXPECT_EQ(s.topology.links.size(), 16u + 8 * 2 + 8 * 2);
  // Aggregation switch 5 is the second of its pod: it has cores 1 and 1 + 2.
  std::vector<std::string> cores;
  for (const TopologyLink& link : s.topology.links) {
    if (s.topology.nodes[link.a.node].name == "agg5") cores.push_back(s.topology.nodes[link.b.node].name);
  }
  EXPECT_EQ(cores, (std::vector<std::string>{"core1", "core3"}));
  EXPECT_EQ(s.topology.links.front().spec.delay, Microseconds(1));
  EXPECT_EQ(s.topology.links[16].spec.delay, Nanoseconds(700));
  EXPECT_EQ(s.topology.links.back().spec.delay, Nanoseconds(500));
  EXPECT_EQ(s.switches[0].latency, Time{});
  EXPECT_EQ(s.switches[8].latency, Nanoseconds(300));
}

TEST_F(HtsimTest, TwoTiersAreOnePod) {
  const std::string tree =
      "Nodes 32\nTiers 2\nPodsize 32\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down 8\nRadix_Up "
      "2\nDownlink_Latency_ns 1000\n"
      "Oversubscribed 4\nTier 1\nDownlink_speed_Gbps 100\nRadix_Down 4\nDownlink_Latency_ns 1000\n";
  // 32 hosts at 100 Gb/s, with a fourth of their rate upwards: 8 uplinks, 4 for each spine: 2 spines, 4 ToRs.
  const Scenario s = Loaded(tree, "Nodes 32\nConnections 1\n0->31 start 0 size 1\n");
  EXPECT_EQ(s.topology.nodes.size(), 32u + 4 + 2);
  EXPECT_EQ(s.topology.links.size(), 32u + 4 * 2);
}

TEST_F(HtsimTest, BundlesAreParallelLinks) {
  const std::string tree = Replaced(Replaced(kTree, "Radix_Down 4", "Radix_Down 8"),
                                    "Downlink_Latency_ns 500", "Downlink_Latency_ns 500\nBundle 2");
  // Cores have 8 ports in bundles of two: there are two cores, and each aggregation switch has two links to
  // one.
  const Scenario s = Loaded(tree, kOne);
  EXPECT_EQ(s.topology.nodes.size(), 16u + 8 + 8 + 2);
  EXPECT_EQ(s.topology.links.size(), 16u + 8 * 2 + 8 * 2);
}

TEST_F(HtsimTest, ConnectionsStartAtPicoseconds) {
  const Scenario s =
      Loaded(kTree, "Nodes 16\nConnections 2\n0->15 id 1 start 2500 size 4000\n3->4 start 1 size 7 prio 3\n");
  const auto& list = s.workloads[0].arrivals.As<ListArrivals>();
  ASSERT_EQ(list.messages.size(), 2u);
  EXPECT_TRUE(s.workloads[0].qp_per_message);
  EXPECT_EQ(s.name, "htsim-import");
  EXPECT_GT(s.duration, Picoseconds(2500));
}

TEST_F(HtsimTest, NumbersAreReadUpToThePoint) {
  const Scenario s = Loaded(kTree, "Nodes 16\nConnections 1\n0->15 start 2500.000 size 4000.0\n");
  const auto& list = s.workloads[0].arrivals.As<ListArrivals>();
  EXPECT_EQ(list.messages.at(0).at, Picoseconds(2500));
  EXPECT_EQ(list.messages.at(0).size, Bytes(4000));
  EXPECT_EQ(Wrong(kTree, "Nodes 16\nConnections 1\n0->15 start 0.5 size 1\n"),
            "m.cm:3:1: start \"0.5\" is not a whole number; give start in whole picoseconds");
}

TEST_F(HtsimTest, PrioritiesAreNamed) {
  const auto notes = [&](const std::string& connections) {
    return ScenarioOfHtsim(File("t.topo", kTree), File("m.cm", "Nodes 16\n" + connections), "").notes;
  };
  const auto one = notes("Connections 2\n0->15 start 0 size 1 prio 3\n3->4 start 0 size 7\n");
  ASSERT_EQ(one.size(), 2u);
  EXPECT_EQ(one[1], "prio of 1 connection is left out: all connections have one traffic class");
  EXPECT_EQ(notes("Connections 1\n0->15 id 1 start 0 size 1\n").size(), 1u);
}

TEST_F(HtsimTest, SlipsAreNamed) {
  const std::string head = "Nodes 16\nConnections 1\n";
  EXPECT_EQ(Wrong(kTree, head + "7->7 start 0 size 1\n"),
            "m.cm:3:1: \"7->7\": the host sends to itself; two hosts");
  EXPECT_EQ(Wrong(kTree, head + "0->1 start -5 size 1\n"),
            "m.cm:3:1: start \"-5\" is a negative number; allowed: whole numbers from 0");
  EXPECT_EQ(Wrong(kTree, head + "0->1 start 0 sizee 1\n"),
            "m.cm:3:1: unknown key \"sizee\"; allowed: id, start, size, prio; did you mean \"size\"?");
  EXPECT_THAT(Wrong(kTree, "nodes 16\n"), testing::EndsWith("; did you mean \"Nodes\"?"));
  EXPECT_THAT(Wrong(kTree + "Radix_Upp 2\n", kOne), testing::EndsWith("; did you mean \"Radix_Up\"?"));
  EXPECT_EQ(Wrong(Replaced(kTree, "Latency_ns 500", "Latency_ns -500"), kOne),
            "t.topo:22:1: Downlink_Latency_ns \"-500\" is a negative number; allowed: whole numbers from 0");
}

/// Input that the loader refuses, such as a boolean as a name, is refused before a file is written.
TEST_F(HtsimTest, WritesWhatLoads) {
  EXPECT_THAT(MessageOf([&] { ScenarioOfHtsim(File("t.topo", kTree), File("m.cm", kOne), "true.yaml"); }),
              testing::HasSubstr("\"true\" is a boolean, not a name"));
}

TEST_F(HtsimTest, WhatHasNoMeaningHereIsRefusedByName) {
  const std::string endless =
      "; allowed: size from 1 byte; for an endless flow use a workload of type "
      "stream";
  EXPECT_EQ(Wrong(kTree, "Nodes 16\nConnections 1\n0->1 id 1 trigger 1 size 7\n"),
            "m.cm:3:1: \"trigger\": connections that wait for other connections are not supported; "
            "allowed: id, start, size, prio; start is a time in picoseconds");
  EXPECT_EQ(Wrong(kTree, "Nodes 16\nConnections 1\n0->1 start 0 size 0\n"),
            "m.cm:3:1: size is 0, but endless connections are not supported" + endless);
  EXPECT_EQ(Wrong(kTree, "Nodes 16\nConnections 1\n0->1 start 0\n"),
            "m.cm:3:1: size is missing, but endless connections are not supported" + endless);
  EXPECT_EQ(Wrong(kTree, "Failures 1\n"),
            "m.cm:1:1: failures are not supported in this file; give them under faults: of the scenario");
  EXPECT_EQ(Wrong(kTree, "Nodes 16\nConnections 2\n0->1 start 0 size 7\n"),
            "m.cm:2:1: the line Connections announces 2, but the file has 1");
  EXPECT_EQ(Wrong(kTree, "Connections 1\n0->1 start 0 size 7\n"),
            "m.cm:2:1: a connection stands before Nodes; a connection matrix must begin with Nodes and "
            "Connections");
  EXPECT_EQ(Wrong(kTree, "Nodes 16\n0->1 start 0 size 7\n"),
            "m.cm:2:1: a connection stands before Connections; a connection matrix must begin with Nodes and "
            "Connections");
  EXPECT_EQ(Wrong(kTree, "Nodes 16\nConnections 1\nConnections 1\n0->1 start 0 size 7\n"),
            "m.cm:3:1: Connections appears twice; first in line 2");
  EXPECT_EQ(Wrong(kTree, "Nodes 32\n"),
            "m.cm:1:1: the connection matrix has 32 nodes, but the topology has 16");
  EXPECT_EQ(Wrong(kTree + "Queue_Size 7\n", kOne).substr(0, 37), "t.topo:23:1: unknown key \"Queue_Size\"");
  EXPECT_EQ(Wrong(Replaced(kTree, "Podsize 4", "Podsize 5"), kOne),
            "t.topo: hosts in pods: 16 is not a multiple of 5");
  EXPECT_EQ(Wrong(Replaced(kTree, "Radix_Down 4", ""), kOne).substr(0, 7), "t.topo:");
}

TEST_F(ExchangeTest, CsvBecomesWorkloads) {
  const fs::path csv =
      File("m.csv", "src, dst ,bytes,start_us,note\r\nh0,h1,4000,2.5,x\r\n\r\nh1,h2,1,0,\r\n");
  EXPECT_EQ(
      WorkloadsOfCsv(csv).text,
      "# From m.csv; include it in a scenario.\nworkloads:\n  - name: messages\n    type: list\n    "
      "messages:\n"
      "      - {at: 2500ns, from: h0, to: h1, size: 4000B}\n      - {at: 0ns, from: h1, to: h2, size: 1B}\n");
}

TEST_F(ExchangeTest, CsvOfASpreadsheetMayBeginWithAByteOrderMark) {
  EXPECT_EQ(WorkloadsOfCsv(File("m.csv", "\xEF\xBB\xBFsrc,dst,bytes,start_us\nh0,h1,4,0\n")).text,
            WorkloadsOfCsv(File("m.csv", "src,dst,bytes,start_us\nh0,h1,4,0\n")).text);
}

TEST_F(ExchangeTest, CsvWithWorkloadsKeepsThemApart) {
  const fs::path csv =
      File("m.csv", "start_ns,workload,src,dst,bytes\n0.125,a,h0,h1,1\n0,b,h0,h1,2\n1,a,h1,h0,3\n");
  const std::string text = WorkloadsOfCsv(csv).text;
  const Scenario s = LoadScenarioText(
      "name: x\nduration: 1ms\ntopology: {type: star, hosts: 2, link: {rate: 1Gbps, delay: 1us}}\n" + text,
      "x.yaml", ".");
  ASSERT_EQ(s.workloads.size(), 2u);
  EXPECT_EQ(s.workloads[0].arrivals.As<ListArrivals>().messages.size(), 2u);
}

TEST_F(ExchangeTest, CsvMayNameVerbs) {
  const Converted out =
      WorkloadsOfCsv(File("m.csv", "src,dst,bytes,start_us,verb,id\nh0,h1,4000,0,read,7\n"));
  EXPECT_NE(out.text.find("    type: list\n    verb: read\n"), std::string::npos) << out.text;
  EXPECT_EQ(out.notes, std::vector<std::string>{"ignored columns: id"});
}

TEST_F(ExchangeTest, CsvWithAnotherHeaderIsNotMissingItsColumns) {
  const auto wrong = [&](const std::string& header) {
    return MessageOf([&] { WorkloadsOfCsv(File("m.csv", header + "\nh0,h1,4,0\n")); });
  };
  const std::string columns =
      "; expected: the columns src, dst, bytes and one of start_ns, start_us, start_ms, start_s; "
      "workload and verb are optional, and other columns are ignored";
  EXPECT_EQ(wrong("\"src\",\"dst\",\"bytes\",\"start_us\""),
            "m.csv:1:1: quoted fields are not supported; write names and numbers without quotes");
  EXPECT_EQ(wrong("src, Dst,bytes,start_us"),
            "m.csv:1:6: \"Dst\" is not the name of a column" + columns + "; did you mean \"dst\"?");
  EXPECT_EQ(wrong("src,dst,bytes,Start_US"), "m.csv:1:15: \"Start_US\" is not the name of a column" +
                                                 columns + "; did you mean \"start_us\"?");
}

/// A scenario takes each file that `convert` writes.
TEST_F(ExchangeTest, CsvWithNamesThatNoScenarioTakesIsRefused) {
  const auto wrong = [&](const std::string& row) {
    return MessageOf([&] { WorkloadsOfCsv(File("m.csv", "src,dst,bytes,start_us,workload,verb\n" + row)); });
  };
  EXPECT_EQ(wrong("h0,h1,4,0,w,wrote\n"),
            "m.csv:2:13: \"wrote\" is not an allowed value; allowed: write, write_with_imm, send, "
            "send_with_imm, send_with_invalidate, read; did you mean \"write\"?");
  const std::string boolean =
      " is a boolean, not a name; allowed: 1 to 64 letters, digits, underscores and hyphens";
  EXPECT_EQ(wrong("h0,h1,4,0,true,write\n"), "m.csv:2:11: \"true\"" + boolean);
  EXPECT_EQ(wrong("h0,False,4,0,w,write\n"), "m.csv:2:4: \"False\"" + boolean);
  const std::string text =
      WorkloadsOfCsv(File("m.csv", "src,dst,bytes,start_us,workload\nnull,---,4,0,null\n-,null,4,0,-\n"))
          .text;
  const Scenario s = LoadScenarioText(
      "topology: {type: star, hosts: [\"null\", \"---\", \"-\"], link: {rate: 1Gbps, delay: 1us}}\n" + text,
      "x.yaml", ".");
  EXPECT_EQ(s.workloads.at(0).name, "null");
  EXPECT_EQ(s.workloads.at(1).name, "-");
}

TEST_F(ExchangeTest, WrongCsvIsFoundByLine) {
  const auto wrong = [&](const std::string& text) {
    return MessageOf([&] { WorkloadsOfCsv(File("m.csv", text)); });
  };
  const std::string head = "src,dst,bytes,start_us\n";
  EXPECT_EQ(wrong("src,dst,bytes\n").substr(0, 42), "m.csv:1:1: there is no column start_ns; ex");
  EXPECT_EQ(wrong("src;dst;bytes;start_us\n"),
            "m.csv:1:1: the fields are separated by ';', but a CSV file has commas; separate the fields "
            "by commas");
  EXPECT_EQ(wrong(head + "h0,h1,4\n"), "m.csv:2:1: the line has 3 fields, but the header has 4");
  EXPECT_EQ(wrong(head + "h0,\"h1\",4,0\n"),
            "m.csv:2:4: quoted fields are not supported; write names and numbers without quotes");
  EXPECT_THAT(wrong(head + "h 0,h1,4,0\n"), testing::StartsWith("m.csv:2:1: \"h 0\" is not a name; "));
  EXPECT_EQ(wrong(head), "m.csv:1:1: the file has no line with a message");
  EXPECT_EQ(wrong("src,dst,bytes,start_us,verb\nh0,h1,4,0,read\nh0,h1,4,0,write\n"),
            "m.csv:3:1: workload messages has messages with read and with write, but a workload has one "
            "verb");
  EXPECT_NE(wrong(head + "h0,h1,4,soon\n"), "no error");
  EXPECT_EQ(wrong(head + "h0,h1,0,1\n"), "m.csv:2:7: \"0\" is out of range; allowed: 1 to 1125899906842624");
  const std::string bare = "; give a bare number in us, 0 or more, such as 2.5";
  EXPECT_EQ(wrong(head + "h0,h1,4,-1\n"), "m.csv:2:9: \"-1\" is negative" + bare);
  for (const char* time : {"nan", "5us", "1e3", "soon", "inf", ".5"})
    EXPECT_EQ(wrong(head + "h0,h1,4, " + time + '\n'),
              fmt::format("m.csv:2:10: \"{}\" is not a time{}", time, bare));
  EXPECT_EQ(wrong(head + "h0,h1,4,0.0000001\n"),
            "m.csv:2:9: \"0.0000001\" is finer than the smallest unit; give a time as a multiple of 1 ps");
  EXPECT_EQ(wrong(head + "h0,h1,4,86400000001\n"),
            "m.csv:2:9: \"86400000001\" is out of range; allowed: up to 86400s");
}

}  // namespace
}  // namespace headroom::exchange_test
