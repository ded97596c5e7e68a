// In random scenarios without faults a lossless frame is dropped only where `check` has found the reason.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/check/check.h"
#include "run/run.h"
#include "support/in_child.h"
#include "support/random_scenario.h"

namespace headroom::check_lossless_drops_test {
namespace {

/// Nodes that dropped lossless frames.
std::vector<NodeId> Droppers(const Scenario& s, const RunRecord& r) {
  std::vector<NodeId> nodes;
  for (const PortRecord& port : r.ports) {
    uint64_t drops = 0;
    for (int p = 0; p < kPriorities; ++p)
      for (const uint64_t of_reason : port.priority[p].drops) drops += s.classes[p].lossless ? of_reason : 0;
    if (drops > 0) nodes.push_back(port.node);
  }
  return nodes;
}

/// Errors and warnings about this node.
bool Predicted(NodeId node, const Fabric& fabric, const CheckReport& report) {
  std::string name = "NIC";
  for (const SwitchClass& c : report.switches)
    if (std::ranges::count(c.members, node) > 0) name = c.name;
  return std::ranges::any_of(report.findings, [&](const Finding& f) {
    const bool of_node =
        f.where.find(name) != std::string::npos || f.where.find(fabric.node(node).name) != std::string::npos;
    return of_node && f.severity != Finding::Severity::note;
  });
}

TEST(LosslessDrops, ArePredictedInRandomScenarios) {
  RandomScenarioKinds kinds;
  kinds.faults = false;
  kinds.splits = false;  // `check` does not replay bursts of such flows
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const ScenarioFile file = LoadRandomScenario(seed, kinds);
    const Scenario& s = file.scenario;
    const std::string droppers = TextFromChild([&] {
      std::string names;
      const Fabric fabric(s);
      const RunRecord r = headroom::Run(s, {});
      const std::vector<NodeId> nodes = Droppers(s, r);
      if (nodes.empty()) return names;
      const CheckReport report = CheckScenario(fabric);
      for (const NodeId node : nodes)
        names += fmt::format("{}{} ", fabric.node(node).name,
                             Predicted(node, fabric, report) ? "" : " UNFORESEEN");
      return names;
    });
    EXPECT_EQ(droppers.find("UNFORESEEN"), std::string::npos) << "seed " << seed << ": " << droppers << '\n'
                                                              << RandomScenarioText(seed, kinds);
  }
}

}  // namespace
}  // namespace headroom::check_lossless_drops_test
