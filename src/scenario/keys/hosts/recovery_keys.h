// The keys of `transport: {recovery: …}`: a name, or a mapping with the name as its type.
#pragma once

#include "nic/transport/transport_parameters.h"
#include "scenario/keys/keys.h"

namespace headroom::keys {

KindOf<RecoveryParameters> Recoveries();
/// A recovery's requirements on the other keys of its transport.
void CheckRecovery(const Node& node, TransportParameters& transport, Reading& reading);

}  // namespace headroom::keys
