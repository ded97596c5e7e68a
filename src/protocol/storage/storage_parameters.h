// A service of type storage: disks of compute hosts whose blocks lie on extent nodes.
#pragma once

#include <string>
#include <vector>

#include "net/topology/topology.h"
#include "sim/units.h"

namespace headroom {

enum class StorageProtocol : uint8_t { sk_rdma, su_rdma };

/// How two kinds of hosts talk. Of sk_rdma: priority, credits, crc, pool, reopen; the rest is of
/// su_rdma alone.
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
  Time reopen = Milliseconds(1);  ///< from the failure of a queue pair to the next try
  bool operator==(const StorageLeg&) const = default;
};

/// The call over su_rdma, or its answer, that carries no data. Ours.
inline constexpr uint32_t kCallBytes = 32;

/// What a disk of an extent node takes.
struct DiskParameters {
  Time read, write;
  double iops = 0;  ///< at most; 0: no limit
  bool operator==(const DiskParameters&) const = default;
};

struct StorageParameters {
  std::string name;
  std::vector<NodeId> compute, extent_nodes;
  StorageLeg front;  ///< compute hosts to extent nodes
  DiskParameters disk;
  Bytes disk_size{int64_t{1} << 40};  ///< of a compute host's disk: addresses are drawn below it
  Bytes extent{int64_t{1} << 30};     ///< a disk's extents lie on the extent nodes in turn
  bool operator==(const StorageParameters&) const = default;
};

}  // namespace headroom
