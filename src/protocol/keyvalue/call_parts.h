// What the time of a request and its answer went to.
#pragma once

#include <algorithm>

#include "protocol/keyvalue/exchange.h"
#include "protocol/trail.h"
#include "sim/event_queue.h"

namespace headroom {

/// Adds them to `parts`. They sum to the time from when it was asked for until now.
inline void AddParts(const ExchangeTimes& t, Trail::Parts& parts) {
  const Time now = EventQueue::Get().now();
  const auto add = [&](OperationPart part, Time time) {
    parts[static_cast<size_t>(part)] += time;
    return time;
  };
  Time left = now - t.asked;
  left -= add(OperationPart::core_queue, t.sent - t.asked);
  // Of a request that was sent again, the last one counts, unless the answer is to an earlier one.
  const bool again = t.retries > 0 && t.server.ready >= t.resent;
  if (again) left -= add(OperationPart::timeout, t.resent - t.sent);
  if (t.server.ready >= t.sent && t.server.executed <= now && t.server.executed >= t.server.taken) {
    const Time worked = std::min(t.server.worked, t.server.executed - t.server.ready);
    left -= add(OperationPart::core, worked);
    left -= add(OperationPart::core_queue, t.server.executed - t.server.ready - worked);
  }
  add(OperationPart::network, left);
}

}  // namespace headroom
