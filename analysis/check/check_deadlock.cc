#include "analysis/check/check_deadlock.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/bounds/dependency/buffer_dependency.h"
#include "analysis/bounds/route_changes.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

/// Each change costs as much as setting up the routes.
constexpr size_t kMostChanges = 32;

QueueCircle CircleOf(const Fabric& fabric) {
  QueueCircle circle;
  for (const PathHop& hop : FindBufferCycle(fabric))
    circle.push_back(fabric.node(hop.from.node).name + ":" + hop.from.port);
  return circle;
}

/// For example "s0:p2 – s2:p2, …".
std::string LinksText(const Topology& topology, const std::vector<int>& down) {
  std::string text;
  for (size_t i = 0; i < down.size(); ++i) {
    if (down[i] == 0) continue;
    const auto& [a, b] = std::tie(topology.links[i].a, topology.links[i].b);
    text += fmt::format("{}{}:{} – {}:{}", text.empty() ? "" : ", ", topology.nodes[a.node].name, a.port,
                        topology.nodes[b.node].name, b.port);
  }
  return text;
}

/// `when`: the time of these routes, "" or "from 200us on, …".
void Judge(const QueueCircle& circle, const std::string& when, const std::string& classes,
           Findings& findings) {
  std::string nodes, round;
  for (const std::string& queue : circle) {
    nodes += (nodes.empty() ? "" : ", ") + queue.substr(0, queue.find(':'));
    round += queue + " → ";
  }
  findings.push_back({Finding::Severity::warning, nodes,
                      fmt::format("{}the routes close a cycle of queues: {}{}. Each queue waits for room "
                                  "in the next queue, so if all are paused at once, none ever continues "
                                  "(class {})",
                                  when, round, circle.front(), classes)});
}

void CheckLater(const Fabric& fabric, DeadlockCheck& check, Findings& findings) {
  const Scenario& s = fabric.scenario();
  const RouteChanges found = RouteChangesOf(s, kMostChanges);
  check.changes = found.changes.size();
  check.all_changes = found.all;
  for (const RouteChange& change : found.changes) {
    QueueCircle circle = CircleOf(Fabric(s, change.down));
    const bool known =
        circle.empty() || circle == check.cycle ||
        std::ranges::find(check.later, circle, &DeadlockCheck::Later::cycle) != check.later.end();
    if (known) continue;
    const std::string down = LinksText(s.topology, change.down);
    Judge(circle, fmt::format("from {} on, when the faults have removed {}, ", FormatTime(change.at), down),
          check.classes, findings);
    check.later.push_back({change.at, down, std::move(circle)});
  }
  if (check.all_changes) return;
  findings.push_back({Finding::Severity::note, "faults",
                      fmt::format("the faults remove more than {} sets of links from the routes; the others "
                                  "were not checked for cycles of lossless queues",
                                  check.changes)});
}

}  // namespace

DeadlockCheck CheckDeadlock(const Fabric& fabric, Findings& findings) {
  const Scenario& s = fabric.scenario();
  DeadlockCheck check;
  for (const TrafficClass& c : s.classes) {
    if (!c.name.empty() && c.lossless) check.classes += (check.classes.empty() ? "" : ", ") + c.name;
  }
  check.lossless = !check.classes.empty() &&
                   std::ranges::any_of(s.switches, [](const SwitchParameters& p) { return p.pfc.enabled; });
  if (!check.lossless) return check;
  check.cycle = CircleOf(fabric);
  if (!check.cycle.empty()) Judge(check.cycle, "", check.classes, findings);
  CheckLater(fabric, check, findings);
  return check;
}

}  // namespace headroom
