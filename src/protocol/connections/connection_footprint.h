// What services of connections take of this process's memory: footprint.h.
#pragma once

#include "protocol/connections/connection_service.h"
#include "sim/footprint.h"

namespace headroom {

/// `open`: payloads that are asked for and not over, of all workloads.
Forecast ConnectionFootprint(const ConnectionParameters& service, const ConnectionLoad& load, Forecast open);

}  // namespace headroom
