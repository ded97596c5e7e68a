// The `switches:` section.
#pragma once

#include "net/traffic_class.h"
#include "scenario/read/matched_entries.h"
#include "scenario/scenario.h"

namespace headroom {

/// Parameters for each switch of the topology; `list` may be absent, errors are then at `scenario`. Defaults:
/// 500 ns latency, the buffer azure-24mb, no ECN, PFC immediately and with 65535 quanta. Findings in
/// configuration files are added to `findings`.
SharedList<SwitchParameters> ReadSwitches(const Node* list, const Topology& topology,
                                          const TrafficClasses& classes, const Position& scenario,
                                          Findings& findings, Errors& errors);

}  // namespace headroom
