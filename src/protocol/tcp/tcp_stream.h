// An end of a stream over TCP: a socket that does not block, of the kernel's stack or of one in user space.
//
//   Write ─► waits ─► send(): call + copy ─► delay ─► socket ─► network ─► socket ─► delay ─►
//   recv(): call + copy ─► OnReadable
//
// The thread works for each call of send and recv, of up to 64 KiB, and for the copy there. The delay is the
// stack's own time for data, at each end, for which no thread of the application works: softirqs, the queue
// of the NIC. ACKs and repeated segments have none. connect, accept and the recv that finds the end are calls
// without data.
//
// It opens with a SYN, closes with a FIN once all is sent that was written, and with a reset where something
// that came was not read, as Linux does. It is not made anew.
//
// Each write of the program is one call where the thread comes to it in time; what has been written meanwhile
// goes with it. Where the socket has no room the call waits until a third of its buffer is free, as Linux
// wakes up writers, or all that waits fits.
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
  /// All that `site` names outlives this; this outlives the run. REQUIRES: before the run.
  TcpStream(const StreamSite& site, const Costs& costs);

  /// Begins to connect.
  void Open(const TcpPath& path);
  /// A connection that has come in.
  void Accept(const ns3::Ptr<ns3::Socket>& socket);

  void Write(std::span<const uint8_t> bytes) override;
  size_t Read(std::span<uint8_t> bytes) override;
  uint64_t unsent() const override { return waiting_.size(); }
  uint64_t unread() const override { return readable_; }
  void Close() override;
  bool open() const override { return state_ == State::open; }
  /// What its socket sent.
  TcpCounters counters() const { return connection_ ? connection_->counters() : TcpCounters(); }

  void OnArrived() override;
  void OnRoom() override { SendNext(); }
  void OnConnectionEnded(TcpEnd end) override;
  void OnEvent(uint64_t arg) override;

 private:
  enum class State : uint8_t { none, connecting, open, closing, ended };
  /// What comes at the end of a delay.
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
  /// The user hears that it has ended, at the end of a call.
  void End(bool failed);
  void Shut();
  CoreCost CostOf(size_t bytes) const;

  const StreamSite site_;
  const Costs costs_;
  const EntityId entity_;
  uint64_t events_ = 0;
  State state_ = State::none;
  bool ending_ = false;  ///< the core is to tell its user that it has ended
  std::optional<TcpPath> path_;
  TcpDial dial_;
  std::optional<TcpConnection> connection_;

  // Sending.
  ByteQueue waiting_;
  uint64_t since_ = 0;    ///< the step that the first of them has waited since
  bool sending_ = false;  ///< the core works for a call, or is to
  size_t piece_ = 0;      ///< of the call
  struct Outgoing {
    ns3::Ptr<ns3::Packet> data;
    uint64_t cause = 0;
  };
  Deque<Outgoing> delayed_;
  int64_t delayed_bytes_ = 0;

  // Receiving. Positions in what comes.
  Deque<uint64_t> arriving_;  ///< ends of the byte ranges in the delay
  uint64_t arrived_ = 0;      ///< end of the bytes that have passed the delay
  uint64_t received_ = 0;     ///< end of the bytes that calls have fetched
  uint64_t readable_ = 0;     ///< unread bytes of that
  bool receiving_ = false;    ///< the core works for a call, or is to
  bool end_came_ = false;     ///< the peer sends no more than has arrived
};

}  // namespace headroom
