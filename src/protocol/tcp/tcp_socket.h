// A socket of ns-3's TCP, with the changes that its users need.
//
// For each segment, ns-3's receive buffer iterates over all its contents. So received bytes are taken out
// immediately, and the user reports how many are unread. The peer's window is computed as if they were still
// there.
//
// ns-3 keeps the congestion window during any silence. Here it shrinks, as in Linux (tcp_cwnd_restart) or in
// RFC 5681, section 4.1.
#pragma once

#include <ns3/node.h>
#include <ns3/nstime.h>
#include <ns3/ptr.h>
#include <ns3/tcp-socket-base.h>
#include <ns3/type-id.h>

#include "ip/parameters.h"

namespace headroom {

class TcpSocket final : public ns3::TcpSocketBase {
 public:
  /// `congestion`: class of an ns3::TcpCongestionOps. Sockets for accepted connections get the same settings.
  static ns3::Ptr<TcpSocket> New(ns3::Ptr<ns3::Node> node, ns3::TypeId congestion, uint8_t tos);

  /// Applies the settings of libvma's TCP (docs/models/streams.md). REQUIRES: the socket is neither bound nor
  /// connected.
  void BehaveAsLibvma();

  /// Whether a FIN has arrived behind all data.
  bool PeerHasClosed() const { return m_state == CLOSE_WAIT; }
  /// Sets the number of bytes that were taken out and not read.
  void SetUnread(uint64_t bytes);
  /// Sends the present window to the peer: ns-3 does so only when it is probed.
  void TellWindow() { SendEmptyPacket(ns3::TcpHeader::ACK); }
  /// Sends a reset if bytes are unread, as in Linux.
  int Close() override;
  int Send(ns3::Ptr<ns3::Packet> packet, uint32_t flags) override;

 private:
  ns3::Ptr<ns3::TcpSocketBase> Fork() override;
  void PersistTimeout() override;
  uint32_t SendDataPacket(ns3::SequenceNumber32 sequence, uint32_t most, bool with_ack) override;
  uint32_t AvailableWindow() const override;
  void ShrinkAfterIdle();

  TcpParameters::AfterIdle after_idle_ = TcpParameters::AfterIdle::kept;
  ns3::Time last_sent_;  ///< time of the last data segment

  uint32_t receive_buffer_ = 0;  ///< set once bytes were unread
  uint64_t unread_ = 0;
  mutable bool window_full_ = false;  ///< ns-3 has just tried to send an empty segment
};

}  // namespace headroom
