// Memory of this process for verbs: footprint.h.
#pragma once

#include <functional>

#include "nic/transport/message_times.h"
#include "nic/verbs/queue_pair.h"
#include "sim/footprint.h"

namespace headroom {

/// One end of a queue pair with both halves, if this many work requests and RECVs have been posted at the
/// same time.
inline double QueuePairBytes(double sends, double receives) {
  const double halves = AllocatedBytes(sizeof(Requester)) + AllocatedBytes(sizeof(Responder));
  const double pair = AllocatedBytes(sizeof(QueuePair)) + 2 * sizeof(void*);
  const double queues = RingBytes(sends, sizeof(SendWork)) + RingBytes(sends, sizeof(SendRequest)) +
                        RingBytes(receives, sizeof(ReceiveWork));
  return halves + pair + queues + MessageTimes::kSenderBytes;
}

/// With a handler, if this many completions have waited in it.
inline double CompletionQueueBytes(double completions) {
  return AllocatedBytes(sizeof(CompletionQueue)) + RingBytes(completions, CompletionQueue::kEntryBytes);
}

/// `watched`: a program notices data that arrive in the region.
inline double RegionBytes(bool watched) {
  constexpr double kHandler = 48;
  return sizeof(MemoryRegion) + (watched ? sizeof(MemoryWatch) + kHandler : 0);
}

}  // namespace headroom
