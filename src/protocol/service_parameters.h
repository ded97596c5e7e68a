// What a scenario says of a service, whatever its kind.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "net/topology/topology.h"
#include "sim/own_values.h"

namespace headroom {

/// Each kind of service has parameters of its own, which derive from this.
struct ServiceParameters {
  bool operator==(const ServiceParameters&) const = default;
};

/// Those of a type that a program has registered for itself (scenario/keys/services/own_services.h).
struct OwnServiceParameters : ServiceParameters {
  std::string name, type;
  std::vector<NodeId> servers, clients;  ///< a host may be both
  uint8_t priority = 0;
  OwnValues own;  ///< of the type's own keys; a key reads its value (OwnKey)
  bool operator==(const OwnServiceParameters&) const = default;
};

}  // namespace headroom
