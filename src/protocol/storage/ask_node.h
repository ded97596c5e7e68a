// Calls from a host's parts to other hosts of the service, over any transport.
#pragma once

#include <functional>

#include "protocol/channel/storage_call.h"

namespace headroom {

/// Calls a host of the service, possibly the caller's own.
using AskNode = std::function<void(NodeId node, StorageCall call, StorageChannel::Done done)>;

}  // namespace headroom
