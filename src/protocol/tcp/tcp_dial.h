// A TCP connection in progress: from the SYN until it is established, refused or given up.
#pragma once

#include <ns3/inet-socket-address.h>
#include <ns3/node.h>

#include <functional>

#include "protocol/tcp/tcp_socket.h"

namespace headroom {

/// The ends of a connection, and its settings.
struct TcpPath {
  ns3::Ptr<ns3::Node> node;
  ns3::InetSocketAddress peer;
  uint8_t tos = 0;
  ns3::TypeId congestion;
  uint16_t port = 0;        ///< port of this end; 0: ns-3 chooses one
  bool user_space = false;  ///< uses libvma's stack (TcpSocket::BehaveAsLibvma)
};

class TcpDial final {
 public:
  /// Gets a connected socket; null if the peer refused, or did not answer.
  using Done = std::function<void(const ns3::Ptr<ns3::Socket>&)>;
  TcpDial() = default;
  ~TcpDial() { Forget(); }
  TcpDial(const TcpDial&) = delete;
  TcpDial& operator=(const TcpDial&) = delete;

  /// Sends a SYN. `done` is called once. REQUIRES: no connection is in progress.
  void Connect(const TcpPath& path, Done done);
  /// Gives up the connection in progress, if there is one. `done` is not called.
  void Close();

 private:
  void Forget();
  void OnConnected(ns3::Ptr<ns3::Socket> socket);
  void OnRefused(ns3::Ptr<ns3::Socket>);

  ns3::Ptr<TcpSocket> socket_;  ///< null: no connection is in progress
  Done done_;
};

}  // namespace headroom
