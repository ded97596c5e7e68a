// Payloads on connections of a service, as plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "net/topology/topology.h"
#include "sim/units.h"
#include "workload/arrivals.h"

namespace headroom {

/// Payloads on each client's connections to a service: the client starts the next one when one ends, or at a
/// rate.
struct TransferArrivals {
  uint32_t service = 0;              ///< index into the scenario's services of connections
  std::vector<NodeId> from, to;      ///< its clients and its servers
  int connections = 1, threads = 1;  ///< per client
  Bytes size;
  OperationKind kind = OperationKind::read;  ///< read, write, send or transfer
  bool random =
      false;  ///< a thread draws the connection of each payload; otherwise every connection has its own loop
  int window = 1;   ///< closed loop: open payloads of a connection, or of a thread that draws
  double rate = 0;  ///< open loop: payloads per second of a client, on random connections; 0: closed
  Time start;
  std::optional<Time> stop;
  bool operator==(const TransferArrivals&) const = default;
};

std::unique_ptr<Arrivals> ArrivalsFrom(TransferArrivals a);

}  // namespace headroom
