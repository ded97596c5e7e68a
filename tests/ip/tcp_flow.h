// A transfer on ns-3's TCP from one host to another.
#pragma once

#include <ns3/inet-socket-address.h>
#include <ns3/packet.h>
#include <ns3/socket.h>
#include <ns3/tcp-socket-factory.h>

#include "ip/ip_stack.h"
#include "support/lab.h"

namespace headroom::ip_test {

class TcpFlow {
 public:
  /// Sends `bytes` from now on, and closes the connection. Both hosts have stacks.
  TcpFlow(IpStack& stack, NodeId src, NodeId dst, uint16_t port, int64_t bytes, uint8_t tos = 0)
      : left_(bytes) {
    using ns3::Socket;
    const auto tcp = ns3::TcpSocketFactory::GetTypeId();
    listener_ = Socket::CreateSocket(stack.Node(dst), tcp);
    listener_->SetIpTos(tos);
    listener_->Bind(ns3::InetSocketAddress(ns3::Ipv4Address::GetAny(), port));
    listener_->Listen();
    listener_->SetAcceptCallback(ns3::MakeNullCallback<bool, ns3::Ptr<Socket>, const ns3::Address&>(),
                                 ns3::MakeCallback(&TcpFlow::OnAccept, this));
    sender = Socket::CreateSocket(stack.Node(src), tcp);
    sender->SetIpTos(tos);
    sender->SetConnectCallback(ns3::MakeCallback(&TcpFlow::OnConnected, this),
                               ns3::MakeNullCallback<void, ns3::Ptr<Socket>>());
    sender->SetSendCallback(ns3::MakeCallback(&TcpFlow::OnRoom, this));
    sender->Connect(ns3::InetSocketAddress(IpStack::AddressOf(dst), port));
  }

  int64_t received = 0;
  Time first = kNever, last = kNever;  ///< times at which bytes arrived
  ns3::Ptr<ns3::Socket> sender;

 private:
  void OnAccept(ns3::Ptr<ns3::Socket> socket, const ns3::Address&) {
    accepted_ = socket;
    socket->SetRecvCallback(ns3::MakeCallback(&TcpFlow::OnReceived, this));
  }
  void OnConnected(ns3::Ptr<ns3::Socket> socket) { OnRoom(socket, socket->GetTxAvailable()); }
  void OnRoom(ns3::Ptr<ns3::Socket> socket, uint32_t) {
    while (left_ > 0 && socket->GetTxAvailable() > 0) {
      const auto n = static_cast<uint32_t>(std::min<int64_t>(left_, socket->GetTxAvailable()));
      const int sent = socket->Send(ns3::Create<ns3::Packet>(n));
      if (sent <= 0) return;
      left_ -= sent;
    }
    if (left_ == 0) socket->Close();
  }
  void OnReceived(ns3::Ptr<ns3::Socket> socket) {
    while (const ns3::Ptr<ns3::Packet> packet = socket->Recv()) {
      if (packet->GetSize() == 0) break;
      received += packet->GetSize();
      if (first == kNever) first = EventQueue::Get().now();
      last = EventQueue::Get().now();
    }
  }

  int64_t left_;
  ns3::Ptr<ns3::Socket> listener_, accepted_;
};

/// Payload as a share of the frames' bytes on the wire, for full segments one way.
inline double LineShare(int64_t mtu) {
  return static_cast<double>(mtu - 40) / static_cast<double>(mtu + 14 + 4 + 20);
}

/// Stacks on all hosts of the laboratory.
inline IpStack& InstallAll(Lab& lab, const IpParameters& parameters = {}) {
  IpStack& stack = lab.network->ip(parameters);
  for (NodeId h = 0; h < lab.scenario.topology.hosts; ++h) stack.Install(h);
  return stack;
}

}  // namespace headroom::ip_test
