#include "scenario/paths/rank_gain.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "scenario/paths/cut.h"

namespace headroom {

namespace {

/// The shortest delay between nodes of different parts.
Time ShortestCutLink(const Topology& topology, const std::vector<int>& parts) {
  Time shortest = Seconds(1);
  for (const TopologyLink& l : topology.links) {
    if (parts[l.a.node] != parts[l.b.node]) shortest = std::min(shortest, l.spec.delay + l.spec.phy);
  }
  return shortest;
}

}  // namespace

RankGain GainOfRanks(const Scenario& scenario, int asked, double seconds) {
  RankGain found;
  for (int ranks = asked; ranks > 1; ranks /= 2) {
    try {
      const Time window = ShortestCutLink(scenario.topology, PartsOfRanks(scenario, 1, ranks));
      const double windows = static_cast<double>(scenario.duration.v) / static_cast<double>(window.v);
      found.ranks = ranks;
      if (!HostsOfFirstRank(scenario, false).empty()) return found;
      found.gain = seconds / (seconds / ranks + windows * kExchangeSeconds * (ranks - 1));
      return found;
    } catch (const std::invalid_argument& error) {
      if (found.refused.empty()) found.refused = error.what();
    }
  }
  return found;
}

}  // namespace headroom
