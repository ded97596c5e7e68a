// Throughput of a service with all its connections on the standby transport, and the least time of moves
// there: from the costs of I/Os (analysis/bounds/services/io_cost.h) and the periods of the failover.
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
    size_t connections = 0;  ///< that have to move, if those of the step before have
    Time first, told;        ///< from then on until the first and the last are ordered to move, at least
    bool cut_off = false;    ///< by the step behind it, or by the end of the load
  };
  std::string service;
  const char *main = "", *standby = "";  ///< protocols, of the front leg
  size_t connections = 0, at_a_time = 0;
  Time every;
  /// From a call that gets no answer until its connection is ordered to move; kNever: none is.
  Time least_detect, most_detect;
  Time all_told;    ///< where all are broken: from the first order to the last, at least
  Time least_back;  ///< from the end of a period in which a queue pair is up again, at least
  std::vector<Move> moves;
  double asked = 0;             ///< I/Os a second of all disks, when it is most; 0: nothing at a rate
  bool others = false;          ///< besides, I/Os are requested without a rate
  IoLoads by_main, by_standby;  ///< of the requests; empty: nothing at a rate
  std::vector<IoCheck> ios;     ///< of the workloads, all over the standby
  /// The part of the load that passes at most.
  double Most(const IoLoads& loads) const { return asked / FirstOf(loads).share; }
};

/// `workloads`: those of the service. REQUIRES: it has a failover.
FailoverCheck CheckFailover(const Fabric& fabric, const StorageParameters& service,
                            const std::vector<const IoWorkload*>& workloads, Findings& findings);

}  // namespace headroom
