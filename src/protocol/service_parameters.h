// What a scenario says of a service, whatever its kind.
#pragma once

namespace headroom {

/// Each kind of service has parameters of its own, which derive from this.
struct ServiceParameters {
  bool operator==(const ServiceParameters&) const = default;
};

}  // namespace headroom
