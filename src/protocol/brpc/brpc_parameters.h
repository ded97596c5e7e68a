// A service of type brpc as plain data: servers that answer remote procedure calls of clients. Each client
// has one connection to each server.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "protocol/application_costs.h"
#include "protocol/brpc/brpc_flow.h"
#include "protocol/service_parameters.h"

namespace headroom {

enum class BrpcTransport : uint8_t { rdma, tcp };

struct BrpcParameters final : ServiceParametersOf<BrpcParameters> {
  BrpcTransport transport = BrpcTransport::rdma;
  Bytes block = Kibibytes(8);  ///< block size of the pool; bRPC: rdma_recv_block_type default, large, huge
  BrpcQueues queues;
  std::vector<NodeId> without_rdma;         ///< hosts without a device; their connections fall back to TCP
  std::vector<std::string> without_source;  ///< these hosts in the words of the scenario
  bool event_per_message = false;  ///< without aggregation: every work request raises an event at both ends
  int workers = 8;  ///< threads per host; connections are assigned to them in round-robin order
  Time message = Microseconds(1);  ///< cost to a worker for a message of a call, beyond its transport
  Time handler;                    ///< cost to a worker for a call at its server
  ApplicationCosts costs;
  bool operator==(const BrpcParameters&) const = default;

  bool HasRdma(NodeId host) const {
    return transport == BrpcTransport::rdma && std::ranges::find(without_rdma, host) == without_rdma.end();
  }
  /// Bytes of data in a block.
  uint32_t BlockData() const;
  /// Maximum bytes in flight on a connection, in one direction.
  Bytes Window() const;

  /// bRPC's queue pairs and its TCP both use traffic class 0.
  std::optional<uint8_t> TcpClass() const override { return priority; }
  bool OnQueuePairs() const override { return transport == BrpcTransport::rdma; }
  bool Acknowledged() const override { return OnQueuePairs(); }
  bool IsApplication() const override { return true; }
  UnusedKeys Unused() const override;
  void ForEachPort(const Topology& topology, const UsePort& use) const override;
  std::optional<Forecast> Footprint(const Topology& topology, const ServiceLoad& load,
                                    const ServiceDemand& demand) const override;
};

}  // namespace headroom
