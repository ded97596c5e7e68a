// The HPCC simulator's modes on networks with several switches, from its own topology and flow files.
//
// The simulator was not run for these. The figures come from a model of its rules, which was written from its
// sources and independently of Headroom. With the files of S0, S4, S4b and S1 under HPCC, TIMELY and DCTCP
// that model gives each completion time of the simulator to the nanosecond.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "hpcc_reference.h"
#include "support/test_folder.h"

namespace headroom::hpcc {
namespace {

const std::map<std::string, std::string> kControls = {
    {"none", "none"},
    {"hpcc",
     "{type: hpcc, round_trip: network, max_stage: 0, additive: 50Mbps, min_rate: 1Gbps, sent_unit: 512B, "
     "queue_unit: 320B}"},
    {"timely", "{type: timely, variant: simulator, additive: 100Mbps, min_rate: 1Gbps, header: 8}"},
    {"dctcp", "{type: dctcp, variant: simulator, round_trip: network, additive: 615Mbps, min_rate: 1Gbps}"}};

class HpccNetworks : public testing::Test {
 protected:
  void Write(const char* name, const std::string& text) const { folder_.Write(name, text); }

  /// The result folder for topology.txt and flow.txt.
  fs::path Run(const std::string& control, const std::string& more) const {
    Write("case.yaml",
          "name: case\nduration: 10ms\nmtu: 1000\nframes: hpcc\n"
          "priorities: {storage: {priority: 3, lossless: true}}\n"
          "topology: {type: hpcc, file: topology.txt}\n"
          "switches:\n"
          "  - {match: '*', oscillator: exact, latency: 0ns, buffer: {profile: hpcc, size: 32MiB},\n"
          "     ecn: {storage: {kmin: 300KB, kmax: 300KB, pmax: 100%, per_rate: 100Gbps}}}\n"
          "nics: [{match: '*', oscillator: exact, generation: hpcc-sim, congestion_control: " +
              kControls.at(control) + "}]\n" +
              "workloads: [{name: flows, type: hpcc, file: flow.txt, priority: storage" + more);
    const fs::path out = folder_ / ("result-" + control);
    const std::string command = "'" HEADROOM_PROGRAM "' run '" + (folder_ / "case.yaml").string() +
                                "' --out '" + out.string() + "' > '" + (folder_ / "log.txt").string() +
                                "' 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << folder_ / "log.txt";
    return out;
  }

  /// Times in ns, in the order of the starts.
  std::vector<int64_t> Times(const std::string& control) const {
    std::ifstream in(Run(control, "}]\n") / "messages.csv");
    std::vector<std::pair<double, int64_t>> by_start;
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
      std::vector<std::string> cells;
      std::istringstream row(line);
      for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
      const double start = std::stod(cells.at(8));
      by_start.emplace_back(start, std::llround(std::stod(cells.at(10)) - start));
    }
    std::sort(by_start.begin(), by_start.end());
    std::vector<int64_t> times;
    for (const auto& [start, time] : by_start) times.push_back(time);
    return times;
  }

  /// The mean completion time over ten jittered starts, and its deviation from start to start, µs.
  std::pair<double, double> Draws(const std::string& control) const {
    std::vector<double> means;
    for (const auto& entry : fs::directory_iterator(Run(control, ", jitter: 1us}]\nseeds: 10\n"))) {
      std::ifstream in(entry.path() / "summary.json");
      if (in)
        means.push_back(nlohmann::json::parse(in).at("/messages/flows/completion_us/mean"_json_pointer));
    }
    EXPECT_EQ(means.size(), 10u);
    double mean = 0, squares = 0;
    for (const double m : means) mean += m / static_cast<double>(means.size());
    for (const double m : means) squares += (m - mean) * (m - mean);
    return {mean, std::sqrt(squares / static_cast<double>(means.size() - 1))};
  }

 private:
  TestFolder folder_;
};

/// Two leaves and two spines have 400 Gb/s over 2 µs, hosts 100 and 25 Gb/s.
TEST_F(HpccNetworks, FlowsAloneToTheNanosecond) {
  Write("topology.txt",
        "8 4 8\n4 5 6 7\n"
        "0 4 100Gbps 1000ns 0\n1 4 100Gbps 1000ns 0\n2 5 100Gbps 1000ns 0\n3 5 25Gbps 1000ns 0\n"
        "4 6 400Gbps 2000ns 0\n4 7 400Gbps 2000ns 0\n5 6 400Gbps 2000ns 0\n5 7 400Gbps 2000ns 0\n");
  Write("flow.txt",
        "6\n0 2 3 100 1 2.000\n1 3 3 100 1000 2.001\n3 0 3 101 1001 2.002\n2 1 3 102 100000 2.003\n"
        "0 3 3 100 1000000 2.004\n3 2 3 100 300000 2.005\n");
  using Sent = std::vector<int64_t>;
  EXPECT_EQ(Times("none"), (Sent{12'016, 12'483, 12'502, 20'433, 347'148, 104'606}));
  EXPECT_EQ(Times("hpcc"), (Sent{12'032, 12'514, 12'542, 20'845, 377'046, 108'534}));
  EXPECT_EQ(Times("timely"), (Sent{12'020, 12'488, 12'507, 20'536, 639'209, 105'207}));
  EXPECT_EQ(Times("dctcp"), (Sent{12'016, 12'483, 12'502, 20'433, 347'148, 104'606}));
}

/// A host has two flows: its NIC has one timer, and sets none while a flow that waits for its window is due.
TEST_F(HpccNetworks, AFlowWaitsForAnAckBesideOneWithoutAWindow) {
  Write("topology.txt",
        "6 2 5\n4 5\n"
        "0 4 100Gbps 1000ns 0\n1 4 100Gbps 1000ns 0\n2 5 100Gbps 1000ns 0\n3 5 25Gbps 1000ns 0\n"
        "4 5 100Gbps 5000ns 0\n");
  Write("flow.txt", "3\n0 2 3 100 300000 2.0\n0 3 3 100 300000 2.000000137\n1 3 3 100 200000 2.000000251\n");
  EXPECT_EQ(Times("hpcc").at(0), 93'501);  // with a timer for each flow it would be 88'567
}

struct Expected {
  std::string control;
  double mean, deviation;  ///< of 60 draws, in µs
};

TEST_F(HpccNetworks, MeansOfADumbbell) {
  Write("topology.txt",
        "10 2 9\n8 9\n"
        "0 8 100Gbps 1000ns 0\n1 8 100Gbps 1000ns 0\n2 8 100Gbps 1000ns 0\n3 8 100Gbps 1000ns 0\n"
        "4 9 100Gbps 1000ns 0\n5 9 100Gbps 1000ns 0\n6 9 100Gbps 1000ns 0\n7 9 100Gbps 1000ns 0\n"
        "8 9 100Gbps 3000ns 0\n");
  Write("flow.txt",
        "7\n0 4 3 100 500000 2.0\n1 5 3 100 500000 2.0\n2 6 3 100 500000 2.0\n3 7 3 100 500000 2.0\n"
        "5 4 3 100 500000 2.0\n6 0 3 100 300000 2.0\n7 1 3 100 300000 2.0\n");
  for (const Expected& e :
       std::vector<Expected>{{"hpcc", 153.65, 1.67}, {"timely", 160.09, 0.26}, {"dctcp", 134.42, 0.25}}) {
    const auto [mean, deviation] = Draws(e.control);
    EXPECT_NEAR(mean, e.mean, 2 * std::hypot(deviation, e.deviation)) << e.control;
  }
}

/// An incast crosses two tiers with other flows: the paths decide which flows meet.
TEST_F(HpccNetworks, MeansOfALeafSpine) {
  Write("topology.txt",
        "14 6 16\n8 9 10 11 12 13\n"
        "0 8 100Gbps 1000ns 0\n1 8 100Gbps 1000ns 0\n2 9 100Gbps 1000ns 0\n3 9 100Gbps 1000ns 0\n"
        "4 10 100Gbps 1000ns 0\n5 10 100Gbps 1000ns 0\n6 11 100Gbps 1000ns 0\n7 11 100Gbps 1000ns 0\n"
        "8 12 100Gbps 1000ns 0\n8 13 100Gbps 1000ns 0\n9 12 100Gbps 1000ns 0\n9 13 100Gbps 1000ns 0\n"
        "10 12 100Gbps 1000ns 0\n10 13 100Gbps 1000ns 0\n11 12 100Gbps 1000ns 0\n11 13 100Gbps 1000ns 0\n");
  Write("flow.txt",
        "9\n0 7 3 100 300000 2.0\n1 7 3 100 300000 2.0\n2 7 3 100 300000 2.0\n3 7 3 100 300000 2.0\n"
        "4 7 3 100 300000 2.0\n5 7 3 100 300000 2.0\n"
        "0 3 3 100 300000 2.0\n2 5 3 100 300000 2.0\n4 1 3 100 300000 2.0\n");
  for (const Expected& e :
       std::vector<Expected>{{"hpcc", 132.39, 0.81}, {"timely", 117.42, 0.20}, {"dctcp", 119.21, 0.22}}) {
    const auto [mean, deviation] = Draws(e.control);
    EXPECT_NEAR(mean, e.mean, 2 * std::hypot(deviation, e.deviation)) << e.control;
  }
}

}  // namespace
}  // namespace headroom::hpcc
