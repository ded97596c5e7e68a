// ns-3's TCP/IP on the hosts of a network: one address and one route per host, through the port that the
// NIC's queue pairs use, too.
//
// A socket to another host is one of ns-3's, at the node that Node() returns:
//
//   ns3::Ptr<ns3::Socket> socket = ns3::Socket::CreateSocket(stack.Node(h),
//   ns3::TcpSocketFactory::GetTypeId()); socket->SetIpTos(stack.Tos(priority));
//   socket->Connect(ns3::InetSocketAddress(IpStack::AddressOf(peer), port));
//
// An accepted connection has the TOS of its listening socket.
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
  /// Sets ns-3's TCP defaults for this process. `nics`: by host; they must outlive this object. Throws
  /// std::invalid_argument if the default priority has no class.
  IpStack(const std::vector<Nic*>& nics, const TrafficClasses& classes, const IpParameters& parameters);
  ~IpStack();

  /// Gives the host a stack, if it has none.
  void Install(NodeId host);
  bool installed(NodeId host) const { return ports_[host] != nullptr; }

  ns3::Ptr<ns3::Node> Node(NodeId host) const;
  /// A TCP port of the host that is not in use. Throws std::length_error if the host has no port left.
  uint16_t TakePort(NodeId host);
  static ns3::Ipv4Address AddressOf(NodeId host);
  /// Returns none if no host has this address.
  std::optional<NodeId> HostOf(ns3::Ipv4Address address) const;
  /// The TOS that sockets of this traffic class must set with Socket::SetIpTos.
  uint8_t Tos(uint8_t priority) const;
  const IpParameters& parameters() const { return parameters_; }
  /// The rule of this process for sockets after a silence. ns-3's own sockets have no such rule.
  static TcpParameters::AfterIdle AfterIdle();
  /// Payload of a full TCP segment.
  static int64_t SegmentSize(int64_t mtu);

 private:
  std::vector<Nic*> nics_;
  TrafficClasses classes_;
  IpParameters parameters_;
  std::vector<std::unique_ptr<IpPort>> ports_;  ///< by host; null: the host has no stack
  std::vector<uint16_t> taken_;                 ///< number of TCP ports assigned, by host
};

}  // namespace headroom
