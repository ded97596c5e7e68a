// The time when all connections of a client exist; its workloads request nothing before.
#pragma once

#include <algorithm>

#include "protocol/connections/connection_parameters.h"

namespace headroom {

/// A lower bound: no client has all its connections earlier. Clients' own queue pairs exist from the
/// beginning. A daemon requests each connection from its peer. A worker takes the request and posts it. The
/// poller takes its completion, except those still open at the queue pairs, and the peer's answer.
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
