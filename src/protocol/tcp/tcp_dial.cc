#include "protocol/tcp/tcp_dial.h"

#include <utility>

namespace headroom {

void TcpDial::Connect(const TcpPath& path, Done done) {
  done_ = std::move(done);
  socket_ = TcpSocket::New(path.node, path.congestion, path.tos);
  if (path.user_space) socket_->BehaveAsLibvma();
  socket_->SetConnectCallback(ns3::MakeCallback(&TcpDial::OnConnected, this),
                              ns3::MakeCallback(&TcpDial::OnRefused, this));
  // A reset, sent because no program listens there, closes the socket.
  socket_->SetCloseCallbacks(ns3::MakeCallback(&TcpDial::OnRefused, this),
                             ns3::MakeCallback(&TcpDial::OnRefused, this));
  // ns-3 takes the TOS of a socket from the addresses passed to it.
  if (path.port != 0) {
    ns3::InetSocketAddress own(ns3::Ipv4Address::GetAny(), path.port);
    own.SetTos(path.tos);
    socket_->Bind(own);
  }
  ns3::InetSocketAddress peer = path.peer;
  peer.SetTos(path.tos);
  socket_->Connect(peer);
}

/// Ignores later events of the socket.
void TcpDial::Forget() {
  if (socket_ == nullptr) return;
  socket_->SetConnectCallback(ns3::MakeNullCallback<void, ns3::Ptr<ns3::Socket>>(),
                              ns3::MakeNullCallback<void, ns3::Ptr<ns3::Socket>>());
  socket_->SetCloseCallbacks(ns3::MakeNullCallback<void, ns3::Ptr<ns3::Socket>>(),
                             ns3::MakeNullCallback<void, ns3::Ptr<ns3::Socket>>());
  socket_ = nullptr;
}

void TcpDial::Close() {
  const auto socket = socket_;
  Forget();
  if (socket != nullptr) socket->Close();
}

void TcpDial::OnConnected(ns3::Ptr<ns3::Socket> socket) {
  Forget();
  std::exchange(done_, nullptr)(socket);
}

void TcpDial::OnRefused(ns3::Ptr<ns3::Socket>) {
  if (socket_ == nullptr) return;  // the result was reported already
  Forget();
  std::exchange(done_, nullptr)(nullptr);
}

}  // namespace headroom
