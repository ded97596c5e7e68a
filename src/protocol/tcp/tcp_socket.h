// A new socket of ns-3's TCP, as its users here want it.
#pragma once

#include <ns3/node.h>
#include <ns3/ptr.h>
#include <ns3/socket.h>
#include <ns3/type-id.h>

namespace headroom {

/// `congestion`: of the class of an ns3::TcpCongestionOps. What connects to it, once it listens, is alike.
ns3::Ptr<ns3::Socket> NewTcpSocket(ns3::Ptr<ns3::Node> node, ns3::TypeId congestion, uint8_t tos);

}  // namespace headroom
