// Memory of this process for services of keys: footprint.h.
#pragma once

#include "protocol/keyvalue/key_value_parameters.h"
#include "sim/footprint.h"
#include "workload/service_load.h"

namespace headroom {

Forecast KeyValueFootprint(const KeyValueParameters& service, const ServiceLoad& load,
                           const ServiceDemand& demand);

}  // namespace headroom
