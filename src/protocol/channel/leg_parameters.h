// The protocol between two kinds of hosts in a storage service, and its settings.
#pragma once

#include <cstdint>

#include "ip/parameters.h"
#include "net/topology/topology.h"
#include "sim/units.h"
#include "workload/operation_kind.h"

namespace headroom {

class TrafficSink;

enum class StorageProtocol : uint8_t { sk_rdma, su_rdma, tcp };

/// The protocol settings between two kinds of hosts. All protocols use priority, crc and reopen. sk_rdma also
/// uses credits and pool, tcp uses congestion and connections; su_rdma alone uses the rest.
struct StorageLeg {
  StorageProtocol protocol = StorageProtocol::sk_rdma;
  uint8_t priority = 3;
  int credits = 64;      ///< sk_rdma: requests open at the same time; su_rdma: RECVs for the peer's data
  bool crc = true;       ///< data have a CRC
  Bytes small{4096};     ///< the largest chunk that uses SEND
  Bytes large{65'536};   ///< the largest chunk that uses WRITE; a larger chunk uses READ
  Bytes chunk{262'144};  ///< maximum size of a chunk: beyond `large`, so that READs run too
  int landings = 4;      ///< number of buffers, of `large` bytes each, for the peer's WRITEs
  Bytes pool{
      1 << 30};  ///< maximum registered memory of a core for data, in each direction; at least one slab
  Time reopen = Milliseconds(1);  ///< from the failure of a queue pair or connection to the next try
  TcpParameters::Congestion congestion = TcpParameters::Congestion::cubic;
  int connections = 1;  ///< number of connections from one host to another
  bool operator==(const StorageLeg&) const = default;

  bool OnTcp() const { return protocol == StorageProtocol::tcp; }
  /// The protocol's name in scenarios.
  const char* Name() const;
  /// RECVs of a connection at one end, and bytes of each.
  int Receives() const;
  int64_t ReceiveBytes() const;
  /// Adds the messages of a request and its answer; one of the two carries the data.
  void AddCall(NodeId from, NodeId to, OperationKind kind, int64_t bytes, TrafficSink& sink) const;
};

}  // namespace headroom
