#include "protocol/tcp/tcp_carrier.h"

#include <ns3/tcp-congestion-ops.h>
#include <ns3/tcp-cubic.h>
#include <ns3/tcp-dctcp.h>

#include "ip/ip_stack.h"

namespace headroom {

TcpCarrier::TcpCarrier(const ApplicationCosts& costs, uint8_t priority, Stack stack)
    : costs_{stack == Stack::kernel ? costs.kernel : costs.user_space, costs.copy},
      priority_(priority),
      stack_(stack) {}

/// lwIP's congestion control resembles Reno.
ns3::TypeId TcpCarrier::CongestionAt(const IpStack& ip) const {
  if (stack_ == Stack::user_space) return ns3::TcpNewReno::GetTypeId();
  return ip.parameters().tcp.congestion == TcpParameters::Congestion::dctcp ? ns3::TcpDctcp::GetTypeId()
                                                                            : ns3::TcpCubic::GetTypeId();
}

TcpCarrier::Listening& TcpCarrier::ListenAt(const StreamSite& site) {
  Listening& at = listening_[site.host];
  if (at.listener != nullptr) return at;
  at.port = site.ip->TakePort(site.host);
  at.listener = std::make_unique<TcpListener>(
      site.ip->Node(site.host), CongestionAt(*site.ip), site.ip->Tos(priority_), at.port,
      [&at](const ns3::Ptr<ns3::Socket>& socket, const ns3::Address& address) {
        const auto from = ns3::InetSocketAddress::ConvertFrom(address);
        const auto expected = at.expected.find({from.GetIpv4().Get(), from.GetPort()});
        if (expected != at.expected.end()) expected->second->Accept(socket);
      },
      stack_ == Stack::user_space);
  return at;
}

StreamCarrier::Ends TcpCarrier::Make(const StreamSite& opener, const StreamSite& accepter,
                                     const std::string&) {
  auto from = std::make_unique<TcpStream>(opener, costs_);
  auto to = std::make_unique<TcpStream>(accepter, costs_);
  Listening& at = ListenAt(accepter);
  const uint16_t port = opener.ip->TakePort(opener.host);
  at.expected[{IpStack::AddressOf(opener.host).Get(), port}] = to.get();
  paths_.insert({from.get(),
                 {opener.ip->Node(opener.host),
                  {IpStack::AddressOf(accepter.host), at.port},
                  opener.ip->Tos(priority_),
                  CongestionAt(*opener.ip),
                  port,
                  stack_ == Stack::user_space}});
  return {std::move(from), std::move(to)};
}

void TcpCarrier::Open(Stream& opener) { static_cast<TcpStream&>(opener).Open(paths_.at(&opener)); }

}  // namespace headroom
