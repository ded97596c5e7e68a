#include "protocol/redis/rdma_carrier.h"

namespace headroom {

RdmaStream::Parameters RdmaCarrier::ParametersOf(const RdmaStreamRole& role, uint32_t buffer) const {
  return {role, buffer, p_.costs, p_.priority, p_.tag};
}

StreamCarrier::Ends RdmaCarrier::Make(const StreamSite& opener, const StreamSite& accepter,
                                      const std::string& name) {
  auto client = std::make_unique<RdmaStream>(ParametersOf(kRdmaClient, p_.client_buffer), opener,
                                             places_[opener.host]++, name + "/client");
  auto server = std::make_unique<RdmaStream>(ParametersOf(kRdmaServer, p_.server_buffer), accepter,
                                             places_[accepter.host]++, name + "/server");
  accepter.cm->Listen(p_.service, *this);
  pairs_[client.get()] = {client.get(), server.get(), opener.host, accepter.host};
  streams_.insert(streams_.end(), {client.get(), server.get()});
  return {std::move(client), std::move(server)};
}

RdmaStreamCounts RdmaCarrier::counts() const {
  RdmaStreamCounts all;
  for (const RdmaStream* stream : streams_) all += stream->counts();
  return all;
}

void RdmaCarrier::Open(Stream& opener) {
  const auto at = pairs_.find(&opener);
  const Pair pair = at->second;
  pairs_.erase(at);
  const uint64_t session = pair.opener->Open(pair.to, p_.service);
  pair.accepter->Accept(session, pair.from);
  expected_[session] = pair.accepter;
}

CmParty* RdmaCarrier::OnRequest(uint64_t session, NodeId) {
  const auto at = expected_.find(session);
  if (at == expected_.end()) return nullptr;
  RdmaStream* const accepter = at->second;
  expected_.erase(at);
  return accepter;
}

}  // namespace headroom
