// Where a network is cut into parts (sim/parts.h), and which scenarios may be.
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

/// What in a scenario acts on several hosts at one instant, so that it runs in one part: "services", …; none:
/// nothing does.
std::optional<std::string> WhyNotCut(const Scenario& scenario);

/// A part for each node, from 0 on: parts of about as many ports, with few links between them, as long as
/// possible. None: links that may be cut do not divide the network so. REQUIRES: parts > 1.
std::optional<std::vector<int>> CutInto(const Topology& topology, int parts);

/// What `--parts` asks for; empty: one part. `asked`: so many, or kAutoParts, which is one part wherever
/// others are not possible, or not faster. Throws std::invalid_argument where so many are not possible.
std::vector<int> PartsOf(const Scenario& scenario, int asked);

}  // namespace headroom
