// ns-3's TCP/IP on the hosts of a network: one address each, one route, by the port that the NIC's queue
// pairs send by too.
//
// The socket that talks to another host is ns-3's, of the node that Node() gives:
//
//   ns3::Ptr<ns3::Socket> socket = ns3::Socket::CreateSocket(stack.Node(h),
//   ns3::TcpSocketFactory::GetTypeId()); socket->SetIpTos(stack.Tos(priority));
//   socket->Connect(ns3::InetSocketAddress(IpStack::AddressOf(peer), port));
//
// A connection that was accepted has the TOS of its listening socket.
#pragma once

#include <ns3/ipv4-address.h>
#include <ns3/node.h>
#include <ns3/ptr.h>

#include <memory>
#include <optional>
#include <vector>

#include "ip/ip_port.h"
#include "ip/parameters.h"
#include "nic/nic.h"

namespace headroom {

class IpStack {
 public:
  /// Sets ns-3's defaults of TCP for this process. `nics` by host; they outlive this. Throws
  /// std::invalid_argument where the default priority has no class.
  IpStack(const std::vector<Nic*>& nics, const TrafficClasses& classes, const IpParameters& parameters);
  ~IpStack();

  /// Gives the host a stack, if it has none.
  void Install(NodeId host);
  bool installed(NodeId host) const { return ports_[host] != nullptr; }

  ns3::Ptr<ns3::Node> Node(NodeId host) const;
  /// A TCP port of the host that nobody else has. Throws std::length_error when it has no more.
  uint16_t TakePort(NodeId host);
  static ns3::Ipv4Address AddressOf(NodeId host);
  /// None: no host has this address.
  std::optional<NodeId> HostOf(ns3::Ipv4Address address) const;
  /// The TOS that sockets of this traffic class set with Socket::SetIpTos.
  uint8_t Tos(uint8_t priority) const;
  const IpParameters& parameters() const { return parameters_; }
  /// Payload of a full TCP segment.
  static int64_t SegmentSize(int64_t mtu);

 private:
  std::vector<Nic*> nics_;
  TrafficClasses classes_;
  IpParameters parameters_;
  std::vector<std::unique_ptr<IpPort>> ports_;  ///< by host; null: it has no stack
  std::vector<uint16_t> taken_;                 ///< TCP ports that were given out, by host
};

}  // namespace headroom
