// One end of a TCP connection that carries messages, each a header and its data. They arrive whole and in
// order.
//
// The core bears TCP's costs. A message is given to the socket in pieces of at most 64 KiB, each when the
// core has worked for it and the socket has room. Received bytes fill the peer's window until the core reads
// them, 64 KiB at a time. So a busy core closes the window.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "protocol/process.h"
#include "protocol/tcp/tcp_connection.h"
#include "protocol/tcp/tcp_message.h"
#include "sim/deque.h"

namespace headroom {

struct TcpMessageParameters {
  bool crc = true;      ///< data have a CRC
  bool content = true;  ///< data are carried; otherwise they are only counted. Both ends must agree
  bool begins = true;   ///< requests are new to their server, not parts of earlier work
};

class TcpMessages;

/// The user of an end.
class TcpUser {
 public:
  virtual ~TcpUser() = default;
  /// A message has arrived: its last byte at `arrived`; the core took it up at `taken`.
  virtual void OnMessage(TcpMessages& from, const TcpMessage& message, std::vector<uint8_t> bytes,
                         Time arrived, Time taken) = 0;
  /// The first byte of a message is given to the socket.
  virtual void OnBegun(const TcpMessage& message) { (void)message; }
  /// Whether arriving messages are requests, which are new to the core, or answers to begun work.
  virtual bool TakesRequests() const = 0;
  /// The connection is broken. Data in flight are lost.
  virtual void OnBroken(TcpMessages& from) = 0;
};

/// Lives until the core has finished the work that it began for this connection.
class TcpMessages final : public TcpConnectionUser, public std::enable_shared_from_this<TcpMessages> {
 public:
  /// Uses a connected socket, which must be a TcpSocket. `process` and `user` must outlive this object.
  TcpMessages(const ns3::Ptr<ns3::Socket>& socket, Process& process, const TcpMessageParameters& parameters,
              TcpUser& user);

  /// `since`: the step since which it has waited. REQUIRES: `bytes` is as long as its length, or empty.
  void Send(const TcpMessage& message, std::vector<uint8_t> bytes, uint64_t since);
  /// From now on the connection causes no events.
  void Close();
  bool up() const { return connection_.up(); }
  /// The number of messages that are not completely in the socket.
  size_t waiting() const { return out_.size(); }
  const TcpCounters& counters() const { return connection_.counters(); }

  void OnArrived() override { Read(); }
  void OnRoom() override { SendNext(); }
  void OnConnectionEnded(TcpEnd end) override { Break(end == TcpEnd::lost); }

 private:
  struct Outgoing {
    TcpMessage header;
    std::vector<uint8_t> bytes;
    uint64_t since = 0;
    uint32_t given = 0;  ///< number of its data bytes given to the socket
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
  void Break(bool lost);

  TcpConnection connection_;
  Process& process_;
  const TcpMessageParameters parameters_;
  TcpUser& user_;

  // State of sending.
  Deque<Outgoing> out_;
  bool giving_ = false;  ///< the core works for the next piece

  // State of receiving.
  bool taking_ = false;                               ///< the core works for the taken bytes
  std::array<uint8_t, TcpMessage::kBytes> header_{};  ///< header of the arriving message
  uint32_t header_bytes_ = 0;                         ///< number of its received bytes
  TcpMessage coming_;                                 ///< the message, once its header is complete
  uint32_t data_ = 0;                                 ///< number of its received data bytes
  std::vector<uint8_t> bytes_;
  std::vector<Incoming> whole_;  ///< complete messages for which the core works
  bool corrupt_ = false;         ///< the data behind these were corrupt
};

}  // namespace headroom
