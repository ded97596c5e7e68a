// Use of cores, lines and disks by I/Os at a rate: lower bounds, like the costs of
// analysis/bounds/services/io_cost.h, for each host by itself.
#pragma once

#include <string>
#include <vector>

#include "analysis/check/services/io_workload.h"
#include "protocol/storage/routes.h"

namespace headroom {

struct IoLoad {
  enum class Of {
    cores,             ///< of a compute host, all of them
    connection_cores,  ///< of these, if there are fewer connections than cores: those with a connection
    server_cores,      ///< of all servers together
    line,              ///< of a compute host, in the direction that has more
    server_lines,      ///< of all servers together, in the direction that has more
    disks              ///< of all extent nodes together
  };
  Of of = Of::cores;
  double share = 0;  ///< of the existing capacity; above 1: it does not suffice
  std::string at;    ///< the compute host with the most; empty: servers
};
const char* LoadName(IoLoad::Of of);

/// By existing limits: without a clock cores have none, without limits disks have none.
using IoLoads = std::vector<IoLoad>;

/// The first that runs out where more is asked for. REQUIRES: not empty.
const IoLoad& FirstOf(const IoLoads& loads);
/// 0: there is none.
double ShareOf(const IoLoads& loads, IoLoad::Of of);

/// Of workloads of this service with a rate, all at the same time. `service` as theirs.
IoLoads LoadsOf(const Fabric& fabric, const StorageParameters& service, const StorageRoutes& routes,
                const std::vector<const IoWorkload*>& workloads);

}  // namespace headroom
