// What services of keys take of this process's memory: footprint.h.
#pragma once

#include "protocol/keyvalue/key_value_service.h"
#include "sim/footprint.h"

namespace headroom {

/// `operations` and `puts` of all workloads; `open` of these operations at a time.
struct KeyValueDemand {
  Forecast operations, puts, open;
};
Forecast KeyValueFootprint(const KeyValueParameters& service, const KeyValueLoad& load,
                           const KeyValueDemand& demand);

}  // namespace headroom
