#include "protocol/brpc/brpc_carrier.h"

#include "workload/source_port.h"

namespace headroom {

StreamCarrier::Ends BrpcCarrier::Make(const StreamSite& opener, const StreamSite& accepter,
                                      const std::string& name) {
  Ends tcp = tcp_.Make(opener, accepter, name);
  const uint16_t port =
      SourcePort(name, topology_.nodes[opener.host].name, topology_.nodes[accepter.host].name, 0);
  return {std::make_unique<BrpcEndpoint>(true, std::move(tcp.opener), *opener.process,
                                         parameters_(opener.host), port),
          std::make_unique<BrpcEndpoint>(false, std::move(tcp.accepter), *accepter.process,
                                         parameters_(accepter.host), port)};
}

}  // namespace headroom
