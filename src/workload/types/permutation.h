// Every host sends to another, as plain data.
#pragma once

#include <optional>
#include <vector>

#include "sim/units.h"
#include "workload/arrivals.h"

namespace headroom {

/// Every host of `hosts` sends to another, and none receives from two (a cyclic permutation drawn with the
/// seed).
struct PermutationArrivals {
  Bytes size;
  std::vector<NodeId> hosts;
  Time at;
  bool operator==(const PermutationArrivals&) const = default;
};
std::unique_ptr<Arrivals> ArrivalsFrom(PermutationArrivals a);

}  // namespace headroom
