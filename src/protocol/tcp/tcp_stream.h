// One end of a TCP connection that carries messages, each a header and its data. They come whole and in
// order.
//
// What TCP costs is its core's work: a message goes to the socket in pieces of at most 64 KiB, each when the
// core has worked for it and the socket has room; what has come fills the peer's window until the core reads
// it, 64 KiB at a time, so that a core without time closes the window.
#pragma once

#include <ns3/ptr.h>
#include <ns3/socket.h>
#include <ns3/tcp-header.h>

#include <array>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "protocol/process.h"
#include "protocol/tcp/tcp_message.h"
#include "protocol/tcp/tcp_socket.h"
#include "protocol/tcp/unread.h"

namespace headroom {

struct TcpStreamParameters {
  bool crc = true;      ///< over the data
  bool content = true;  ///< data are carried; else counted. Both ends alike
  bool begins = true;   ///< requests are new to their server, not parts of what has begun elsewhere
};

/// What a socket, or several, sent: data, without headers of TCP.
struct TcpCounters {
  uint64_t connections = 0;                             ///< that were made
  uint64_t losses = 0;                                  ///< of these, those that broke
  uint64_t corrupt = 0;                                 ///< CRCs that were wrong
  uint64_t bytes = 0, segments = 0, retransmitted = 0;  ///< the last: of the segments

  TcpCounters& operator+=(const TcpCounters& o);
};

class TcpStream;

/// Who uses one.
class TcpUser {
 public:
  virtual ~TcpUser() = default;
  /// It has come: its last byte at `arrived`, and the core took that up at `taken`.
  virtual void OnMessage(TcpStream& stream, const TcpMessage& message, std::vector<uint8_t> bytes,
                         Time arrived, Time taken) = 0;
  /// The first of it goes to the socket.
  virtual void OnBegun(const TcpMessage& message) { (void)message; }
  /// Whether what comes are requests, which are new to the core, or answers to what it has begun.
  virtual bool TakesRequests() const = 0;
  /// The connection is gone. What was on its way is lost.
  virtual void OnBroken(TcpStream& stream) = 0;
};

/// It lives until the core has done what it has begun for it.
class TcpStream final : public std::enable_shared_from_this<TcpStream> {
 public:
  /// On a socket that is connected, a TcpSocket. `process` and `user` outlive this.
  TcpStream(ns3::Ptr<ns3::Socket> socket, Process& process, const TcpStreamParameters& parameters,
            TcpUser& user);
  ~TcpStream();
  TcpStream(const TcpStream&) = delete;
  TcpStream& operator=(const TcpStream&) = delete;

  /// `since`: the step that it has waited since. REQUIRES: `bytes` as long as its length, or empty.
  void Send(const TcpMessage& message, std::vector<uint8_t> bytes, uint64_t since);
  /// Nothing is heard of it any more.
  void Close();
  bool up() const { return up_; }
  /// Messages that are not in the socket as a whole.
  size_t waiting() const { return out_.size(); }
  const TcpCounters& counters() const { return counters_; }

 private:
  struct Outgoing {
    TcpMessage header;
    std::vector<uint8_t> bytes;
    uint64_t since = 0;
    uint32_t given = 0;  ///< of its data, to the socket
    bool begun = false;
  };
  struct Incoming {
    TcpMessage header;
    std::vector<uint8_t> bytes;
    Time arrived;
  };

  void SendNext();
  void Give(uint32_t piece);
  void Read();
  Time Take();
  void Deliver();
  void TellWindow();
  int64_t Room() const { return receive_buffer_ - static_cast<int64_t>(unread_.size()); }
  Time ArrivalOf(uint64_t position);
  void Break(bool lost);
  void Silence();

  void OnReadable(ns3::Ptr<ns3::Socket>);
  void OnRoom(ns3::Ptr<ns3::Socket>, uint32_t) { SendNext(); }
  void OnEnded(ns3::Ptr<ns3::Socket>) { Break(false); }
  void OnError(ns3::Ptr<ns3::Socket>) { Break(true); }
  void OnSegment(ns3::Ptr<const ns3::Packet> packet, const ns3::TcpHeader& header,
                 ns3::Ptr<const ns3::TcpSocketBase>);

  const ns3::Ptr<TcpSocket> socket_;
  Process& process_;
  const TcpStreamParameters parameters_;
  TcpUser& user_;
  bool up_ = true;

  // Sending.
  std::deque<Outgoing> out_;
  bool giving_ = false;                  ///< the core works for the next piece
  ns3::SequenceNumber32 next_sequence_;  ///< behind all segments that have been sent
  bool any_segment_ = false;

  // Receiving.
  Unread unread_;
  bool taking_ = false;                               ///< the core works for what has been taken
  uint64_t taken_ = 0;                                ///< position in the stream
  std::deque<std::pair<uint64_t, Time>> arrivals_;    ///< end of what there was, and when
  std::array<uint8_t, TcpMessage::kBytes> header_{};  ///< of what comes
  uint32_t header_bytes_ = 0;                         ///< of it that have come
  TcpMessage coming_;                                 ///< once its header has
  uint32_t data_ = 0;                                 ///< bytes that have come
  std::vector<uint8_t> bytes_;
  std::vector<Incoming> whole_;  ///< that the core works for
  bool corrupt_ = false;         ///< so was what came behind these
  int64_t receive_buffer_ = 0, segment_ = 0;
  int64_t told_room_ = 0;  ///< in that buffer, as the peer knows it, about
  TcpCounters counters_;
};

}  // namespace headroom
