// What a service leaves behind.
#pragma once

#include <cstdint>

#include "sim/units.h"

namespace headroom {

/// What a service did, all its hosts together, over the whole run.
struct ServiceRecord {
  uint64_t connections = 0, losses = 0;  ///< losses: queue pairs that failed and were joined anew
  uint64_t corrupt = 0;                  ///< CRCs that were wrong, found at either end
  uint64_t starved = 0;                  ///< times that something waited for a credit
  uint64_t credit_messages = 0;          ///< su_rdma: that brought nothing but credits
  uint64_t chunks[3] = {};               ///< su_rdma: small, medium, large
  uint64_t sends = 0, writes = 0, reads = 0, registrations = 0;  ///< work requests
  uint64_t executed = 0;                                         ///< I/Os, by disks
  Bytes most_registered;                                         ///< for data, at once, of all pools
};

}  // namespace headroom
