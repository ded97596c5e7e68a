// Watchdogs that would mistake congestion for a storm.
#pragma once

#include <string>
#include <vector>

#include "analysis/bounds/switch_classes.h"
#include "sim/finding.h"

namespace headroom {

/// Ports of a switch class that a watchdog watches, towards switches that may pause them.
struct WatchdogCheck {
  std::string at, to;   ///< switch classes
  std::string example;  ///< node:port
  Time detection;
  Bytes held;          ///< maximum that a class's groups at the far end hold, if all are full and in headroom
  Rate rate;           ///< rate of the slowest port there
  Time longest_pause;  ///< the time in which `held` drains at `rate`
};

std::vector<WatchdogCheck> CheckWatchdogs(const Fabric& fabric, const std::vector<SwitchClass>& switches,
                                          Findings& findings);

}  // namespace headroom
