// Calls of a host's parts to others of the service, over any transport.
#pragma once

#include <functional>

#include "protocol/channel/storage_call.h"

namespace headroom {

/// Asks a host of the service, even the caller's own.
using AskNode = std::function<void(NodeId node, StorageCall call, StorageChannel::Done done)>;

}  // namespace headroom
