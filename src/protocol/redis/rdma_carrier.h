// Carries streams over RDMA, between libvalkey at the opening end and a Valkey server at the other.
#pragma once

#include <map>
#include <vector>

#include "protocol/redis/rdma_stream.h"

namespace headroom {

class RdmaCarrier final : public StreamCarrier, public CmListener {
 public:
  struct Parameters {
    ApplicationCosts costs;
    uint32_t client_buffer = 1 << 20, server_buffer = 1 << 20;  ///< in bytes
    uint8_t priority = 3;
    uint8_t tag = 0;
    uint16_t service = 0;  ///< its number for the connection managers
  };
  explicit RdmaCarrier(const Parameters& parameters) : p_(parameters) {}

  Ends Make(const StreamSite& opener, const StreamSite& accepter, const std::string& name) override;
  void Open(Stream& opener) override;
  CmParty* OnRequest(uint64_t session, NodeId from) override;
  /// The counts of both ends of all streams.
  RdmaStreamCounts counts() const;

 private:
  struct Pair {
    RdmaStream* opener = nullptr;
    RdmaStream* accepter = nullptr;
    NodeId from = 0, to = 0;
  };
  RdmaStream::Parameters ParametersOf(const RdmaStreamRole& role, uint32_t buffer) const;

  const Parameters p_;
  std::map<const Stream*, Pair> pairs_;       ///< keyed by the opener, until it is opened
  std::map<uint64_t, RdmaStream*> expected_;  ///< keyed by session
  std::map<NodeId, uint64_t> places_;         ///< number of streams of each host
  std::vector<const RdmaStream*> streams_;
};

}  // namespace headroom
