// One end of a TCP connection that is established: bytes each way. What is given to it goes out. Received
// bytes lie in it until they are taken, and reduce the peer's window meanwhile. Nothing here costs a core
// anything.
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
  uint64_t connections = 0;                             ///< that were made
  uint64_t losses = 0;                                  ///< of these, broken ones
  uint64_t corrupt = 0;                                 ///< CRCs that were wrong
  uint64_t bytes = 0, segments = 0, retransmitted = 0;  ///< the last: of the segments

  TcpCounters& operator+=(const TcpCounters& o);
};

/// Why the peer sends no more.
enum class TcpEnd : uint8_t {
  closed,  ///< it reported its end behind all sent bytes
  reset,   ///< it gave up the connection
  lost     ///< it does not answer
};

/// Who uses one. It is called from events of the socket.
class TcpConnectionUser {
 public:
  virtual ~TcpConnectionUser() = default;
  /// More has come.
  virtual void OnArrived() = 0;
  /// Room for what is given may have grown.
  virtual void OnRoom() = 0;
  /// What came before may still be taken.
  virtual void OnConnectionEnded(TcpEnd end) = 0;
};

class TcpConnection final {
 public:
  /// What has come up to `end`, a position in the stream.
  struct Arrival {
    uint64_t end = 0;
    Time at;
    uint64_t cause = 0;  ///< that its last bytes were given with; 0: none
  };

  /// On a socket that is connected, a TcpSocket. `user` outlives this.
  TcpConnection(const ns3::Ptr<ns3::Socket>& socket, TcpConnectionUser& user);
  ~TcpConnection() { Silence(); }
  TcpConnection(const TcpConnection&) = delete;
  TcpConnection& operator=(const TcpConnection&) = delete;

  /// The user hears no more. What was given is still sent, unless something that came was not taken: then
  /// the peer gets a reset.
  void Close();
  /// Nobody has closed it.
  bool up() const { return up_; }

  /// So many bytes may be given.
  int64_t room() const;
  int64_t send_buffer() const { return send_buffer_; }
  /// With a step that led to it, which the peer's arrivals bring along; 0: none. False: the connection is
  /// lost. REQUIRES: room for it.
  bool Give(const ns3::Ptr<ns3::Packet>& data, uint64_t cause = 0);

  /// That have come and are not taken.
  uint64_t unread() const { return unread_.size(); }
  /// Position in the stream of the next byte that is taken.
  uint64_t taken() const { return taken_; }
  /// Takes from the front, to `to` if there is one. REQUIRES: so many are unread.
  void Take(uint32_t length, uint8_t* to);
  /// Enough was taken for now: the peer's window opens as far. REQUIRES: once after one or several Takes.
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

  // Sending.
  ns3::EventId room_;                    ///< reports room to the user
  ns3::SequenceNumber32 next_sequence_;  ///< behind all segments that have been sent
  bool any_segment_ = false;

  // Receiving.
  Unread unread_;
  uint64_t taken_ = 0;
  Deque<Arrival> arrivals_;
  int64_t told_room_ = 0;  ///< in the receive buffer, as the peer knows it, about
  TcpCounters counters_;
};

}  // namespace headroom
