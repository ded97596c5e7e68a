// When a service orders its connections to move to the standby transport, from the periods of its failover.
#pragma once

#include <string>
#include <vector>

#include "protocol/storage/storage_parameters.h"
#include "scenario/scenario.h"
#include "sim/finding.h"

namespace headroom {

struct FailoverCheck {
  /// A step of the schedule.
  struct Move {
    Time at;
    double share = 0;
    size_t connections = 0;  ///< number of connections to move, if those of the previous step have moved
    Time first, told;  ///< minimum time from `at` until the first and the last connection are ordered to move
    bool cut_off = false;  ///< the next step, or the end of the load, cuts the step off
  };
  std::string service;
  const char *main = "", *standby = "";  ///< protocols of the front leg
  size_t connections = 0, at_a_time = 0;
  Time every;
  /// The time from a call that gets no answer until its connection is ordered to move; kNever if no
  /// connection is.
  Time least_detect, most_detect;
  Time all_told;    ///< if all connections are broken: minimum time from the first order to the last
  Time least_back;  ///< minimum time from the end of a period in which a queue pair is up again
  std::vector<Move> moves;
};

/// REQUIRES: the service has a failover.
FailoverCheck CheckFailover(const Scenario& scenario, const StorageParameters& service, Findings& findings);

}  // namespace headroom
