// What an operation of kind `send_receive` asks for: its client sends to the rank `thread` places behind it,
// around the ring of ranks; `target` is by how many picoseconds the receiver asks for the message later.
#pragma once

#include <cstddef>
#include <vector>

#include "net/topology/topology.h"

namespace headroom {

inline NodeId RankBehind(const std::vector<NodeId>& ranks, size_t rank, int distance) {
  return ranks[(rank + static_cast<size_t>(distance)) % ranks.size()];
}

}  // namespace headroom
