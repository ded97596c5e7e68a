#include "nic/transport/balancing/make_balancing.h"

#include "nic/transport/balancing/mixed.h"
#include "nic/transport/balancing/reps.h"

namespace headroom {

std::unique_ptr<Balancing> MakeBalancing(const BalancingParameters& parameters, const std::string& name) {
  using Type = BalancingParameters::Type;
  switch (parameters.type) {
    case Type::none:
      break;
    case Type::oblivious:
      return std::make_unique<Rounds>(parameters.entropies, name);
    case Type::bitmap:
      return std::make_unique<Penalties>(parameters.entropies, name);
    case Type::reps:
      return std::make_unique<Reps>(parameters.entropies, name);
    case Type::mixed:
      return std::make_unique<Mixed>(parameters.entropies, name);
  }
  return nullptr;
}

}  // namespace headroom
