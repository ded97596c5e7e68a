// Use of cores, lines and disks by I/Os at a rate: lower bounds, like the costs of
// analysis/bounds/services/io_cost.h, for each host separately.
#pragma once

#include <string>
#include <vector>

#include "analysis/check/services/io_workload.h"
#include "protocol/storage/routes.h"

namespace headroom {

struct IoLoad {
  enum class Of {
    cores,             ///< all cores of a compute host
    connection_cores,  ///< if there are fewer connections than cores: only cores with a connection
    server_cores,      ///< cores of all servers together
    line,              ///< line of a compute host, in the direction with more traffic
    server_lines,      ///< lines of all servers together, in the direction with more traffic
    disks              ///< disks of all extent nodes together
  };
  Of of = Of::cores;
  double share = 0;  ///< share of the capacity; above 1 the capacity does not suffice
  std::string at;    ///< the compute host with the largest share; empty: servers
};
const char* LoadName(IoLoad::Of of);

/// Only for existing limits: cores without a clock and disks without limits have none.
using IoLoads = std::vector<IoLoad>;

/// The first load that reaches its limit if the rate grows. REQUIRES: `loads` is not empty.
const IoLoad& FirstOf(const IoLoads& loads);
/// Returns 0 if there is no such load.
double ShareOf(const IoLoads& loads, IoLoad::Of of);

/// For this service's workloads with a rate, all at the same time. `service`: the service of these workloads.
IoLoads LoadsOf(const Fabric& fabric, const StorageParameters& service, const StorageRoutes& routes,
                const std::vector<const IoWorkload*>& workloads);

}  // namespace headroom
