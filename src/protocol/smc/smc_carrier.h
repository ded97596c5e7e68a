// Streams over SMC-R: each is a TCP connection and, if both hosts have SMC-R, a connection on a link.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "protocol/smc/smc_stream.h"
#include "protocol/tcp/tcp_carrier.h"

namespace headroom {

class SmcCarrier final : public StreamCarrier {
 public:
  /// `tcp_priority`: class of its TCP. `name`: name of its random numbers.
  SmcCarrier(const ApplicationCosts& costs, const SmcParameters& parameters, uint8_t tcp_priority,
             const std::string& name);

  Ends Make(const StreamSite& opener, const StreamSite& accepter, const std::string& name) override;
  void Open(Stream& opener) override { tcp_.Open(static_cast<SmcStream&>(opener).tcp()); }

 private:
  SmcHost& HostAt(const StreamSite& site);

  const ApplicationCosts costs_;
  const SmcParameters parameters_;
  const std::string name_;
  TcpCarrier tcp_;
  std::map<NodeId, std::unique_ptr<SmcHost>> hosts_;
};

}  // namespace headroom
