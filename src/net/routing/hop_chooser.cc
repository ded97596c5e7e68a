#include "net/routing/hop_chooser.h"

#include "net/routing/adaptive.h"
#include "net/routing/flowlets.h"
#include "net/routing/spray.h"

namespace headroom {

std::unique_ptr<HopChooser> MakeHopChooser(const RoutingParameters& parameters, const std::string& name,
                                           BytesAhead bytes_ahead) {
  using Kind = RoutingParameters::Kind;
  switch (parameters.kind) {
    case Kind::spray:
      return std::make_unique<Spray>(name);
    case Kind::flowlet:
      return std::make_unique<Flowlets>(name, parameters.timeout);
    case Kind::adaptive:
      return std::make_unique<Adaptive>(name, std::move(bytes_ahead));
    case Kind::ecmp:
    case Kind::dimension_order:
      break;
  }
  return nullptr;
}

}  // namespace headroom
