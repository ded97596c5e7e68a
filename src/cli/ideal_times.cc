#include "cli/ideal_times.h"

#include <map>

#include "analysis/ideal_path.h"
#include "net/routing.h"

namespace headroom {

void FillIdealTimes(const Scenario& scenario, std::vector<MessageRecord>& messages) {
  const std::vector<RouteTable> routes = ComputeRoutes(scenario.topology);
  const EcmpPaths ways(scenario.topology, routes);
  std::map<std::tuple<NodeId, NodeId, uint16_t>, IdealPath> paths;
  for (MessageRecord& m : messages) {
    const auto [at, added] = paths.try_emplace({m.src, m.dst, m.source_port});
    if (added) {
      const auto there = ways.Of(m.src, m.dst, m.source_port);
      const auto back = ways.Of(m.dst, m.src, m.source_port);
      if (!there.empty() && !back.empty()) at->second = IdealPathOf(scenario, there, back);
    }
    // Without a way there is no ideal: such a message never finishes.
    if (!at->second.data.empty())
      m.ideal = IdealCompletion(at->second, m.size, scenario.workloads[m.workload].verb);
  }
}

}  // namespace headroom
