#include "scenario/read/check_controls.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "congestion/telemetry.h"

namespace headroom {

namespace {

/// The number of switches on the longest of the shortest paths between hosts.
int MostSwitches(const Topology& t) {
  std::vector<std::vector<NodeId>> next(t.nodes.size());
  std::vector<char> edge(t.nodes.size());
  for (const TopologyLink& l : t.links) {
    const bool a = l.a.node < t.hosts, b = l.b.node < t.hosts;
    if (!a && !b) {
      next[l.a.node].push_back(l.b.node);
      next[l.b.node].push_back(l.a.node);
    } else if (a != b) {
      edge[a ? l.b.node : l.a.node] = 1;
    }
  }
  int most = 0;
  for (NodeId from = t.hosts; from < t.nodes.size(); ++from) {
    if (edge[from] == 0) continue;
    std::vector<int> passed(t.nodes.size());
    passed[from] = 1;
    for (std::deque<NodeId> waiting{from}; !waiting.empty(); waiting.pop_front()) {
      const NodeId at = waiting.front();
      if (edge[at] != 0) most = std::max(most, passed[at]);
      for (const NodeId to : next[at]) {
        if (passed[to] != 0) continue;
        passed[to] = passed[at] + 1;
        waiting.push_back(to);
      }
    }
  }
  return most;
}

}  // namespace

void CheckRecords(const Scenario& scenario, const Node* nics, const Position& where, Errors& errors) {
  const auto room = [](const NicParameters& nic) {
    const Telemetry* const telemetry = nic.HasControl() ? nic.control->telemetry() : nullptr;
    return telemetry != nullptr ? telemetry->records() : INT32_MAX;
  };
  const auto least = std::ranges::min_element(scenario.nics, {}, room);
  if (least == scenario.nics.end() || room(*least) == INT32_MAX) return;
  const int most = MostSwitches(scenario.topology);
  if (most <= room(*least)) return;
  const std::string& host = scenario.topology.nodes[static_cast<size_t>(least - scenario.nics.begin())].name;
  errors.Add(ScenarioError(
      nics != nullptr ? nics->where : where,
      fmt::format("paths have up to {} switches, but packets of \"{}\" have room for the records of only "
                  "{}",
                  most, host, room(*least)),
      fmt::format("give congestion_control: {{type: {}, hops: {}}}", least->control->name(), most)));
}

void CheckControlled(const std::vector<Workload>& workloads, const Topology& topology,
                     const SharedList<NicParameters>& nics, Errors& errors) {
  for (const Workload& workload : workloads) {
    for (const UnacknowledgedData& data : workload.parameters.arrivals->Unacknowledged(workload.parameters)) {
      const auto at = std::ranges::find_if(data.unheard_from, [&](NodeId h) { return nics[h].HasControl(); });
      if (at == data.unheard_from.end()) continue;
      const ControlParameters& control = *nics[*at].control;
      const bool credits = control.credits().has_value();
      errors.Add(
          ScenarioError(workload.source.where,
                        fmt::format("congestion control {} of \"{}\" needs {}, but {} {}", control.name(),
                                    topology.nodes[*at].name, credits ? "credits" : "ACKs", data.what,
                                    credits ? "take no credits" : "have no ACKs"),
                        "give transport: rc, or congestion_control: dcqcn or none at that host"));
      break;
    }
  }
}

}  // namespace headroom
