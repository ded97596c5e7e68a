// The target of a `send_receive` operation. Its client sends to the rank `thread` places behind it, around
// the ring of ranks. `target` is the delay, in picoseconds, until the receiver requests the message.
#pragma once

#include <cstddef>
#include <vector>

#include "net/topology/topology.h"

namespace headroom {

inline NodeId RankBehind(const std::vector<NodeId>& ranks, size_t rank, int distance) {
  return ranks[(rank + static_cast<size_t>(distance)) % ranks.size()];
}

}  // namespace headroom
