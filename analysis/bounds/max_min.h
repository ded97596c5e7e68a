// Max-min fair rates by water-filling (Bertsekas and Gallager, Data Networks, section 6.5): shares of flows
// over shared links such that no flow can gain without taking from one that has no more than it.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace headroom {

struct MaxMinFlow {
  std::vector<uint32_t> links;  ///< indices of the links on its way; a link named twice is used twice
  double limit = std::numeric_limits<double>::infinity();  ///< no more than this
  std::vector<double> shares{};                            ///< of the flow on each link; empty: all of it
};

/// A rate for each flow, in the unit of the capacities; infinite for a flow without link and limit.
/// REQUIRES: capacities ≥ 0, limits ≥ 0, links < capacity.size(), shares > 0.
std::vector<double> MaxMinRates(const std::vector<double>& capacity, const std::vector<MaxMinFlow>& flows);

}  // namespace headroom
