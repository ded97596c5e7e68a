// The sum of all workloads' requests to one service.
#pragma once

#include "scenario/scenario.h"
#include "workload/service_load.h"

namespace headroom {

/// The load of a service, by its number. Connections drawn at random have one open payload each.
ServiceLoad LoadOfService(const Scenario& scenario, size_t service);

}  // namespace headroom
