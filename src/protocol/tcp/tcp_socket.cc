#include "protocol/tcp/tcp_socket.h"

#include <ns3/boolean.h>
#include <ns3/nstime.h>
#include <ns3/object-factory.h>
#include <ns3/rtt-estimator.h>
#include <ns3/simulator.h>
#include <ns3/string.h>
#include <ns3/tcp-congestion-ops.h>
#include <ns3/tcp-l4-protocol.h>
#include <ns3/tcp-recovery-ops.h>
#include <ns3/tcp-rx-buffer.h>
#include <ns3/tcp-tx-buffer.h>
#include <ns3/uinteger.h>

#include <algorithm>
#include <utility>

#include "ip/ip_stack.h"

namespace headroom {

ns3::Ptr<TcpSocket> TcpSocket::New(ns3::Ptr<ns3::Node> node, ns3::TypeId congestion, uint8_t tos) {
  const auto tcp = node->GetObject<ns3::TcpL4Protocol>();
  const auto type = [&](const char* attribute) {
    ns3::TypeIdValue value;
    tcp->GetAttribute(attribute, value);
    return ns3::ObjectFactory(value.Get().GetName());
  };
  // Like TcpL4Protocol::CreateSocket, but with a socket of this class.
  const auto socket = ns3::CreateObject<TcpSocket>();
  socket->SetNode(node);
  socket->SetTcp(tcp);
  socket->SetRtt(type("RttEstimatorType").Create<ns3::RttEstimator>());
  socket->SetCongestionControlAlgorithm(
      ns3::ObjectFactory(congestion.GetName()).Create<ns3::TcpCongestionOps>());
  socket->SetRecoveryAlgorithm(type("RecoveryType").Create<ns3::TcpRecoveryOps>());
  socket->SetIpTos(tos);
  socket->after_idle_ = IpStack::AfterIdle();
  // ns-3's 6 s, and the minimum timeout of a stack, are meant for that case. Nagle is on by default, and
  // programs that send requests turn it off, as Redis does at both ends.
  socket->SetAttribute("PersistTimeout", ns3::TimeValue(socket->GetMinRto()));
  return socket;
}

void TcpSocket::BehaveAsLibvma() {
  after_idle_ = TcpParameters::AfterIdle::kept;  // lwIP has no rule for it
  constexpr uint64_t kSendBuffer = 1'000'000, kInitialWindow = 2;
  const ns3::TimeValue initial_rto(ns3::Seconds(3)), step(ns3::MilliSeconds(200)),
      half_step(ns3::MilliSeconds(100));
  SetAttribute("SndBufSize", ns3::UintegerValue(kSendBuffer));
  SetAttribute("InitialCwnd", ns3::UintegerValue(kInitialWindow));
  SetAttribute("ConnTimeout", initial_rto);
  SetAttribute("MinRto", step);
  SetAttribute("PersistTimeout", step);
  SetAttribute("DelAckTimeout", half_step);
  // Nagle is on by default, and programs that send requests turn it off: Redis does at both ends.
  SetAttribute("TcpNoDelay", ns3::BooleanValue(true));
  SetAttribute("UseEcn", ns3::StringValue("Off"));
  m_rtt->SetAttribute("InitialEstimation", initial_rto);
  m_rtt->Reset();
}

ns3::Ptr<ns3::TcpSocketBase> TcpSocket::Fork() { return ns3::CopyObject<TcpSocket>(this); }

void TcpSocket::SetUnread(uint64_t bytes) {
  if (receive_buffer_ == 0) receive_buffer_ = GetRcvBufSize();
  unread_ = bytes;
  GetRxBuffer()->SetMaxBufferSize(
      static_cast<uint32_t>(receive_buffer_ - std::min<uint64_t>(bytes, receive_buffer_)));
}

int TcpSocket::Close() {
  if (unread_ == 0) return ns3::TcpSocketBase::Close();
  SendRST();
  return 0;
}

int TcpSocket::Send(ns3::Ptr<ns3::Packet> packet, uint32_t flags) {
  if (m_txBuffer->Size() == 0) ShrinkAfterIdle();
  return ns3::TcpSocketBase::Send(packet, flags);
}

/// As in Linux's tcp_cwnd_restart, slow start then leads back to three quarters of the window.
void TcpSocket::ShrinkAfterIdle() {
  using Rule = TcpParameters::AfterIdle;
  ns3::Time silent = ns3::Simulator::Now() - last_sent_;
  if (after_idle_ == Rule::kept || silent <= m_rto.Get()) return;
  const uint32_t segment = m_tcb->m_segmentSize, before = m_tcb->m_cWnd / segment;
  const uint32_t least = std::min(m_tcb->m_initialCWnd, before);
  uint32_t after = before;
  if (after_idle_ == Rule::restarted) after = least;
  while (after > least && (silent -= m_rto.Get()) > ns3::Time(0)) after /= 2;
  m_tcb->m_ssThresh = std::max(m_tcb->m_ssThresh.Get(), before / 4 * 3 * segment);
  m_tcb->m_cWnd = std::max(after, least) * segment;
  m_tcb->m_cWndInfl = m_tcb->m_cWnd.Get();
}

/// If the peer's window is used up, and less is in flight because segments were lost, ns-3 would send an
/// empty segment and fail. This class then probes the window, and continues to send while there is some.
uint32_t TcpSocket::SendDataPacket(ns3::SequenceNumber32 sequence, uint32_t most, bool with_ack) {
  window_full_ = most == 0;
  if (!window_full_) last_sent_ = ns3::Simulator::Now();
  return window_full_ ? 0 : ns3::TcpSocketBase::SendDataPacket(sequence, most, with_ack);
}

uint32_t TcpSocket::AvailableWindow() const {
  return std::exchange(window_full_, false) ? 0 : ns3::TcpSocketBase::AvailableWindow();
}

/// ns-3 takes the byte of its probe out of the send buffer, though that may be empty. This happens to a
/// listener that gets a stray segment. It also happens to a socket that fills the peer's window to its last
/// byte and has nothing more to send.
void TcpSocket::PersistTimeout() {
  if (m_state == LISTEN || m_endPoint == nullptr) return;
  if (m_txBuffer->SizeFromSequence(m_tcb->m_nextTxSequence) > 0) {
    ns3::TcpSocketBase::PersistTimeout();
    // The peer may accept the byte. ns-3 would then ignore each ACK, because it covers a byte that ns-3
    // believes unsent.
    const ns3::SequenceNumber32 behind = m_tcb->m_nextTxSequence.Get() + 1;
    if (m_tcb->m_highTxMark.Get() < behind) m_tcb->m_highTxMark = behind;
    return;
  }
  // The wait for the window has stopped the retransmission timer for unacknowledged data or a FIN.
  if (m_txBuffer->Size() > 0) {
    DoRetransmit();
  } else if (m_state == FIN_WAIT_1 || m_state == CLOSING || m_state == LAST_ACK) {
    SendEmptyPacket(ns3::TcpHeader::FIN);
  }
  m_persistEvent = ns3::Simulator::Schedule(m_persistTimeout, &TcpSocket::PersistTimeout, this);
}

}  // namespace headroom
