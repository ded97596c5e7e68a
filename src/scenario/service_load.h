// All requests of workloads to one service together.
#pragma once

#include "scenario/scenario.h"
#include "workload/service_load.h"

namespace headroom {

/// The load of a service, by its number (ServiceAt). Connections that are drawn have one payload open each.
ServiceLoad LoadOfService(const Scenario& scenario, size_t service);

}  // namespace headroom
