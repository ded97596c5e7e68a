// The keys of services of connections: entries of `services` by `type`.
#pragma once

#include <vector>

#include "scenario/keys/keys.h"
#include "scenario/workload.h"

namespace headroom::keys {

inline constexpr const char* kConnectionPage = "models/rdma-as-a-service.md";

/// Ordered like ConnectionSystem.
const std::vector<const KeysOf<ConnectionEntry>*>& ConnectionTypes();
/// An entry of this type before its keys are read.
ConnectionEntry StartAs(ConnectionSystem system);

}  // namespace headroom::keys
