// One end of a TCP connection that carries messages, each a header and its data. They come whole and in
// order.
//
// TCP's costs are its core's work. A message goes to the socket in pieces of at most 64 KiB, each when the
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
  bool crc = true;      ///< over the data
  bool content = true;  ///< data are carried; else counted. Both ends alike
  bool begins = true;   ///< requests are new to their server, not parts of what has begun elsewhere
};

class TcpMessages;

/// Who uses one.
class TcpUser {
 public:
  virtual ~TcpUser() = default;
  /// It has come: its last byte at `arrived`, and the core took that up at `taken`.
  virtual void OnMessage(TcpMessages& from, const TcpMessage& message, std::vector<uint8_t> bytes,
                         Time arrived, Time taken) = 0;
  /// The first of it goes to the socket.
  virtual void OnBegun(const TcpMessage& message) { (void)message; }
  /// Whether what comes are requests, which are new to the core, or answers to what it has begun.
  virtual bool TakesRequests() const = 0;
  /// The connection is gone. What was on its way is lost.
  virtual void OnBroken(TcpMessages& from) = 0;
};

/// Lives until the core has finished the work that it began for this connection.
class TcpMessages final : public TcpConnectionUser, public std::enable_shared_from_this<TcpMessages> {
 public:
  /// On a socket that is connected, a TcpSocket. `process` and `user` outlive this.
  TcpMessages(const ns3::Ptr<ns3::Socket>& socket, Process& process, const TcpMessageParameters& parameters,
              TcpUser& user);

  /// `since`: the step that it has waited since. REQUIRES: `bytes` as long as its length, or empty.
  void Send(const TcpMessage& message, std::vector<uint8_t> bytes, uint64_t since);
  /// No more events of it follow.
  void Close();
  bool up() const { return connection_.up(); }
  /// Messages that are not in the socket as a whole.
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
  void Break(bool lost);

  TcpConnection connection_;
  Process& process_;
  const TcpMessageParameters parameters_;
  TcpUser& user_;

  // Sending.
  Deque<Outgoing> out_;
  bool giving_ = false;  ///< the core works for the next piece

  // Receiving.
  bool taking_ = false;                               ///< the core works for what has been taken
  std::array<uint8_t, TcpMessage::kBytes> header_{};  ///< of what comes
  uint32_t header_bytes_ = 0;                         ///< received bytes of it
  TcpMessage coming_;                                 ///< once its header has
  uint32_t data_ = 0;                                 ///< bytes that have come
  std::vector<uint8_t> bytes_;
  std::vector<Incoming> whole_;  ///< that the core works for
  bool corrupt_ = false;         ///< so was what came behind these
};

}  // namespace headroom
