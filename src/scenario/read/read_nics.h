// The `nics:` section.
#pragma once

#include "net/traffic_class.h"
#include "nic/parameters.h"
#include "scenario/read/matched_entries.h"
#include "sim/shared_list.h"

namespace headroom {

/// Parameters for each named host; `list` may be absent, errors are then at `scenario`. Missing values come
/// from the generation, dcqcn-paper by default.
SharedList<NicParameters> ReadNics(const Node* list, const std::vector<std::string>& names,
                                   const TrafficClasses& classes, int64_t mtu, const Position& scenario,
                                   Errors& errors);

}  // namespace headroom
