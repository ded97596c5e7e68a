// Streams over TCP, each a separate connection: of the kernel's stack, or of libvma's in user space. Both
// stacks send plain TCP on the wire. They differ in the costs to a host, and in the settings of their
// sockets.
//
// Each carrier listens at its own port at each accepting host. The opening end has its own port, by which the
// other host recognises the stream.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "protocol/tcp/tcp_server.h"
#include "protocol/tcp/tcp_stream.h"

namespace headroom {

class TcpCarrier final : public StreamCarrier {
 public:
  enum class Stack : uint8_t { kernel, user_space };
  /// `priority`: class of the packets. REQUIRES: the class has its own DSCP.
  TcpCarrier(const ApplicationCosts& costs, uint8_t priority, Stack stack = Stack::kernel);

  Ends Make(const StreamSite& opener, const StreamSite& accepter, const std::string& name) override;
  void Open(Stream& opener) override;

 private:
  /// Streams of a host that wait to be accepted, keyed by the opener's address and port.
  struct Listening {
    uint16_t port = 0;
    std::unique_ptr<TcpListener> listener;
    std::map<std::pair<uint32_t, uint16_t>, TcpStream*> expected;
  };
  Listening& ListenAt(const StreamSite& site);
  ns3::TypeId CongestionAt(const IpStack& ip) const;

  const TcpStream::Costs costs_;
  const uint8_t priority_;
  const Stack stack_;
  std::map<NodeId, Listening> listening_;
  std::map<const Stream*, TcpPath> paths_;  ///< keyed by opener
};

}  // namespace headroom
