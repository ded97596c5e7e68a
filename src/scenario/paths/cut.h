// Chooses where a network is cut into parts (sim/parts.h), and finds scenarios that may not be cut.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenario/scenario.h"

namespace headroom {

/// Links with less delay, propagation and transceivers together, are never cut: a window would hold too few
/// events.
inline constexpr Time kShortestCut = Nanoseconds(100);

inline constexpr int kMostParts = 1024, kAutoParts = 0;

/// The feature of a scenario that acts on any hosts at one instant: with it the network runs in one part.
/// None if the scenario may be cut.
std::optional<std::string> WhyNotCut(const Scenario& scenario);

/// The hosts of all services, sorted.
std::vector<NodeId> HostsOfServices(const Scenario& scenario);

/// The hosts that act on each other at one instant, sorted: one part runs them. These are the hosts of all
/// services, unless no service has a state that its hosts share.
std::vector<NodeId> HostsTogether(const Scenario& scenario);

/// The same for several ranks (sim/parts.h): the first one runs these hosts. `judged`: what services do is
/// kept in one history.
std::vector<NodeId> HostsOfFirstRank(const Scenario& scenario, bool judged);

/// The part of each node, from 0 on. The parts have about the same number of ports; few links are cut, and
/// these are as long as possible. The nodes `together` are in one part. None if the links that may be cut do
/// not divide the network into so many parts. REQUIRES: parts > 1.
std::optional<std::vector<int>> CutInto(const Topology& topology, int parts,
                                        const std::vector<NodeId>& together = {});

/// The part of each node for `--parts`; empty: one part. `asked`: the number of parts, or kAutoParts, which
/// means one part if several are not possible, or not faster. Throws std::invalid_argument if that number of
/// parts is not possible.
std::vector<int> PartsOf(const Scenario& scenario, int asked);

/// The same for an estimate of the gain of several ranks: at least `ranks` parts, and HostsOfFirstRank are in
/// one. `judged`: see there.
std::vector<int> PartsOfEstimate(const Scenario& scenario, int asked, int ranks, bool judged);

/// The part of each node for several ranks; HostsOfFirstRank are in part 0. `asked`: the number of parts of
/// each rank, or kAutoParts. `judged`: see there. Throws like PartsOf. REQUIRES: ranks > 1.
std::vector<int> PartsOfRanks(const Scenario& scenario, int asked, int ranks, bool judged = false);

/// What a run asks for.
struct AskedParts {
  int parts = 1;
  int ranks = 1;           ///< number of processes, with so many parts each
  int estimate_ranks = 0;  ///< estimate the gain of so many processes; 0: do not
  bool judged = false;
};
/// By that one of the functions above that it needs.
std::vector<int> PartsFor(const Scenario& scenario, const AskedParts& asked);

}  // namespace headroom
