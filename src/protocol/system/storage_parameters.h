// A service of type storage: disks of compute hosts whose blocks lie on extent nodes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ip/parameters.h"
#include "net/topology/topology.h"
#include "protocol/system/background_parameters.h"
#include "protocol/system/disk_parameters.h"
#include "protocol/system/erasure.h"
#include "protocol/system/failover_parameters.h"
#include "protocol/system/placement.h"
#include "sim/units.h"

namespace headroom {

enum class StorageProtocol : uint8_t { sk_rdma, su_rdma, tcp };

/// How two kinds of hosts talk. Of all: priority, crc, reopen; of sk_rdma: credits, pool, too; of tcp:
/// congestion, connections; the rest is of su_rdma alone.
struct StorageLeg {
  StorageProtocol protocol = StorageProtocol::sk_rdma;
  uint8_t priority = 3;
  int credits = 64;     ///< sk_rdma: requests open at a time; su_rdma: RECVs for the peer's data
  bool crc = true;      ///< over the data
  Bytes small{4096};    ///< of a chunk, up to which it is sent
  Bytes large{65'536};  ///< up to which it is written; beyond it is read
  Bytes chunk{65'536};  ///< at most
  int landings = 4;     ///< of `large` bytes each, where the peer's WRITEs go
  Bytes pool{1 << 30};  ///< registered memory of a core for data, at most, each way; a slab at least
  Time reopen = Milliseconds(1);  ///< from the failure of a queue pair or connection to the next try
  TcpParameters::Congestion congestion = TcpParameters::Congestion::cubic;
  int connections = 1;  ///< from one host to another
  bool operator==(const StorageLeg&) const = default;
};

/// What becomes of an extent one of whose nodes refuses, or does not answer.
struct SealParameters {
  Time after;                     ///< without an answer; 0: only where a node refuses
  int backoff = 2;                ///< `after` is so many times as long after each such seal (seal_timeout.h)
  Time takes = Milliseconds(20);  ///< Calder et al., SOSP 2011, section 4.2: about 20 ms
  bool operator==(const SealParameters&) const = default;
};

/// Defects, by which those who look for them are tried.
struct StorageBugs {
  bool early_answer = false;  ///< a write is answered after all replicas but one
  bool repeats = false;       ///< what comes again is executed again
  bool stale_reads = false;   ///< reads find what was written later than its writer is told
  bool operator==(const StorageBugs&) const = default;
};

/// What stands by for the legs, and when it is used.
struct StorageFailover {
  StorageLeg to;
  FailoverParameters when;
  bool operator==(const StorageFailover&) const = default;
};

struct StorageParameters {
  std::string name;
  std::vector<NodeId> compute, extent_nodes;
  std::vector<NodeId> front_ends, partition_servers;  ///< with a back leg
  StorageLeg front;                ///< compute hosts to front ends; without a back leg to extent nodes
  std::optional<StorageLeg> back;  ///< front ends to partition servers, and these to extent nodes
  std::optional<StorageFailover> failover;
  int replicas = 3;                            ///< with a back leg: of an extent
  FailureDomain across = FailureDomain::rack;  ///< replicas and fragments are in different ones
  std::optional<ErasureParameters> erasure;
  std::optional<BackgroundParameters> background;
  SealParameters seal;
  Time hedge;  ///< of a read until another replica is asked, too; 0: not
  StorageBugs bugs;
  DiskParameters disk;
  Bytes disk_size{int64_t{1} << 40};  ///< of a compute host's disk: addresses are drawn below it
  Bytes extent{int64_t{1} << 30};     ///< without `back` a disk's extents lie on the extent nodes in turn
  Time timeout;     ///< from asking for an operation until it is asked for again; 0: however long it takes
  int retries = 3;  ///< with a timeout, before the operation fails
  bool operator==(const StorageParameters&) const = default;
};

}  // namespace headroom
