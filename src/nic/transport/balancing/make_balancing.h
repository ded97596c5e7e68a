// Makes the balancing of a queue pair from its parameters.
#pragma once

#include <memory>
#include <string>

#include "nic/transport/balancing.h"
#include "nic/transport/transport_parameters.h"

namespace headroom {

/// Null for none. `name`: of the random numbers, "host/queue pair".
std::unique_ptr<Balancing> MakeBalancing(const BalancingParameters& parameters, const std::string& name);

}  // namespace headroom
