// The results of a storage service.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "protocol/service_record.h"
#include "sim/units.h"

namespace headroom {

/// Background work of partition servers.
struct BackgroundRecord {
  uint64_t collected = 0, coded = 0;   ///< numbers of extents
  uint64_t gc_read = 0, gc_moved = 0;  ///< in bytes: read by garbage collection, and moved to a new place
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

/// Counts of a storage service's front ends, partition servers and extent nodes.
struct StorageSystemRecord {
  StorageSystemRecord& operator+=(const StorageSystemRecord& other);
  uint64_t appends = 0, appended_bytes = 0;  ///< acknowledged writes
  uint64_t filled = 0;                       ///< full extents
  uint64_t seals = 0;                        ///< seals of extents before they were full
  uint64_t refused = 0;                      ///< refusals by extent nodes
  uint64_t hedges = 0;            ///< requests to other replicas or fragments, because an answer took long
  uint64_t reconstructed = 0;     ///< pieces of reads reconstructed from other fragments
  uint64_t repeated_appends = 0;  ///< appends that extent nodes had received before
  uint64_t conflicts = 0;         ///< appends that contradicted earlier ones
  uint64_t missing = 0;           ///< reads of data that an extent node lacks
  std::optional<BackgroundRecord> background;
};

/// The data sent over TCP in both directions, without headers.
struct TcpRecord {
  uint64_t connections = 0, losses = 0;  ///< connections made; connections broken
  uint64_t bytes = 0, segments = 0;      ///< including retransmissions
  uint64_t retransmitted = 0;            ///< retransmitted segments
};

/// Totals over all its hosts and the whole run.
struct StorageRecord final : ServiceRecord {
  uint64_t connections = 0, losses = 0;  ///< losses: queue pairs that failed and were connected again
  uint64_t corrupt = 0;                  ///< wrong CRCs, found at either end
  uint64_t starved = 0;                  ///< number of waits for a credit
  uint64_t credit_messages = 0;          ///< su_rdma: messages that carried only credits
  uint64_t chunks[3] = {};               ///< su_rdma: small, medium and large chunks
  uint64_t sends = 0, writes = 0, reads = 0, registrations = 0;  ///< work requests by verb
  uint64_t executed = 0;                                         ///< I/Os executed by disks
  uint64_t repeated = 0;                                         ///< repeated writes
  std::optional<StorageSystemRecord> system;                     ///< present with a back leg
  std::optional<TcpRecord> tcp;                                  ///< present with a leg over TCP
  /// For a leg with a standby: connections that moved to the standby and back, calls repeated on the other
  /// leg, late answers on the inactive leg, and data by the leg that answered.
  struct Failover {
    uint64_t away = 0, back = 0, asked_again = 0, late = 0;
    uint64_t main_bytes = 0, standby_bytes = 0;
  } failover;
  Bytes most_registered;          ///< maximum for data at the same time, over all pools
  std::vector<ResourceUse> uses;  ///< of disks and of connections' credits

  std::vector<ResourceUse> Uses() const override { return uses; }
  void PackShare(Packer& to) const override;
  std::shared_ptr<const ServiceRecord> JoinedWith(Unpacker& share,
                                                  const std::function<bool(NodeId)>&) const override;

 private:
  /// What counts events of hosts.
  template <class P>
  void PackCounts(P& pack) {
    pack(losses, corrupt, starved, credit_messages, chunks, sends, writes, reads, registrations, executed,
         repeated, system, most_registered, uses);
  }
};

}  // namespace headroom
