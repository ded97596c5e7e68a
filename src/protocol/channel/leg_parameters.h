// The protocol between two kinds of hosts of a storage service, and its settings.
#pragma once

#include <cstdint>

#include "ip/parameters.h"
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
  Bytes small{4096};    ///< largest chunk that is sent
  Bytes large{65'536};  ///< up to which it is written; beyond it is read
  Bytes chunk{65'536};  ///< at most
  int landings = 4;     ///< of `large` bytes each, where the peer's WRITEs go
  Bytes pool{1 << 30};  ///< registered memory of a core for data, at most, each way; a slab at least
  Time reopen = Milliseconds(1);  ///< from the failure of a queue pair or connection to the next try
  TcpParameters::Congestion congestion = TcpParameters::Congestion::cubic;
  int connections = 1;  ///< from one host to another
  bool operator==(const StorageLeg&) const = default;
};

}  // namespace headroom
