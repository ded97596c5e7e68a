// The chunks of one write to a stream of sU-RDMA.
#pragma once

#include <algorithm>
#include <cstdint>

#include "protocol/channel/leg_parameters.h"

namespace headroom {

/// Calls f(bytes, whether another follows), in order.
template <class F>
void ForEachChunk(const StorageLeg& leg, int64_t bytes, F&& f) {
  for (int64_t left = bytes; left > 0;) {
    const int64_t chunk = std::min(left, leg.chunk.v);
    left -= chunk;
    f(chunk, left > 0);
  }
}

}  // namespace headroom
