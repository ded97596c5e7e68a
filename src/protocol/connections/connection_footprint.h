// The memory of this process that services of connections use (footprint.h).
#pragma once

#include "protocol/connections/connection_parameters.h"
#include "sim/footprint.h"
#include "workload/service_load.h"

namespace headroom {

/// `open`: open payloads of all workloads.
Forecast ConnectionFootprint(const ConnectionParameters& service, const ServiceLoad& load, Forecast open);

}  // namespace headroom
