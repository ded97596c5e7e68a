#include "analysis/check/check_deadlock.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/bounds/buffer_dependency.h"

namespace headroom {

DeadlockCheck CheckDeadlock(const Fabric& fabric, Findings& findings) {
  const Scenario& s = fabric.scenario();
  DeadlockCheck check;
  for (const TrafficClass& c : s.classes) {
    if (!c.name.empty() && c.lossless) check.classes += (check.classes.empty() ? "" : ", ") + c.name;
  }
  check.lossless = !check.classes.empty() &&
                   std::ranges::any_of(s.switches, [](const SwitchParameters& p) { return p.pfc.enabled; });
  if (!check.lossless) return check;
  std::string nodes, circle;
  for (const PathHop& hop : FindBufferCycle(fabric)) {
    const std::string& node = fabric.node(hop.from.node).name;
    check.cycle.push_back(node + ":" + hop.from.port);
    nodes += (nodes.empty() ? "" : ", ") + node;
    circle += check.cycle.back() + " → ";
  }
  if (check.cycle.empty()) return check;
  findings.push_back(
      {Finding::Severity::warning, nodes,
       fmt::format("the routes close a circle: {}{}. Each of these queues waits for room behind the next, so "
                   "when all are paused at once none ever goes on (class {})",
                   circle, check.cycle.front(), check.classes),
       "routes without a circle, such as up and then down a tree; another lossless class after a turn that "
       "closes it; or a class that is lossy there"});
  return check;
}

}  // namespace headroom
