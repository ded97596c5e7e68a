// The key `watchdog` of a switch's and of a NIC's `pfc`.
#pragma once

#include <vector>

#include "pfc/parameters.h"
#include "scenario/reader.h"

namespace headroom {

/// A mapping, or a list of them for different ports, or `none`. Times are held to SONiC's ranges unless
/// `limits: false`.
std::vector<WatchdogParameters> ReadWatchdogs(const Node& node, Errors& errors);

/// The same as YAML, read back equal.
std::string WriteWatchdogs(const std::vector<WatchdogParameters>& watchdogs);

}  // namespace headroom
