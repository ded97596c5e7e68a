// A socket of ns-3's TCP, as its users here want it.
//
// For each segment, ns-3's receive buffer walks over all its contents. So received bytes are taken out at
// once, and the user reports how many are unread. The peer's window is as if they were still there.
#pragma once

#include <ns3/node.h>
#include <ns3/ptr.h>
#include <ns3/tcp-socket-base.h>
#include <ns3/type-id.h>

namespace headroom {

class TcpSocket final : public ns3::TcpSocketBase {
 public:
  /// `congestion`: of the class of an ns3::TcpCongestionOps. What connects to it, once it listens, is alike.
  static ns3::Ptr<TcpSocket> New(ns3::Ptr<ns3::Node> node, ns3::TypeId congestion, uint8_t tos);

  /// With the settings of libvma's TCP (docs/models/streams.md). REQUIRES: it is neither bound nor connected.
  void BehaveAsLibvma();

  /// A FIN has come behind all data.
  bool PeerHasClosed() const { return m_state == CLOSE_WAIT; }
  /// Bytes that have been taken out of it and not been read.
  void SetUnread(uint64_t bytes);
  /// Tells the peer the window that is now: ns-3 does so only when it is probed.
  void TellWindow() { SendEmptyPacket(ns3::TcpHeader::ACK); }
  /// With a reset if bytes are unread, as in Linux.
  int Close() override;

 private:
  ns3::Ptr<ns3::TcpSocketBase> Fork() override;
  void PersistTimeout() override;
  uint32_t SendDataPacket(ns3::SequenceNumber32 sequence, uint32_t most, bool with_ack) override;
  uint32_t AvailableWindow() const override;

  uint32_t receive_buffer_ = 0;  ///< once something was unread
  uint64_t unread_ = 0;
  mutable bool window_full_ = false;  ///< ns-3 has just tried to send nothing
};

}  // namespace headroom
