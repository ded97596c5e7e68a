#include "protocol/tcp/tcp_socket.h"

#include <ns3/nstime.h>
#include <ns3/object-factory.h>
#include <ns3/rtt-estimator.h>
#include <ns3/simulator.h>
#include <ns3/tcp-congestion-ops.h>
#include <ns3/tcp-l4-protocol.h>
#include <ns3/tcp-recovery-ops.h>
#include <ns3/tcp-socket-base.h>
#include <ns3/tcp-tx-buffer.h>

#include <algorithm>

namespace headroom {

namespace {

/// ns-3 arms the timer of probes whenever a window is closed, and probes with the next byte, of which it
/// takes for granted that there is one. Where all has been sent, this asks again later: there may be one
/// then.
class TcpSocket final : public ns3::TcpSocketBase {
 public:
  static ns3::TypeId GetTypeId() {
    static const ns3::TypeId id = ns3::TypeId("headroom::TcpSocket")
                                      .SetParent<ns3::TcpSocketBase>()
                                      .SetGroupName("Internet")
                                      .AddConstructor<TcpSocket>();
    return id;
  }

 private:
  ns3::Ptr<TcpSocketBase> Fork() override { return ns3::CopyObject<TcpSocket>(this); }
  void PersistTimeout() override {
    if (m_txBuffer->SizeFromSequence(m_tcb->m_nextTxSequence) > 0) return TcpSocketBase::PersistTimeout();
    m_persistTimeout = std::min(ns3::Seconds(60), ns3::Time(2 * m_persistTimeout));  // as there
    m_persistEvent = ns3::Simulator::Schedule(m_persistTimeout, &TcpSocket::PersistTimeout, this);
  }
};

/// What the stack has been told to use.
template <class T>
ns3::Ptr<T> OfType(const ns3::TcpL4Protocol& stack, const char* attribute) {
  ns3::TypeIdValue type;
  stack.GetAttribute(attribute, type);
  return ns3::ObjectFactory(type.Get().GetName()).Create<T>();
}

}  // namespace

/// As TcpL4Protocol::CreateSocket does it.
ns3::Ptr<ns3::Socket> NewTcpSocket(ns3::Ptr<ns3::Node> node, ns3::TypeId congestion, uint8_t tos) {
  const auto stack = node->GetObject<ns3::TcpL4Protocol>();
  const auto socket = ns3::CreateObject<TcpSocket>();
  socket->SetNode(node);
  socket->SetTcp(stack);
  socket->SetRtt(OfType<ns3::RttEstimator>(*stack, "RttEstimatorType"));
  socket->SetCongestionControlAlgorithm(
      ns3::ObjectFactory(congestion.GetName()).Create<ns3::TcpCongestionOps>());
  socket->SetRecoveryAlgorithm(OfType<ns3::TcpRecoveryOps>(*stack, "RecoveryType"));
  stack->AddSocket(socket);
  socket->SetIpTos(tos);
  // A window update may be lost. ns-3's 6 s are for that, as is the least time-out of a stack.
  socket->SetAttribute("PersistTimeout", ns3::TimeValue(socket->GetMinRto()));
  return socket;
}

}  // namespace headroom
