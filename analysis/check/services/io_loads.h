// What I/Os that are asked for at a rate take of cores, lines and disks: at least, as the costs of
// analysis/bounds/services/io_cost.h are, and each host's for itself.
#pragma once

#include <string>
#include <vector>

#include "analysis/check/services/io_workload.h"
#include "protocol/storage/routes.h"

namespace headroom {

struct IoLoad {
  enum class Of {
    cores,             ///< of a compute host, all of them
    connection_cores,  ///< of these, where fewer connections than cores are: those that have one
    server_cores,      ///< of all servers together
    line,              ///< of a compute host, in the direction that has more
    server_lines,      ///< of all servers together, in the direction that has more
    disks              ///< of all extent nodes together
  };
  Of of = Of::cores;
  double share = 0;  ///< of what there is; above 1: it is not enough
  std::string at;    ///< the compute host with the most; empty: servers
};
const char* LoadName(IoLoad::Of of);

/// By what is there: without a clock cores are not, without limits disks are not.
using IoLoads = std::vector<IoLoad>;

/// The first that runs out where more is asked for. REQUIRES: not empty.
const IoLoad& FirstOf(const IoLoads& loads);
/// 0: there is none.
double ShareOf(const IoLoads& loads, IoLoad::Of of);

/// Of workloads of this service with a rate, all at the same time. `service` as theirs.
IoLoads LoadsOf(const Fabric& fabric, const StorageParameters& service, const StorageRoutes& routes,
                const std::vector<const IoWorkload*>& workloads);

}  // namespace headroom
