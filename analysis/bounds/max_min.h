// Max-min fair rates by water-filling (Bertsekas and Gallager, Data Networks, section 6.5): no flow can gain
// without taking from one that has no more than it.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace headroom {

struct MaxMinFlow {
  std::vector<uint32_t> links;  ///< indices of the links on its path; a repeated link is used twice
  double limit = std::numeric_limits<double>::infinity();  ///< maximum rate of the flow
  std::vector<double> shares{};  ///< share of the flow on each link; empty: the whole flow
};

/// A rate for each flow, in the unit of the capacities; infinite for a flow without links and limit.
/// REQUIRES: capacities ≥ 0, limits ≥ 0, links < capacity.size(), shares > 0.
std::vector<double> MaxMinRates(const std::vector<double>& capacity, const std::vector<MaxMinFlow>& flows);

}  // namespace headroom
