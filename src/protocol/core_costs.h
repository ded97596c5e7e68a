// What software costs a core.
#pragma once

#include <cstdint>

#include "sim/units.h"

namespace headroom {

/// Source of the numbers: whoever gives them.
struct CoreCosts {
  double clock_hz = 0;  ///< 0: software costs nothing
  double cycles_per_message = 0;
  double cycles_per_byte = 0;

  /// Rounded to picoseconds.
  Time Of(int64_t messages, int64_t bytes) const;
  bool operator==(const CoreCosts&) const = default;
};

/// Cores of a host that services have for themselves, and what RDMA costs on them.
struct HostParameters {
  int cores = 1;
  CoreCosts rdma;
  bool operator==(const HostParameters&) const = default;
};

}  // namespace headroom
