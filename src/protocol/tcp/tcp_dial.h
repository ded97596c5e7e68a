// A TCP connection that is being made: from the SYN until it is established, refused or given up.
#pragma once

#include <ns3/inet-socket-address.h>
#include <ns3/node.h>

#include <functional>

#include "protocol/tcp/tcp_socket.h"

namespace headroom {

/// From where to where, and with which settings.
struct TcpPath {
  ns3::Ptr<ns3::Node> node;
  ns3::InetSocketAddress peer;
  uint8_t tos = 0;
  ns3::TypeId congestion;
  uint16_t port = 0;        ///< of this end; 0: ns-3 chooses one
  bool user_space = false;  ///< the stack is libvma's (TcpSocket::BehaveAsLibvma)
};

class TcpDial final {
 public:
  /// A socket that is connected; null: the peer refused, or did not answer.
  using Done = std::function<void(const ns3::Ptr<ns3::Socket>&)>;
  TcpDial() = default;
  ~TcpDial() { Forget(); }
  TcpDial(const TcpDial&) = delete;
  TcpDial& operator=(const TcpDial&) = delete;

  /// Sends a SYN. `done` hears once. REQUIRES: nothing is being made.
  void Connect(const TcpPath& path, Done done);
  /// Gives up what is being made, if something is. `done` does not hear.
  void Close();

 private:
  void Forget();
  void OnConnected(ns3::Ptr<ns3::Socket> socket);
  void OnRefused(ns3::Ptr<ns3::Socket>);

  ns3::Ptr<TcpSocket> socket_;  ///< null: nothing is being made
  Done done_;
};

}  // namespace headroom
