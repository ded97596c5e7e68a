#include "analysis/bounds/route_changes.h"

#include <algorithm>
#include <set>

#include "scenario/fault_links.h"

namespace headroom {
namespace {

/// A fault that recurs more often brings no new set of links; of several recurring faults, some sets are left
/// out.
constexpr int kMostTimes = 1000;

struct LinkTurn {
  Time at;
  const LinkDownFault* fault;
  int by;  ///< 1: down, -1: up
};

std::vector<LinkTurn> LinkTurnsOf(const Scenario& s, bool& all) {
  std::vector<LinkTurn> turns;
  for (const Fault& any : s.faults) {
    const auto* fault = std::get_if<LinkDownFault>(&any);
    if (fault == nullptr || fault->convergence == kNever) continue;
    const FaultTimes& times = fault->times;
    all = all && times.count <= kMostTimes;
    for (int i = 0; i < std::min(times.count, kMostTimes); ++i) {
      const Time begins = times.start + times.every * i + fault->convergence;
      if (begins > s.deadline) break;
      turns.push_back({begins, fault, 1});
      if (times.stop == kNever) break;
      turns.push_back({times.stop + times.every * i + fault->convergence, fault, -1});
    }
  }
  std::ranges::stable_sort(turns, {}, &LinkTurn::at);
  return turns;
}

}  // namespace

RouteChanges RouteChangesOf(const Scenario& s, size_t most) {
  RouteChanges found;
  std::vector<int> down(s.topology.links.size());
  std::set<std::vector<int>> known = {down};
  const std::vector<LinkTurn> turns = LinkTurnsOf(s, found.all);
  for (size_t i = 0; i < turns.size(); ++i) {
    for (const uint32_t link : LinksOf(*turns[i].fault, s.topology)) down[link] += turns[i].by;
    const bool last =
        i + 1 == turns.size() || turns[i + 1].at != turns[i].at;  // the last change at this instant
    if (!last || turns[i].at > s.deadline) continue;
    std::vector<int> left_out(down.size());
    std::ranges::transform(down, left_out.begin(), [](int by) { return by > 0 ? 1 : 0; });
    if (!known.insert(left_out).second) continue;
    found.all = found.all && found.changes.size() < most;
    if (found.changes.size() < most) found.changes.push_back({turns[i].at, std::move(left_out)});
  }
  return found;
}

}  // namespace headroom
