#include "cli/run/ideal_times.h"

#include <map>

#include "analysis/bounds/ideal_path.h"
#include "net/topology/routing.h"

namespace headroom {

void FillIdealTimes(const Scenario& scenario, std::vector<MessageRecord>& messages) {
  const std::vector<RouteTable> routes = ComputeRoutes(scenario.topology);
  const EcmpPaths ways(scenario.topology, routes);
  std::map<std::tuple<NodeId, NodeId, uint16_t>, IdealPath> paths;
  for (MessageRecord& m : messages) {
    // Of processes that post verbs, what waits in their own queues would count.
    if (scenario.workloads[m.workload].arrivals->OnVerbs()) continue;
    const auto [at, added] = paths.try_emplace({m.src, m.dst, m.source_port});
    if (added) {
      const auto there = ways.Of(m.src, m.dst, m.source_port);
      const auto back = ways.Of(m.dst, m.src, m.source_port);
      if (!there.empty() && !back.empty()) at->second = IdealPathOf(scenario, there, back);
    }
    // Without a way there is no ideal: such a message never finishes.
    if (at->second.data.empty()) continue;
    const WorkloadParameters& w = scenario.workloads[m.workload];
    m.ideal = IdealCompletion(at->second, m.size, w.verb);
    const NodeId poster = w.verb == Operation::read_request ? m.dst : m.src;
    if (w.registers) m.ideal += scenario.nics[poster].registration_latency;
  }
}

}  // namespace headroom
