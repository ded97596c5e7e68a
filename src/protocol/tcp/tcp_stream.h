// An end of a stream over TCP: a non-blocking socket, of the kernel's stack or of one in user space.
//
//   Write ─► waits ─► send(): call + copy ─► delay ─► socket ─► network ─► socket ─► delay ─►
//   recv(): call + copy ─► OnReadable
//
// The thread works for each call of send and recv, of up to 64 KiB, and for the copy in it. The delay is the
// stack's time for data at each end that costs the application's threads nothing: softirqs, the queue of the
// NIC. ACKs and retransmitted segments have no delay. connect, accept and the recv that finds the end are
// calls without data.
//
// The stream opens with a SYN and closes with a FIN once all written bytes are sent. It closes with a reset
// if received bytes were not read, as in Linux. It is not reconnected.
//
// Each write of the program is one call if the thread handles it in time; later writes until then join it. If
// the socket has no room, the call waits until a third of its buffer is free, as Linux wakes up writers, or
// until all waiting bytes fit.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "protocol/application_costs.h"
#include "protocol/stream/byte_queue.h"
#include "protocol/stream/stream.h"
#include "protocol/tcp/tcp_connection.h"
#include "protocol/tcp/tcp_dial.h"
#include "sim/deque.h"

namespace headroom {

class TcpStream final : public Stream, public TcpConnectionUser, public EventTarget {
 public:
  struct Costs {
    TcpStackCosts stack;
    Rate copy;
  };
  /// All objects that `site` names must outlive this one, and this one the run. REQUIRES: called before the
  /// run.
  TcpStream(const StreamSite& site, const Costs& costs);

  /// Begins to connect.
  void Open(const TcpPath& path);
  /// Takes a connection that was accepted.
  void Accept(const ns3::Ptr<ns3::Socket>& socket);

  void Write(std::span<const uint8_t> bytes) override;
  size_t Read(std::span<uint8_t> bytes) override;
  uint64_t unsent() const override { return waiting_.size(); }
  uint64_t unread() const override { return readable_; }
  void Close() override;
  bool open() const override { return state_ == State::open; }
  /// The counters of its socket.
  TcpCounters counters() const { return connection_ ? connection_->counters() : TcpCounters(); }

  void OnArrived() override;
  void OnRoom() override { SendNext(); }
  void OnConnectionEnded(TcpEnd end) override;
  void OnEvent(uint64_t arg) override;

 private:
  enum class State : uint8_t { none, connecting, open, closing, ended };
  /// The event at the end of a delay.
  enum Event : uint64_t { kConnect, kEstablished, kGive, kArrive, kEnd };
  void After(Event event);
  void Established(const ns3::Ptr<ns3::Socket>& socket);
  void Opened();
  void SendNext();
  CoreCost BeginSend();
  void Sent();
  void Give();
  void ReceiveNext();
  CoreCost BeginReceive();
  void Received();
  /// Notifies the user, at the end of a call, that the stream has ended.
  void End(bool failed);
  void Shut();
  CoreCost CostOf(size_t bytes) const;

  const StreamSite site_;
  const Costs costs_;
  const EntityId entity_;
  uint64_t events_ = 0;
  State state_ = State::none;
  bool ending_ = false;  ///< the core will notify the user of the end
  std::optional<TcpPath> path_;
  TcpDial dial_;
  std::optional<TcpConnection> connection_;

  // State of sending.
  ByteQueue waiting_;
  uint64_t since_ = 0;    ///< the step since which the first waiting byte has waited
  bool sending_ = false;  ///< the core works for a call, or will
  size_t piece_ = 0;      ///< bytes of the current call
  struct Outgoing {
    ns3::Ptr<ns3::Packet> data;
    uint64_t cause = 0;
  };
  Deque<Outgoing> delayed_;
  int64_t delayed_bytes_ = 0;

  // State of receiving. Positions in the received stream.
  Deque<uint64_t> arriving_;  ///< ends of the byte ranges that are in the delay
  uint64_t arrived_ = 0;      ///< end of the bytes that have passed the delay
  uint64_t received_ = 0;     ///< end of the bytes that calls have fetched
  uint64_t readable_ = 0;     ///< unread bytes of those
  bool receiving_ = false;    ///< the core works for a call, or will
  bool end_came_ = false;     ///< no bytes follow those that have arrived
};

}  // namespace headroom
