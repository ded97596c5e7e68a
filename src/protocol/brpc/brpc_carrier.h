// bRPC's connections as carriers of streams; they use a TCP carrier for the handshake and as fallback.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "net/topology/topology.h"
#include "protocol/brpc/brpc_endpoint.h"

namespace headroom {

class BrpcCarrier final : public StreamCarrier {
 public:
  /// All arguments must outlive this object. `parameters`: those of an end at this host.
  BrpcCarrier(StreamCarrier& tcp, const Topology& topology,
              std::function<BrpcEndParameters(NodeId host)> parameters)
      : tcp_(tcp), topology_(topology), parameters_(std::move(parameters)) {}

  /// The source port of a connection's queue pair, at both ends.
  static uint16_t PortOf(const Topology& topology, NodeId opener, NodeId accepter, const std::string& name);
  /// The ends are BrpcEndpoints.
  Ends Make(const StreamSite& opener, const StreamSite& accepter, const std::string& name) override;
  void Open(Stream& opener) override { tcp_.Open(static_cast<BrpcEndpoint&>(opener).tcp()); }

 private:
  StreamCarrier& tcp_;
  const Topology& topology_;
  const std::function<BrpcEndParameters(NodeId)> parameters_;
};

}  // namespace headroom
