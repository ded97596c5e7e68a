#include "net/routing/adaptive.h"

namespace headroom {

uint16_t Adaptive::Choose(const Frame& frame, std::span<const uint16_t> ports) {
  if (ports.size() == 1) return ports[0];
  int64_t least = INT64_MAX;
  size_t equal = 0;
  for (const uint16_t port : ports) {
    const int64_t bytes = bytes_ahead_(frame, port).value_or(INT64_MAX);
    if (bytes < least) equal = 0;
    if (bytes <= least) ++equal;
    least = std::min(least, bytes);
  }
  uint64_t skip = equal == 1 ? 0 : random_.Below(equal);
  for (const uint16_t port : ports) {
    if (bytes_ahead_(frame, port).value_or(INT64_MAX) == least && skip-- == 0) return port;
  }
  return ports[0];  // unreachable
}

}  // namespace headroom
