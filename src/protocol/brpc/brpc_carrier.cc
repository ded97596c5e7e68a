#include "protocol/brpc/brpc_carrier.h"

#include "workload/source_port.h"

namespace headroom {

uint16_t BrpcCarrier::PortOf(const Topology& topology, NodeId opener, NodeId accepter,
                             const std::string& name) {
  return SourcePort(name, topology.nodes[opener].name, topology.nodes[accepter].name, 0);
}

StreamCarrier::Ends BrpcCarrier::Make(const StreamSite& opener, const StreamSite& accepter,
                                      const std::string& name) {
  Ends tcp = tcp_.Make(opener, accepter, name);
  const uint16_t port = PortOf(topology_, opener.host, accepter.host, name);
  return {std::make_unique<BrpcEndpoint>(true, std::move(tcp.opener), *opener.process,
                                         parameters_(opener.host), port),
          std::make_unique<BrpcEndpoint>(false, std::move(tcp.accepter), *accepter.process,
                                         parameters_(accepter.host), port)};
}

}  // namespace headroom
