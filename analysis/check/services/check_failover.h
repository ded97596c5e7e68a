// Throughput of a service with all its connections on the standby transport, and the minimum time of moves
// there, from the costs of I/Os (analysis/bounds/services/io_cost.h) and the periods of the failover.
#pragma once

#include <string>
#include <vector>

#include "analysis/check/services/io_loads.h"
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
  double asked = 0;             ///< maximum I/Os per second of all disks; 0: no workload has a rate
  bool others = false;          ///< there are also I/Os without a rate
  IoLoads by_main, by_standby;  ///< loads by the requests; empty if no workload has a rate
  std::vector<IoCheck> ios;     ///< the workloads' checks, all over the standby
  /// The maximum I/Os per second at which no load exceeds its limit.
  double Most(const IoLoads& loads) const { return asked / FirstOf(loads).share; }
};

/// `workloads`: those of the service. REQUIRES: the service has a failover.
FailoverCheck CheckFailover(const Fabric& fabric, const StorageParameters& service,
                            const std::vector<const IoWorkload*>& workloads, Findings& findings);

}  // namespace headroom
