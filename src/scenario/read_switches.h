// The `switches:` section.
#pragma once

#include "net/traffic_class.h"
#include "scenario/matched_entries.h"
#include "scenario/scenario.h"

namespace headroom {

/// Parameters for each of the switches named; `list` may be absent, errors are then at `scenario`. Defaults:
/// 500 ns latency, the buffer azure-24mb, no ECN, PFC at once with 65535 quanta.
std::vector<SwitchParameters> ReadSwitches(const Node* list, const std::vector<std::string>& names,
                                           const TrafficClasses& classes, const Position& scenario,
                                           Errors& errors);

}  // namespace headroom
