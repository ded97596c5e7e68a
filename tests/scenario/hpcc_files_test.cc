#include "scenario/hpcc/hpcc_files.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "scenario/read/load.h"

namespace headroom::hpcc_files_test {
namespace {

namespace fs = std::filesystem;

class HpccFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = fs::path(::testing::TempDir()) /
            (std::string("headroom-hpcc-") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
  }
  void TearDown() override { fs::remove(path_); }

  template <class F>
  std::string ErrorOf(const std::string& text, F&& read) {
    std::ofstream(path_) << text;
    try {
      read(path_, Position{}, nullptr);
    } catch (const ScenarioError& e) {
      const std::string message = e.what();
      return message.starts_with(path_.string()) ? message.substr(path_.string().size()) : message;
    }
    return "no error";
  }

  fs::path path_;
};

TEST_F(HpccFiles, topology_errors_name_the_line) {
  const auto error = [&](const std::string& text) { return ErrorOf(text, ReadHpccTopology); };
  EXPECT_EQ(error(""), ":1:1: the file ends too early; expected: nodes switches links");
  EXPECT_EQ(error("3 1 2\n7\n"), ":2:1: \"7\" is out of range; allowed: 0 to 2");
  EXPECT_EQ(error("3 1 2\n2\n0 2 100Gbps 1us 0\n"),
            ":1:1: the line announces 2 links, but the file has 1; give their number, or the missing lines");
  EXPECT_EQ(error("3 1 1\n2\n0 0 100Gbps 1us 0\n"), ":3:1: \"n0\" has a link to itself");
  EXPECT_EQ(error("3 1 1\n2\n0 2 100Gbps 1us 1.5\n"),
            ":3:1: \"1.5\" is out of range; allowed: 0 or more, below 1");
  EXPECT_EQ(error("3 1 1\n2\n\n0 2 100Gps 1us 0\n").substr(0, 25), ":4:1: \"100Gps\" is not a r");
  EXPECT_EQ(error("3 1 1\n2\n0 2 100Gbps 1us 0\n"), ":1:1: host \"n1\" has no link");
  const std::string star = "2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n";
  EXPECT_EQ(error("3 1 2\n" + star), "no error");
  EXPECT_EQ(error("3 1 3\n" + star + "1 2 100Gbps 1us 0\n"),
            ":5:1: a second link of host \"n1\" is not supported yet; give each host exactly one link");
  EXPECT_EQ(error("3 1\n2\n"),
            ":1:1: 2 values are in the line; expected: nodes switches links; nodes switches tors links; "
            "or SimAI's nodes gpus_per_server nvswitches switches links gpu_type");
  EXPECT_EQ(error("3 1 2\n2\n0 2 25000000000.0Gps 1us 0\n").substr(0, 35),
            ":3:1: \"25000000000.0Gps\" is not a r");
  EXPECT_EQ(error("3 1 2\n2\n0 2 -25Gbps 1us 0\n"), ":3:1: \"-25Gbps\" is negative; 0 or more");
  EXPECT_EQ(error("3 1 2\n2\n0 2 100 1us 0\n"), ":3:1: \"100\" is out of range; allowed: 1Mbps to 100Tbps");
}

TEST_F(HpccFiles, flow_errors_name_the_line) {
  const auto error = [&](const std::string& text) { return ErrorOf(text, ReadHpccFlows); };
  EXPECT_EQ(error("1\n0 1 8 100 1 2\n"), ":2:1: \"8\" is out of range; allowed: 0 to 7");
  EXPECT_EQ(error("1\n0 1 3 100 0 2\n").substr(0, 26), ":2:1: \"0\" is out of range;");
  EXPECT_EQ(error("2\n0 1 3 100 1 2\n0 1 3 100 1 200000\n"),
            ":3:1: the flow starts more than a day after the first");
  EXPECT_EQ(error("1\n0 1 3 100 1 2.000000000\n"), "no error");
  EXPECT_EQ(error("1\n0 1 3 100 1 2e-6\n"), "no error");
  const std::string bare = "; give a bare number in s, 0 or more, such as 2.5";
  for (const char* start : {"1ms", "nan", "2s", "1e30us", "1e-3s", "inf"})
    EXPECT_EQ(error(std::string("1\n0 1 3 100 1 ") + start + '\n'),
              fmt::format(":2:1: \"{}\" is not a time{}", start, bare));
  EXPECT_EQ(error("1\n0 1 3 100 1 -1\n"), ":2:1: \"-1\" is negative" + bare);
  EXPECT_EQ(error("1\n0 1 3 100 1 1e30\n"), ":2:1: \"1e30\" is too large");
  EXPECT_EQ(error("1\n0 1 3 100 1 99999999999\n"), ":2:1: \"99999999999\" is too large");
}

TEST_F(HpccFiles, a_rate_without_bps_is_named_with_it) {
  for (const char* rate : {"25G", "400M", "1T"})
    EXPECT_THAT(ErrorOf(std::string("2 1 1\n1\n0 1 ") + rate + " 1us 0\n", ReadHpccTopology),
                testing::EndsWith(fmt::format("; did you mean \"{}bps\"?", rate)));
}

/// Rates and delays as ns-3 reads them: a bare rate is in bit/s, a bare delay in seconds.
TEST_F(HpccFiles, have_ns3s_units) {
  const auto link = [&](const std::string& rate, const std::string& delay) {
    std::ofstream(path_) << "2 1 1\n1\n0 1 " + rate + ' ' + delay + " 0\n";
    return ReadHpccTopology(path_, {}).links.at(0).spec;
  };
  for (const char* rate : {"25000000000.0", "25000000000", "2.5e10", "25Gbps", "25Gb/s", "25000Mb/s",
                           "3125MB/s", "3.125GBps", "25000000kbps"})
    EXPECT_EQ(link(rate, "1us").rate, GigabitsPerSecond(25)) << rate;
  for (const char* delay : {"1us", "0.001ms", "1000ns", "0.000001", "1e-6", "1e-06s"})
    EXPECT_EQ(link("25Gbps", delay).delay, Microseconds(1)) << delay;
}

/// First lines of simulators derived from the HPCC simulator.
TEST_F(HpccFiles, of_its_heirs_are_read_where_they_map) {
  const std::string links = "\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n";
  const auto read = [&](const std::string& head) {
    std::ofstream(path_) << head + links;
    HpccLeftOut left_out;
    EXPECT_EQ(ReadHpccTopology(path_, {}, &left_out).links.size(), 2u) << head;
    return left_out.size();
  };
  EXPECT_EQ(read("3 1 2"), 0u);
  EXPECT_EQ(read("3 1 1 2"), 1u);          // ns3-datacenter: number of ToRs
  EXPECT_EQ(read("3 1 1 2 100 100"), 2u);  // and capacities
  EXPECT_EQ(read("3 8 0 1 2 H100"), 1u);   // SimAI
  EXPECT_EQ(read("3 8 0 1 2 H100 8"), 1u);
  std::ofstream(path_) << "1\n0 1 3 1000 2.5e-3\n";  // ConWeave: without a port
  EXPECT_EQ(ReadHpccFlows(path_, {}).at(0).size, Bytes(1000));
}

/// Writes a topology as SimAI's generator does: GPUs, NVSwitches, leaves, spines.
struct SimaiShape {
  int gpus, leaves, spines, per_leaf, planes = 1;
  bool rails = true;
};
std::string SimaiTopology(const SimaiShape& shape) {
  constexpr int kGpus = 8;
  const int servers = shape.gpus / kGpus, switches = shape.leaves + shape.spines;
  const int first_leaf = shape.gpus + servers, first_spine = first_leaf + shape.leaves;
  std::string text, links;
  int count = 0;
  const auto add = [&](int a, int b, const char* rate) {
    links += fmt::format("{} {} {} 0.0005ms 0\n", a, b, rate);
    ++count;
  };
  for (int g = 0; g < shape.gpus; ++g) {
    add(g, shape.gpus + g / kGpus, "2880Gbps");
    const int segment = g / (kGpus * shape.per_leaf);
    const int leaf = shape.rails ? (segment * kGpus + g % kGpus) * shape.planes : g / shape.per_leaf;
    for (int p = 0; p < shape.planes; ++p) add(g, first_leaf + leaf + p, "200Gbps");
  }
  for (int l = 0; l < shape.leaves; ++l)
    for (int s = 0; s < shape.spines; ++s)
      if (l % shape.planes == s % shape.planes) add(first_leaf + l, first_spine + s, "400Gbps");
  for (int id = shape.gpus; id < first_spine + shape.spines; ++id) text += std::to_string(id) + " ";
  return fmt::format("{} 8 {} {} {} H100\n", first_spine + shape.spines, servers, switches, count) + text +
         "\n" + links;
}

/// Spectrum-X, HPN with two planes, and DCN+: SimAI's numbers of nodes and links.
TEST_F(HpccFiles, of_simai_have_its_nodes_and_links) {
  const std::tuple<SimaiShape, size_t, size_t> known[] = {{{4096, 64, 64, 64}, 4736, 12'288},
                                                          {{15'360, 240, 120, 128, 2}, 17'640, 60'480},
                                                          {{512, 8, 8, 64, 1, false}, 592, 1088}};
  for (const auto& [shape, nodes, links] : known) {
    std::ofstream(path_) << SimaiTopology(shape);
    const CustomSpec spec = ReadHpccTopology(path_, {});
    EXPECT_EQ(spec.hosts.size() + spec.switches.size(), nodes);
    EXPECT_EQ(spec.links.size(), links);
    EXPECT_EQ(spec.devices.size(), spec.hosts.size());
  }
}

TEST_F(HpccFiles, a_gpu_of_simai_sends_to_its_own_server_over_its_nvswitch) {
  std::ofstream(path_) << SimaiTopology({16, 8, 1, 2});
  const CustomSpec spec = ReadHpccTopology(path_, {});
  const Topology t = BuildCustom(spec.hosts, spec.switches, spec.links, {}, spec.devices);
  EXPECT_EQ(t.hosts, 32u);
  const SimaiEnds ends(t);
  EXPECT_TRUE(ends.SameServer("n0", "n7"));
  EXPECT_FALSE(ends.SameServer("n7", "n8"));
  const std::vector<int64_t> ids = HpccIdsOf(t);
  for (NodeId n = 0; n < 32; ++n) EXPECT_EQ(ids[n], n % 16);
}

TEST_F(HpccFiles, lines_below_those_announced_are_named) {
  const std::string name = path_.string();
  std::ofstream(path_) << "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n\n1 2 100Gbps 1us 0\n";
  HpccLeftOut left_out;
  ReadHpccTopology(path_, {}, &left_out);
  EXPECT_EQ(left_out,
            HpccLeftOut{name + ":6:1: a line beyond the 2 links that line 1 announces is left out"});
  std::ofstream(path_) << "1\n0 2 3 100 7 2\n0 2 3 100 7 2\nnot a flow\n";
  left_out.clear();
  EXPECT_EQ(ReadHpccFlows(path_, {}, &left_out).size(), 1u);
  EXPECT_EQ(left_out,
            HpccLeftOut{name + ":3:1: 2 lines beyond the 1 flows that line 1 announces are left out"});
}

TEST_F(HpccFiles, that_announce_more_than_they_have_say_so) {
  EXPECT_EQ(ErrorOf("\n30\n0 1 3 100 7 2\n\n1 0 3 100 7 2\n1 0 3 100 7 2\n", ReadHpccFlows),
            ":2:1: the line announces 30 flows, but the file has 3; give their number, or the missing lines");
  EXPECT_EQ(ErrorOf("3 1 4\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n", ReadHpccTopology),
            ":1:1: the line announces 4 links, but the file has 2; give their number, or the missing lines");
  EXPECT_EQ(
      ErrorOf("4 2 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n", ReadHpccTopology),
      ":1:1: the line announces 2 switches, but the file names 1 before its links; give their number, or "
      "the missing ids");
  EXPECT_EQ(
      ErrorOf("4 2 0\n2\n", ReadHpccTopology),
      ":1:1: the line announces 2 switches, but the file has 1; give their number, or the missing lines");
}

TEST_F(HpccFiles, of_the_simulator_itself) {
  const fs::path data = fs::path(HEADROOM_SOURCE_DIR) / "../shared/data/hpcc";
  if (!fs::exists(data)) GTEST_SKIP() << "the data are not at hand";
  const CustomSpec fat = ReadHpccTopology(data / "fat.txt", {});
  EXPECT_EQ(fat.hosts.size(), 320u);
  EXPECT_EQ(fat.switches.size(), 56u);
  EXPECT_EQ(fat.links.size(), 480u);
  const auto flows = ReadHpccFlows(data / "flow.txt", {});
  ASSERT_EQ(flows.size(), 2u);
  EXPECT_EQ(flows[0].size, Bytes(200'000'000));
  const std::string text =
      "topology: {type: hpcc, file: topology.txt}\n"
      "workloads: [{name: flows, type: hpcc, file: flow.txt}]\n";
  EXPECT_EQ(LoadScenarioText(text, "x.yaml", data).topology.hosts, 65u);
}

}  // namespace
}  // namespace headroom::hpcc_files_test
