// The results of a service of connections.
#pragma once

#include <cstdint>

#include "protocol/service_record.h"

namespace headroom {

/// Totals over the whole run and all hosts.
struct ConnectionRecord final : ServiceRecord {
  uint64_t connections = 0;
  uint64_t queue_pairs = 0;                   ///< number of ends of queue pairs
  uint64_t sends = 0, writes = 0, reads = 0;  ///< payloads by verb
  uint64_t fetched = 0;                       ///< number of these READs that the peer of a busy sender made
  uint64_t batches = 0;                       ///< batches posted by workers
  uint64_t copies = 0, registrations = 0;
  uint64_t delivered = 0;     ///< payloads that arrived by SEND
  uint64_t misdelivered = 0;  ///< payloads that arrived at the wrong connection, or out of order
  uint64_t lost = 0;          ///< queue pairs that failed
  // Bytes of memory:
  int64_t queue_bytes = 0;       ///< contexts, work queues, completions
  int64_t receive_bytes = 0;     ///< buffers of RECVs
  int64_t connection_bytes = 0;  ///< the daemon's memory of connections
  int64_t payload_bytes = 0;     ///< maximum registered for payloads at the same time
  // Mean number of cores from the warm-up until the last request; a polling thread occupies a core.
  double daemon_cores = 0, application_cores = 0;
  double daemon_busy = 0,
         application_busy = 0;  ///< the part of these cores with work, without polling for work
  double lock_wait = 0;         ///< and the part of the applications' cores that waits for locks
};

}  // namespace headroom
