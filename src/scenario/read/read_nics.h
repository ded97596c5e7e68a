// The `nics:` section.
#pragma once

#include "net/traffic_class.h"
#include "nic/parameters.h"
#include "scenario/read/matched_entries.h"

namespace headroom {

/// Parameters for each of the hosts named; `list` may be absent, errors are then at `scenario`. What no entry
/// gives comes from the generation, which is dcqcn-paper where none is given.
std::vector<NicParameters> ReadNics(const Node* list, const std::vector<std::string>& names,
                                    const TrafficClasses& classes, int64_t mtu, const Position& scenario,
                                    Errors& errors);

}  // namespace headroom
