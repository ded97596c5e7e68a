#include "protocol/tcp/tcp_server.h"

#include <ns3/inet-socket-address.h>

#include <utility>

#include "protocol/tcp/tcp_socket.h"

namespace headroom {

void TcpServer::OnMessage(TcpMessages& from, const TcpMessage& message, std::vector<uint8_t> bytes, Time,
                          Time) {
  if (message.answer) return;
  execute_(message, std::move(bytes),
           [this, to = from.weak_from_this(), number = message.number](
               const std::array<uint64_t, 3>& said, uint32_t length, std::vector<uint8_t> data) {
             const auto asker = to.lock();
             if (asker == nullptr) return;
             TcpMessage answer;
             answer.answer = true;
             answer.number = number;
             answer.said = said;
             answer.length = length;
             asker->Send(answer, std::move(data), process_.step());
           });
}

void TcpServer::Accept(ns3::Ptr<ns3::Socket> socket) {
  std::erase_if(streams_, [this](const auto& stream) {
    if (!stream->up()) ended_ += stream->counters();
    return !stream->up();
  });
  streams_.push_back(std::make_shared<TcpMessages>(socket, process_, parameters_, *this));
}

TcpCounters TcpServer::counters() const {
  TcpCounters all = ended_;
  for (const auto& stream : streams_) all += stream->counters();
  return all;
}

TcpListener::TcpListener(ns3::Ptr<ns3::Node> node, ns3::TypeId congestion, uint8_t tos, uint16_t port,
                         Accept accept, bool user_space)
    : accept_(std::move(accept)) {
  const auto socket = TcpSocket::New(node, congestion, tos);
  if (user_space) socket->BehaveAsLibvma();
  socket_ = socket;
  socket_->Bind(ns3::InetSocketAddress(ns3::Ipv4Address::GetAny(), port));
  socket_->Listen();
  socket_->SetAcceptCallback(ns3::MakeNullCallback<bool, ns3::Ptr<ns3::Socket>, const ns3::Address&>(),
                             ns3::MakeCallback(&TcpListener::OnAccepted, this));
}

TcpListener::~TcpListener() {
  socket_->SetAcceptCallback(ns3::MakeNullCallback<bool, ns3::Ptr<ns3::Socket>, const ns3::Address&>(),
                             ns3::MakeNullCallback<void, ns3::Ptr<ns3::Socket>, const ns3::Address&>());
}

}  // namespace headroom
