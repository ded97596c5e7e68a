// Bursts of many senders to one target, as plain data.
#pragma once

#include <optional>
#include <vector>

#include "sim/units.h"
#include "workload/arrivals.h"

namespace headroom {

/// `fan_in` senders, drawn from `from` (all of them if `fan_in` is 0 or at least their number), send `size`
/// bytes each.
struct IncastArrivals {
  Bytes size;
  std::vector<NodeId> from, to;  ///< one target in `to` per burst, drawn if there are several
  int fan_in = 0;
  Scope scope = Scope::region;
  Time at;
  Time every;  ///< interval between bursts
  int count = 1;
  bool operator==(const IncastArrivals&) const = default;
};
std::unique_ptr<Arrivals> ArrivalsFrom(IncastArrivals a);

}  // namespace headroom
