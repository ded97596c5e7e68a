// What a service of connections leaves behind.
#pragma once

#include <cstdint>

#include "protocol/service_record.h"

namespace headroom {

/// Over the whole run, all hosts together.
struct ConnectionRecord final : ServiceRecord {
  uint64_t connections = 0;
  uint64_t queue_pairs = 0;                   ///< ends
  uint64_t sends = 0, writes = 0, reads = 0;  ///< of payloads
  uint64_t fetched = 0;                       ///< of these READs, those by the peer of a sender that was busy
  uint64_t batches = 0;                       ///< posted by workers
  uint64_t copies = 0, registrations = 0;
  uint64_t delivered = 0;     ///< payloads that came by SEND
  uint64_t misdelivered = 0;  ///< at another connection than they were for, or in another order
  uint64_t lost = 0;          ///< queue pairs that failed
  // Bytes of memory.
  int64_t queue_bytes = 0;       ///< contexts, work queues, completions
  int64_t receive_bytes = 0;     ///< buffers of RECVs
  int64_t connection_bytes = 0;  ///< the daemon's memory of connections
  int64_t payload_bytes = 0;     ///< registered for payloads, at most at once
  // Cores, in the mean from the warm-up on until no more was asked for; who polls has a core to itself.
  double daemon_cores = 0, application_cores = 0;
  double daemon_busy = 0, application_busy = 0;  ///< of these, with work and not with looking for it
  double lock_wait = 0;                          ///< and of those of applications, waiting for locks
};

}  // namespace headroom
