// When the connections of a client are there, before which its workloads ask for nothing.
#pragma once

#include <algorithm>

#include "protocol/connections/connection_parameters.h"

namespace headroom {

/// No client has all its connections earlier. With queue pairs of their own they are there from the
/// beginning. A daemon asks its peer for each: a worker takes the request and posts it, and the poller takes
/// its completion, but for those that the queue pairs still have open, and the peer's answer.
inline Time ConnectedAfter(const ConnectionParameters& p) {
  if (p.system != ConnectionSystem::rdmavisor) return Time(0);
  const ConnectionCosts& c = p.costs;
  const auto servers = static_cast<int64_t>(p.servers.size());
  const Time worked =
      (c.request + std::min(c.post, c.chained)) * p.connections / std::min<int64_t>(p.workers, servers);
  const int64_t completions = 2 * int64_t{p.connections} - servers * p.depth;
  return std::max(worked, c.completion * std::max<int64_t>(completions, p.connections));
}

}  // namespace headroom
