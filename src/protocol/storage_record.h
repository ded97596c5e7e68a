// What a service of storage leaves behind.
#pragma once

#include <cstdint>
#include <optional>

#include "protocol/service_record.h"
#include "sim/units.h"

namespace headroom {

/// Background work of partition servers.
struct BackgroundRecord {
  uint64_t collected = 0, coded = 0;   ///< extents
  uint64_t gc_read = 0, gc_moved = 0;  ///< bytes: of garbage collection, and found in their new place
  uint64_t reencode_read = 0, reencode_written = 0;
  uint64_t failed = 0;  ///< pieces that could not be read or written

  BackgroundRecord& operator+=(const BackgroundRecord& other) {
    collected += other.collected;
    coded += other.coded;
    gc_read += other.gc_read;
    gc_moved += other.gc_moved;
    reencode_read += other.reencode_read;
    reencode_written += other.reencode_written;
    failed += other.failed;
    return *this;
  }
};

/// What front ends, partition servers and extent nodes of a storage service did.
struct StorageSystemRecord {
  uint64_t appends = 0, appended_bytes = 0;  ///< acknowledged writes
  uint64_t filled = 0;                       ///< extents
  uint64_t seals = 0;                        ///< of extents before they were full
  uint64_t refused = 0;                      ///< answers of extent nodes that they cannot
  uint64_t hedges = 0;                       ///< other replicas or fragments asked because one took long
  uint64_t reconstructed = 0;                ///< pieces of reads put together from other fragments
  uint64_t repeated_appends = 0;             ///< at extent nodes, that had come before
  uint64_t conflicts = 0;                    ///< and that were not what had
  uint64_t missing = 0;                      ///< reads of data that an extent node does not have
  std::optional<BackgroundRecord> background;
};

/// What went over TCP, both ways, without its headers.
struct TcpRecord {
  uint64_t connections = 0, losses = 0;  ///< made in all; of these, broken ones
  uint64_t bytes = 0, segments = 0;      ///< retransmissions included
  uint64_t retransmitted = 0;            ///< of the segments
};

/// All its hosts together, over the whole run.
struct StorageRecord final : ServiceRecord {
  uint64_t connections = 0, losses = 0;  ///< losses: queue pairs that failed and were joined anew
  uint64_t corrupt = 0;                  ///< CRCs that were wrong, found at either end
  uint64_t starved = 0;                  ///< times that something waited for a credit
  uint64_t credit_messages = 0;          ///< su_rdma: that brought nothing but credits
  uint64_t chunks[3] = {};               ///< su_rdma: small, medium, large
  uint64_t sends = 0, writes = 0, reads = 0, registrations = 0;  ///< work requests
  uint64_t executed = 0;                                         ///< I/Os, by disks
  uint64_t repeated = 0;                                         ///< writes that had come before
  std::optional<StorageSystemRecord> system;                     ///< with a back leg
  std::optional<TcpRecord> tcp;                                  ///< with a leg over TCP
  /// Of a leg with another on standby: connections that moved to it and back, calls repeated on the other
  /// one, late answers on the one left behind, and data on the one that answered.
  struct Failover {
    uint64_t away = 0, back = 0, asked_again = 0, late = 0;
    uint64_t main_bytes = 0, standby_bytes = 0;
  } failover;
  Bytes most_registered;  ///< for data, at once, of all pools
};

}  // namespace headroom
