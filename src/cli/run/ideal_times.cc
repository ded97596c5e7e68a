#include "cli/run/ideal_times.h"

#include <algorithm>

namespace headroom {

namespace {

/// The ideal exists if there is a path. If packets may take several paths, the paths must be alike and have
/// no link slower than the sender's. Then a lone message takes as long as on one of these paths. Several slow
/// links together may be faster than one.
bool HaveIdeal(const Scenario& scenario, const FlowHops& there, const FlowHops& back) {
  if (there.empty() || back.empty() || !AreAlike(scenario, there) || !AreAlike(scenario, back)) return false;
  const std::vector<IdealHop> hops = LongestHops(scenario, there);
  return IsOnePath(there) ||
         std::ranges::all_of(hops, [&](const IdealHop& hop) { return hop.rate >= hops.front().rate; });
}

}  // namespace

IdealTimes::IdealTimes(const Scenario& scenario)
    : scenario_(scenario),
      routes_(RoutesOf(scenario)),
      ecmp_(scenario.topology, routes_, EcmpSeedsOf(scenario)),
      flow_paths_(scenario, routes_, ecmp_) {}
IdealTimes::~IdealTimes() = default;

Time IdealTimes::Of(const MessageRecord& m) {
  const WorkloadParameters& w = scenario_.workloads[m.workload];
  // If processes post the verbs, waits in their own queues would count.
  if (w.arrivals->OnVerbs()) return Time{};
  // With a queue pair per message, paths have no end.
  constexpr size_t kMostPaths = size_t{1} << 20;
  if (paths_.size() >= kMostPaths) paths_.clear();
  const auto [at, added] = paths_.try_emplace({m.src, m.dst, m.source_port});
  if (added) {
    const auto there = flow_paths_.Of(m.src, m.dst, m.source_port);
    const auto back = flow_paths_.Of(m.dst, m.src, m.source_port);
    if (HaveIdeal(scenario_, there, back))
      at->second =
          IdealPathOf(scenario_, LongestHops(scenario_, there), LongestHops(scenario_, back), m.src, m.dst);
  }
  // Without a path there is no ideal time: such a message never finishes.
  if (at->second.data.empty()) return Time{};
  const NodeId poster = w.verb == Operation::read_request ? m.dst : m.src;
  const Time registers = w.registers ? scenario_.nics[poster].registration_latency : Time{};
  return IdealCompletion(at->second, m.size, w.verb) + registers;
}

void FillIdealTimes(const Scenario& scenario, std::vector<MessageRecord>& messages) {
  IdealTimes times(scenario);
  for (MessageRecord& m : messages) m.ideal = times.Of(m);
}

}  // namespace headroom
