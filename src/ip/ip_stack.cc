#include "ip/ip_stack.h"

#include <ns3/boolean.h>
#include <ns3/config.h>
#include <ns3/double.h>
#include <ns3/fq-codel-queue-disc.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-static-routing-helper.h>
#include <ns3/ipv4.h>
#include <ns3/mq-queue-disc.h>
#include <ns3/nstime.h>
#include <ns3/queue-size.h>
#include <ns3/string.h>
#include <ns3/tcp-cubic.h>
#include <ns3/tcp-dctcp.h>
#include <ns3/traffic-control-layer.h>
#include <ns3/uinteger.h>

#include <stdexcept>
#include <string>

#include "ip/addresses.h"

namespace headroom {

namespace {

ns3::TimeValue InNs3(Time t) { return ns3::TimeValue(ns3::TimeStep(static_cast<uint64_t>(t.v))); }
ns3::UintegerValue Count(int64_t n) { return ns3::UintegerValue(static_cast<uint64_t>(n)); }

/// Like ns-3's defaults, it applies to the whole process.
TcpParameters::AfterIdle after_idle = TcpParameters::AfterIdle::halved;

/// ns-3's defaults apply to the whole process, which is one run. Sources: docs/models/ip.md.
void SetTcpDefaults(const TcpParameters& p, int64_t segment) {
  const auto set = [](const char* name, const ns3::AttributeValue& value) {
    ns3::Config::SetDefault(std::string("ns3::") + name, value);
  };
  set("TcpSocket::SegmentSize", Count(segment));
  set("TcpSocket::SndBufSize", Count(p.send_buffer.v));
  set("TcpSocket::RcvBufSize", Count(p.receive_buffer.v));
  set("TcpSocket::InitialCwnd", Count(p.initial_window));
  set("TcpSocket::ConnTimeout", InNs3(p.initial_rto));
  set("RttEstimator::InitialEstimation", InNs3(p.initial_rto));
  set("TcpSocketBase::MinRto", InNs3(p.min_rto));
  // The granularity must be below a round trip: with ns-3's 1 ms, it would dominate the variance term of the
  // timeout.
  set("TcpSocketBase::ClockGranularity", InNs3(Microseconds(1)));
  set("TcpSocket::DelAckTimeout", InNs3(p.delayed_ack));
  set("TcpSocket::DataRetries", Count(15));  // Linux: tcp_retries2
  // Late packets find no socket and are answered with a reset, whereas ns-3's TIME_WAIT is silent.
  set("TcpSocketBase::MaxSegLifetime", ns3::DoubleValue(5e-3));
  // ns-3's timestamp option counts milliseconds, so round trips of microseconds would be 0.
  set("TcpSocketBase::Timestamp", ns3::BooleanValue(false));
  set("TcpSocketBase::UseEcn", ns3::StringValue("On"));
  // HyStart's delays of 2 to 4 ms suit another kind of network.
  set("TcpCubic::HyStart", ns3::BooleanValue(false));
  after_idle = p.after_idle;
  set("TcpL4Protocol::SocketType",
      ns3::TypeIdValue(p.congestion == TcpParameters::Congestion::dctcp ? ns3::TcpDctcp::GetTypeId()
                                                                        : ns3::TcpCubic::GetTypeId()));
}

/// Holds packets back while the port has enough: fair queueing among flows within each priority, like Linux's
/// fq, without drops and marks.
ns3::Ptr<ns3::QueueDisc> FairQueues() {
  const auto root = ns3::CreateObject<ns3::MqQueueDisc>();
  for (int p = 0; p < kPriorities; ++p) {
    const auto fair = ns3::CreateObject<ns3::FqCoDelQueueDisc>();
    fair->SetAttribute("MaxSize", ns3::QueueSizeValue(ns3::QueueSize(ns3::QueueSizeUnit::PACKETS, 1u << 31)));
    fair->SetAttribute("Target", ns3::StringValue("1000s"));
    fair->SetAttribute("Quota", Count(INT32_MAX));  // otherwise the stack would not fetch the rest of a turn
    const auto of_queue = ns3::CreateObject<ns3::QueueDiscClass>();
    of_queue->SetQueueDisc(fair);
    root->AddQueueDiscClass(of_queue);
  }
  return root;
}

}  // namespace

int64_t IpStack::SegmentSize(int64_t mtu) {
  constexpr int64_t kIpv4 = 20, kTcp = 20;
  return mtu - kIpv4 - kTcp;
}

TcpParameters::AfterIdle IpStack::AfterIdle() { return after_idle; }

IpStack::IpStack(const std::vector<Nic*>& nics, const TrafficClasses& classes, const IpParameters& parameters)
    : nics_(nics), classes_(classes), parameters_(parameters), ports_(nics.size()), taken_(nics.size()) {
  if (classes[parameters.priority].name.empty()) {
    throw std::invalid_argument("priority " + std::to_string(parameters.priority) +
                                " of IP packets belongs to no traffic class");
  }
  SetTcpDefaults(parameters.tcp, SegmentSize(parameters.mtu));
}

IpStack::~IpStack() = default;

void IpStack::Install(NodeId host) {
  if (ports_[host]) return;
  const ns3::Ptr<ns3::Node> node = Node(host);
  ports_[host] = std::make_unique<IpPort>(*nics_[host], classes_, parameters_.priority, parameters_.mtu,
                                          parameters_.tcp.initial_window * SegmentSize(parameters_.mtu));
  ns3::InternetStackHelper stack;
  stack.SetIpv6StackInstall(false);
  stack.SetRoutingHelper(ns3::Ipv4StaticRoutingHelper());
  stack.Install(node);
  const ns3::Ptr<Port> port(&nics_[host]->port());
  node->GetObject<ns3::TrafficControlLayer>()->SetRootQueueDiscOnDevice(port, FairQueues());
  const auto ipv4 = node->GetObject<ns3::Ipv4>();
  const uint32_t interface = ipv4->AddInterface(port);
  // The mask covers all hosts, so its route leads to each of them.
  ipv4->AddAddress(interface, ns3::Ipv4InterfaceAddress(AddressOf(host), ns3::Ipv4Mask(kHostMask)));
  ipv4->SetUp(interface);
  // Queue discs take packets after this call. Sockets may connect before the run begins, or during it.
  node->Initialize();
}

ns3::Ptr<ns3::Node> IpStack::Node(NodeId host) const { return nics_[host]->port().GetNode(); }

uint16_t IpStack::TakePort(NodeId host) {
  constexpr uint16_t kFirst = 16'384, kEnd = 49'152;  // ns-3 assigns its own ports from kEnd on
  if (taken_[host] == kEnd - kFirst)
    throw std::length_error("a host has too many TCP connections: at most " + std::to_string(kEnd - kFirst));
  return static_cast<uint16_t>(kFirst + taken_[host]++);
}

ns3::Ipv4Address IpStack::AddressOf(NodeId host) { return ns3::Ipv4Address(IpAddressOf(host)); }

std::optional<NodeId> IpStack::HostOf(ns3::Ipv4Address address) const {
  const NodeId host = HostOfIpAddress(address.Get());
  if (host >= nics_.size()) return std::nullopt;
  return host;
}

uint8_t IpStack::Tos(uint8_t priority) const { return static_cast<uint8_t>(classes_[priority].dscp << 2); }

}  // namespace headroom
