// Findings of `check` on windows, against runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/bounds/flows.h"
#include "analysis/check/check.h"
#include "analysis/scenario_of.h"
#include "run/run.h"
#include "support/in_child.h"

namespace headroom::check_windows_test {
namespace {

using ::testing::HasSubstr;

Scenario Pair(const std::string& nics, const std::string& size = "4MiB") {
  return ScenarioOf(
      "name: w\nduration: 1ms\ntopology: {type: star, hosts: 2, link: {rate: 100Gbps, delay: 5us}}\n"
      "nics: [{match: \"*\", " +
      nics + "}]\nworkloads: [{name: w, type: list, messages: [{at: 0us, from: h0, to: h1, size: " + size +
      "}]}]\n");
}

std::vector<Finding> WindowsOf(const CheckReport& report) {
  std::vector<Finding> found;
  for (const Finding& f : report.findings) {
    if (f.where.starts_with("window ")) found.push_back(f);
  }
  return found;
}

TEST(CheckWindows, ReportsTheRateThatTheRunHas) {
  for (const char* transport :
       {"window: 16KiB", "window: 50KiB", "window: 16KiB, ack_every: 5", "window: 21KiB, ack_every: 7"}) {
    InChild([transport] {
      const Scenario s = Pair(std::string("transport: {") + transport + "}");
      const Fabric fabric(s);
      const CheckReport report = CheckScenario(fabric);
      ASSERT_EQ(WindowsOf(report).size(), 1u);
      const double payload = report.flows.workloads.at(0).most_bps;
      const RunRecord r = headroom::Run(s, {});
      const double got = 4096.0 * 1024 * 8 / InSeconds(r.messages[0].completed);
      EXPECT_NEAR(got / payload, 1, 0.01) << transport;
    });
  }
}

// With a larger window, go-back-N would send more packets again for each that overtakes another.
TEST(CheckWindows, HasNoRemedyWherePacketsOvertakeEachOther) {
  for (const std::string routing : {"ecmp", "spray"}) {
    const Scenario s = ScenarioOf(
        "name: w\nduration: 1ms\ntopology: {type: leaf_spine, leaves: 2, spines: 3, hosts_per_leaf: 3, "
        "host_link: {rate: 50Gbps, length: 5m}, fabric_link: {rate: 50Gbps, length: 200m}}\n"
        "switches: [{match: \"*\", routing: " +
        routing +
        "}]\nnics: [{match: \"*\", transport: {window: 20KB}}]\n"
        "workloads: [{name: w, type: poisson, sizes: 60KB, load: 40%, from: \"h[0-2]\", to: \"h[3-5]\"}]\n");
    const std::vector<Finding> windows = WindowsOf(CheckScenario(Fabric(s)));
    ASSERT_EQ(windows.size(), 1u);
    EXPECT_EQ(windows[0].remedies.empty(), routing == "spray");
  }
}

TEST(CheckWindows, SaysWhatWouldFillTheLine) {
  const Scenario s = Pair("transport: {window: 16KiB}");
  const Fabric fabric(s);
  const auto found = WindowsOf(CheckScenario(fabric));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].where, "window 16KiB, 100Gbps (as h0)");
  EXPECT_THAT(found[0].what, HasSubstr("a queue pair to h1 sends at most 6.68 Gb/s on the wire: 16 "
                                       "packets of 1024 B per base RTT of 21.19"));
}

TEST(CheckWindows, TheAdvisedWindowFillsTheLine) {
  for (const int every : {1, 5, 64, 200}) {
    for (const char* window : {"200KiB", "bdp"}) {
      const std::string acks = ", ack_every: " + std::to_string(every) + "}";
      const Scenario s = Pair(std::string("transport: {window: ") + window + acks);
      const auto found = WindowsOf(CheckScenario(Fabric(s)));
      if (found.empty()) {  // ACKs are frequent enough for a bandwidth-delay product
        EXPECT_EQ(window, std::string("bdp"));
        EXPECT_LE(every, 5);
        continue;
      }
      ASSERT_EQ(found.size(), 1u) << window << acks;
      const std::string set = found[0].remedies.at(0).at(0);
      const std::string advised = set.substr(set.find('=') + 1);
      const Scenario larger = Pair("transport: {window: " + advised + acks);
      EXPECT_TRUE(WindowsOf(CheckScenario(Fabric(larger))).empty()) << advised << acks;
    }
  }
}

TEST(CheckWindows, OfWindowsThatFillTheLineThereIsNothingToSay) {
  for (const char* window : {"bdp", "none", "1MiB"}) {
    const Scenario s = Pair(std::string("transport: {window: ") + window + "}");
    const Fabric fabric(s);
    EXPECT_TRUE(WindowsOf(CheckScenario(fabric)).empty()) << window;
  }
}

}  // namespace
}  // namespace headroom::check_windows_test
