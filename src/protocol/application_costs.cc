#include "protocol/application_costs.h"

namespace headroom {

CoreCosts ApplicationCosts::OfCores() const {
  constexpr double kHertz = 1e12;  // a cycle is one picosecond
  CoreCosts costs;
  costs.clock_hz = kHertz;
  costs.rdma.cycles_per_message = static_cast<double>(completion.v);
  costs.rdma.cycles_per_byte = 8 * kHertz / static_cast<double>(copy.v);
  return costs;
}

}  // namespace headroom
