#include "protocol/connections/connection_parameters.h"

#include <algorithm>

namespace headroom {

/// Clients' own queue pairs exist from the beginning. A daemon requests each connection from its peer. A
/// worker takes the request and posts it. The poller takes its completion, except those still open at the
/// queue pairs, and the peer's answer.
Time ConnectionParameters::Connected() const {
  if (system != ConnectionSystem::rdmavisor) return Time(0);
  const auto peers = static_cast<int64_t>(servers.size());
  const Time worked =
      (costs.request + std::min(costs.post, costs.chained)) * connections / std::min<int64_t>(workers, peers);
  const int64_t completions = 2 * int64_t{connections} - peers * depth;
  return std::max(worked, costs.completion * std::max<int64_t>(completions, connections));
}

}  // namespace headroom
