// Poisson arrivals at every sender, as plain data.
#pragma once

#include <optional>
#include <vector>

#include "sim/shared_value.h"
#include "sim/units.h"
#include "workload/arrivals.h"
#include "workload/distributions/distributions.h"

namespace headroom {

struct PoissonArrivals {
  SharedValue<SizeDistribution> sizes;  ///< a distribution of sizes
  Bytes size;                           ///< or a fixed size
  double load = 0;                      ///< payload bytes offered per sender over its line rate
  std::vector<NodeId> from, to;
  Scope scope = Scope::region;
  bool operator==(const PoissonArrivals&) const = default;
};
std::unique_ptr<Arrivals> ArrivalsFrom(PoissonArrivals a);

}  // namespace headroom
