#include "protocol/tcp/tcp_socket.h"

#include <ns3/nstime.h>
#include <ns3/object-factory.h>
#include <ns3/tcp-congestion-ops.h>
#include <ns3/tcp-l4-protocol.h>
#include <ns3/tcp-socket-base.h>

namespace headroom {

ns3::Ptr<ns3::Socket> NewTcpSocket(ns3::Ptr<ns3::Node> node, ns3::TypeId congestion, uint8_t tos) {
  const auto socket = node->GetObject<ns3::TcpL4Protocol>()->CreateSocket(congestion);
  socket->SetIpTos(tos);
  // A window update may be lost. ns-3's 6 s are for that, as is the least time-out of a stack.
  const auto base = ns3::DynamicCast<ns3::TcpSocketBase>(socket);
  socket->SetAttribute("PersistTimeout", ns3::TimeValue(base->GetMinRto()));
  return socket;
}

}  // namespace headroom
