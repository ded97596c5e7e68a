// How a host's parts ask others of the service, whatever carries it.
#pragma once

#include <functional>

#include "protocol/channel/storage_call.h"

namespace headroom {

/// Asks a host of the service, be it the one that asks.
using AskNode = std::function<void(NodeId node, StorageCall call, StorageChannel::Done done)>;

}  // namespace headroom
