// A service of type brpc, as plain data: servers that answer remote procedure calls of clients, each client
// with one connection to each server.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "protocol/application_costs.h"
#include "protocol/brpc/brpc_flow.h"
#include "protocol/service_parameters.h"

namespace headroom {

enum class BrpcTransport : uint8_t { rdma, tcp };

struct BrpcParameters {
  BrpcTransport transport = BrpcTransport::rdma;
  Bytes block = Kibibytes(8);  ///< of the pool; bRPC: rdma_recv_block_type default, large, huge
  BrpcQueues queues;
  std::vector<NodeId> without_rdma;         ///< hosts without a device; their connections fall back to TCP
  std::vector<std::string> without_source;  ///< as the scenario names them
  int workers = 8;                          ///< threads of a host; its connections use them in turn
  Time message = Microseconds(1);           ///< of a worker for a message of a call, beyond its transport
  Time handler;                             ///< of a worker for a call at its server
  ApplicationCosts costs;
  bool operator==(const BrpcParameters&) const = default;

  bool HasRdma(NodeId host) const {
    return transport == BrpcTransport::rdma && std::ranges::find(without_rdma, host) == without_rdma.end();
  }
  /// Bytes of data in a block.
  uint32_t BlockData() const;
  /// Bytes on their way on a connection, at most, in one direction.
  Bytes Window() const;
};

class BrpcSettings final : public SettingsOf<BrpcSettings, BrpcParameters> {
 public:
  /// bRPC's queue pairs and its TCP both have traffic class 0.
  std::optional<uint8_t> TcpClass(const OwnServiceParameters& service) const override {
    return service.priority;
  }
  bool OnQueuePairs() const override { return p.transport == BrpcTransport::rdma; }
  Forecast Footprint(const OwnServiceParameters& service, const ServiceLoad& load,
                     const Forecast& open) const override;
};

}  // namespace headroom
