// Memory of this process for services of keys: footprint.h.
#pragma once

#include "protocol/keyvalue/key_value_parameters.h"
#include "sim/footprint.h"
#include "workload/service_load.h"

namespace headroom {

/// `operations` and `puts` of all workloads; `open`: operations open at the same time.
struct KeyValueDemand {
  Forecast operations, puts, open;
};
Forecast KeyValueFootprint(const KeyValueParameters& service, const ServiceLoad& load,
                           const KeyValueDemand& demand);

}  // namespace headroom
