// One end of an established TCP connection: bytes in each direction. Bytes given to it are sent. Received
// bytes remain in it until they are taken, and reduce the peer's window until then. Nothing here costs core
// time.
#pragma once

#include <ns3/event-id.h>
#include <ns3/ptr.h>
#include <ns3/socket.h>
#include <ns3/tcp-header.h>

#include "protocol/tcp/tcp_socket.h"
#include "protocol/tcp/unread.h"
#include "sim/deque.h"
#include "sim/units.h"

namespace headroom {

/// Bytes that one or several sockets sent: data without TCP headers.
struct TcpCounters {
  uint64_t connections = 0;                             ///< connections made
  uint64_t losses = 0;                                  ///< broken connections
  uint64_t corrupt = 0;                                 ///< wrong CRCs
  uint64_t bytes = 0, segments = 0, retransmitted = 0;  ///< the last: retransmitted segments

  TcpCounters& operator+=(const TcpCounters& o);
};

/// The reason why the peer sends no more.
enum class TcpEnd : uint8_t {
  closed,  ///< it reported its end behind all sent bytes
  reset,   ///< it aborted the connection
  lost     ///< it does not answer
};

/// The user of a connection. It is called from events of the socket.
class TcpConnectionUser {
 public:
  virtual ~TcpConnectionUser() = default;
  /// More bytes have arrived.
  virtual void OnArrived() = 0;
  /// The room for bytes to send may have grown.
  virtual void OnRoom() = 0;
  /// Bytes that arrived before may still be taken.
  virtual void OnConnectionEnded(TcpEnd end) = 0;
};

class TcpConnection final {
 public:
  /// The arrival of bytes up to `end`, a position in the stream.
  struct Arrival {
    uint64_t end = 0;
    Time at;
    uint64_t cause = 0;  ///< the step given with its last bytes; 0: none
  };

  /// Uses a connected socket, which must be a TcpSocket. `user` must outlive this object.
  TcpConnection(const ns3::Ptr<ns3::Socket>& socket, TcpConnectionUser& user);
  ~TcpConnection() { Silence(); }
  TcpConnection(const TcpConnection&) = delete;
  TcpConnection& operator=(const TcpConnection&) = delete;

  /// The user gets no further calls. Given bytes are still sent, unless arrived bytes were not taken: then
  /// the peer gets a reset.
  void Close();
  /// Whether neither side has closed it.
  bool up() const { return up_; }

  /// The number of bytes that may be given.
  int64_t room() const;
  int64_t send_buffer() const { return send_buffer_; }
  /// Sends bytes with the step that caused them, which the peer gets on their arrival; 0: none. Returns false
  /// if the connection is lost. REQUIRES: there is room for the bytes.
  bool Give(const ns3::Ptr<ns3::Packet>& data, uint64_t cause = 0);

  /// The number of bytes that have arrived and are not taken.
  uint64_t unread() const { return unread_.size(); }
  /// Position in the stream of the next byte to take.
  uint64_t taken() const { return taken_; }
  /// Takes bytes from the front, into `to` if it is not null. REQUIRES: at least this many are unread.
  void Take(uint32_t length, uint8_t* to);
  /// Enough was taken for now: opens the peer's window accordingly. REQUIRES: called once after one or
  /// several Takes.
  void OpenWindow();
  /// The arrival of the byte before `position`. REQUIRES: it has arrived; positions rise from call to call.
  const Arrival& ArrivalOf(uint64_t position);

  const TcpCounters& counters() const { return counters_; }
  TcpCounters& counters() { return counters_; }

 private:
  int64_t Room() const { return receive_buffer_ - static_cast<int64_t>(unread_.size()); }
  void Silence();
  void OnReadable(ns3::Ptr<ns3::Socket>);
  void OnRoom(ns3::Ptr<ns3::Socket>, uint32_t);
  void OnEnded(ns3::Ptr<ns3::Socket>) {
    user_.OnConnectionEnded(socket_->PeerHasClosed() ? TcpEnd::closed : TcpEnd::reset);
  }
  void OnError(ns3::Ptr<ns3::Socket>) { user_.OnConnectionEnded(TcpEnd::lost); }
  void OnSegment(ns3::Ptr<const ns3::Packet> packet, const ns3::TcpHeader& header,
                 ns3::Ptr<const ns3::TcpSocketBase>);

  const ns3::Ptr<TcpSocket> socket_;
  TcpConnectionUser& user_;
  bool up_ = true;
  int64_t send_buffer_ = 0, receive_buffer_ = 0, segment_ = 0;

  // State of sending.
  ns3::EventId room_;                    ///< event that reports room to the user
  ns3::SequenceNumber32 next_sequence_;  ///< sequence number behind all segments sent
  bool any_segment_ = false;

  // State of receiving.
  Unread unread_;
  uint64_t taken_ = 0;
  Deque<Arrival> arrivals_;
  int64_t told_room_ = 0;  ///< room in the receive buffer, approximately as the peer knows it
  TcpCounters counters_;
};

}  // namespace headroom
