// What the time of a request and its answer went to.
#pragma once

#include <algorithm>

#include "protocol/keyvalue/slot_exchange.h"
#include "protocol/trail.h"
#include "sim/event_queue.h"

namespace headroom {

/// Adds the time from when it was asked for until now.
inline void AddParts(const SlotExchangeTimes& t, const Trail& trail, Trail::Account& account) {
  const Time now = EventQueue::Get().now();
  const ServerProcess::Times& server = t.server.times;
  account.Add(OperationPart::core_queue, t.sent - t.asked);
  // Of a request that was sent again, the last one counts, unless the answer is to an earlier one.
  const bool again = t.retries > 0 && server.ready >= t.resent;
  const Time out = again ? t.resent : t.sent;
  account.Add(OperationPart::timeout, out - t.sent);
  if (server.ready < t.sent || server.executed > now || server.executed < server.taken)  // it was not served
    return trail.AddMessage({}, out, now, account);
  trail.AddMessage({t.server.request, true}, out, server.ready, account);
  const Time worked = std::min(server.worked, server.executed - server.ready);
  account.Add(OperationPart::core, worked);
  account.Add(OperationPart::core_queue, server.executed - server.ready - worked);
  trail.AddMessage({t.answer, true}, server.executed, now, account);
}

}  // namespace headroom
