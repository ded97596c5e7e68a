// `routing` of a switch: a word, or a mapping by `type`.
#pragma once

#include "net/routing/routing_parameters.h"
#include "scenario/keys/keys.h"

namespace headroom::keys {

/// The default, ECMP, is not written.
KindOf<RoutingParameters> Routing();

}  // namespace headroom::keys
