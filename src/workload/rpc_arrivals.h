// Remote procedure calls of clients, as plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "net/topology/topology.h"
#include "sim/units.h"
#include "workload/arrivals.h"

namespace headroom {

/// Calls from each client to the servers of its service in round-robin order: the client calls again when a
/// call ends, or at a rate.
struct RpcArrivals {
  uint32_t service = 0;          ///< index into the scenario's services of types that register themselves
  std::vector<NodeId> from, to;  ///< its clients and its servers
  Bytes request = Kibibytes(1), answer = Kibibytes(64);
  int depth = 1;    ///< closed loop: open calls per client
  double rate = 0;  ///< open loop: calls per second of a client; 0: closed
  Time start;
  std::optional<Time> stop;
  bool operator==(const RpcArrivals&) const = default;
};

std::unique_ptr<Arrivals> ArrivalsFrom(RpcArrivals a);

/// The server of a call, and the share of the request in its bytes.
struct RpcTarget {
  NodeId server = 0;
  uint32_t request = 0;
  uint64_t number() const { return uint64_t{request} << 32 | server; }
  static RpcTarget Of(uint64_t number) {
    return {static_cast<NodeId>(number), static_cast<uint32_t>(number >> 32)};
  }
};

}  // namespace headroom
