// All that workloads ask of one service together.
#pragma once

#include "protocol/connections/connection_service.h"
#include "protocol/keyvalue/key_value_service.h"
#include "scenario/scenario.h"

namespace headroom {

/// Of service number `service` among those of keys.
KeyValueLoad LoadOfKeys(const Scenario& scenario, uint32_t service);
/// Of one among those of connections. Those that are drawn have one payload open each.
ConnectionLoad LoadOfConnections(const Scenario& scenario, uint32_t service);

}  // namespace headroom
