#include "cli/run/ideal_times.h"

#include <algorithm>
#include <map>

#include "analysis/bounds/ideal_path.h"
#include "net/topology/routing.h"
#include "scenario/paths/flow_ways.h"

namespace headroom {

namespace {

/// The ideal exists if there is a path. If packets may take several paths, the paths must be alike and have
/// no link slower than the sender's. Then a lone message takes as long as on one of these paths. Several slow
/// links together may be faster than one.
bool HaveIdeal(const Scenario& scenario, const WayHops& there, const WayHops& back) {
  if (there.empty() || back.empty() || !AreAlike(scenario, there) || !AreAlike(scenario, back)) return false;
  const std::vector<IdealHop> hops = LongestHops(scenario, there);
  return IsOneWay(there) ||
         std::ranges::all_of(hops, [&](const IdealHop& hop) { return hop.rate >= hops.front().rate; });
}

}  // namespace

void FillIdealTimes(const Scenario& scenario, std::vector<MessageRecord>& messages) {
  const std::vector<RouteTable> routes = RoutesOf(scenario);
  const EcmpPaths ecmp(scenario.topology, routes);
  const FlowWays ways(scenario, routes, ecmp);
  std::map<std::tuple<NodeId, NodeId, uint16_t>, IdealPath> paths;
  for (MessageRecord& m : messages) {
    // If processes post the verbs, waits in their own queues would count.
    if (scenario.workloads[m.workload].arrivals->OnVerbs()) continue;
    const auto [at, added] = paths.try_emplace({m.src, m.dst, m.source_port});
    if (added) {
      const auto there = ways.Of(m.src, m.dst, m.source_port);
      const auto back = ways.Of(m.dst, m.src, m.source_port);
      if (HaveIdeal(scenario, there, back))
        at->second =
            IdealPathOf(scenario, LongestHops(scenario, there), LongestHops(scenario, back), m.src, m.dst);
    }
    // Without a path there is no ideal time: such a message never finishes.
    if (at->second.data.empty()) continue;
    const WorkloadParameters& w = scenario.workloads[m.workload];
    m.ideal = IdealCompletion(at->second, m.size, w.verb);
    const NodeId poster = w.verb == Operation::read_request ? m.dst : m.src;
    if (w.registers) m.ideal += scenario.nics[poster].registration_latency;
  }
}

}  // namespace headroom
