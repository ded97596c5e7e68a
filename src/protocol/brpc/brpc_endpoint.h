// One end of a bRPC connection: a stream that begins on a TCP connection. Once both sides have announced an
// RDMA device there, it continues on a queue pair. If either side has no device, the same TCP connection
// carries the stream.
//
//   opener                               accepter
//   hello_wait  ── hello ──────────────►  hello_wait
//               ◄────────────── hello ──  ack_wait     its queue pair may send, its receive queue is full
//   rdma or tcp ── ACK ────────────────►  rdma or tcp
//
// Data go by SEND_WITH_IMM into posted blocks. The immediate data are the number of RECVs that were posted
// again (brpc_flow.h). A block is a slot of registered memory. bRPC sends from its pool and passes on the
// blocks it receives, so it copies only data shorter than kCopiedBelow.
//
// A writer posts one work request after the other. The first write to an idle connection is a batch of its
// own. Later writes form the next batches, of at most kBatch writes each.
//
// Completions: an event starts a poll of the RECV queue, then of the send queue, kPolled at a time, until
// both are empty. Then both are armed and polled once more. RECVs raise an event only if their sender
// requested one.
//
// Afterwards TCP is idle: a byte on it is an error, and its end ends the connection. A failed completion ends
// the connection.
//
// Source: apache/brpc src/brpc/rdma/rdma_endpoint.cpp, rdma_handshake.cpp, src/brpc/socket.cpp at 71871ee9.
// Departures: one buffer per work request (its max_sge never limits); queue pairs of its pool cost nothing.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "protocol/application_costs.h"
#include "protocol/brpc/brpc_flow.h"
#include "protocol/brpc/brpc_hello.h"
#include "protocol/stream/stream.h"
#include "sim/deque.h"

namespace headroom {

struct BrpcEndParameters {
  bool asks = true;    ///< as the opener it sends hello; otherwise it uses TCP like any client
  bool device = true;  ///< it has an RDMA device
  BrpcQueues queues;
  uint32_t block = 8160;  ///< bytes of data in a RECV
  uint8_t priority = 3, tag = 0;
  bool event_per_message = false;  ///< an event, and a turn, for each work request at both ends
  ApplicationCosts costs;
};

/// Counters of one end of a connection.
struct BrpcCounters {
  uint64_t handshake_bytes = 0;          ///< handshake bytes sent
  uint64_t data = 0, bytes = 0;          ///< work requests with data, and their bytes
  uint64_t acks = 0;                     ///< pure ACKs sent
  uint64_t solicited = 0, signaled = 0;  ///< work requests of both kinds with these flags
  uint64_t events = 0, polls = 0,
           completions = 0;  ///< events that began a poll; polls that found a completion
  uint64_t copied = 0;       ///< RECVs whose data were copied
  uint64_t waits = 0;        ///< waits of the writer for a window
  uint64_t failures = 0;

  BrpcCounters& operator+=(const BrpcCounters& o);
};

class BrpcEndpoint final : public Stream, private StreamUser {
 public:
  static constexpr size_t kPolled = 32, kBatch = 256;
  static constexpr uint32_t kCopiedBelow = 512;
  static constexpr uint32_t kBlockHeader = 32;  ///< header of an IOBuf, in each block
  static constexpr uint8_t kTimeout = 14, kRetries = 7;
  enum class State : uint8_t { connecting, hello_wait, ack_wait, rdma, tcp, ended };

  /// `tcp` must not have been opened. `source_port`: that of the queue pair, the same at both ends. `process`
  /// must outlive this object.
  BrpcEndpoint(bool opener, std::unique_ptr<Stream> tcp, Process& process,
               const BrpcEndParameters& parameters, uint16_t source_port);

  void Write(std::span<const uint8_t> bytes) override;
  size_t Read(std::span<uint8_t> bytes) override;
  uint64_t unsent() const override { return state_ == State::tcp ? tcp_->unsent() : unsent_; }
  uint64_t unread() const override {
    return in_.size() - taken_ + (state_ == State::tcp ? tcp_->unread() : 0);
  }
  void Close() override;
  bool open() const override { return state_ == State::rdma || state_ == State::tcp; }
  void ForEachQueuePair(const UseQueuePair& use) const override;

  Stream& tcp() { return *tcp_; }
  State state() const { return state_; }
  const BrpcFlow& flow() const { return flow_; }
  const BrpcCounters& counters() const { return counters_; }
  /// Called for each work request, for tests.
  std::function<void(const SendWr&)> on_post;

 private:
  struct Waiting {
    std::vector<uint8_t> bytes;
    size_t sent = 0;
    uint64_t since = 0;  ///< the step since which it has waited
  };
  /// Memory of blocks. Each block belongs to one work request or RECV.
  struct Slots {
    std::unique_ptr<uint8_t[]> bytes;
    MemoryRegion* region = nullptr;
    void Make(Verbs& verbs, size_t count, uint32_t block);
    uint8_t* At(size_t slot, uint32_t block) const { return bytes.get() + slot * block; }
  };

  // The handshake (brpc_handshake.cc).
  void OnOpen() override;
  void OnReadable() override;
  void OnEnded(bool failed) override;
  bool Gather(size_t bytes);
  void OnClientBytes();
  void OnClientHello();
  void OnServerHello();
  void OnAck();
  BrpcHello OwnHello() const;
  void MakeQueuePair();
  void BringUp(const BrpcHello& peer);
  void Send(std::span<const uint8_t> bytes);
  void Establish(State state);
  void ReadTcp();

  // Sending (brpc_endpoint_send.cc).
  void StartBatch();
  void PostNext();
  void PostData();
  uint32_t Fill(uint8_t* slot, bool& last);
  void PostAck(uint32_t imm);
  void Post(const SendWr& wr);
  void Resume();

  // Completions (brpc_endpoint_receive.cc).
  void OnCqEvent();
  void StartPolling();
  void Poll(Time more);
  CoreCost TakeCompletions(Time more);
  void HandleCompletions();
  void OnSendCompletion(const Wc& wc);
  void OnReceived(const Wc& wc);
  void PostReceive(size_t slot);

  void Fail();
  void End();

  const bool opener_;
  const std::unique_ptr<Stream> tcp_;
  Process& process_;
  const BrpcEndParameters p_;
  const uint16_t source_port_;
  State state_ = State::connecting;
  BrpcCounters counters_;

  std::array<uint8_t, BrpcHello::kBytes> gathered_{};  ///< state of the handshake
  size_t gathered_bytes_ = 0;

  // Members that exist once there is a queue pair.
  QueuePair* qp_ = nullptr;
  CompletionQueue *send_cq_ = nullptr, *recv_cq_ = nullptr;
  BrpcFlow flow_;
  uint32_t peer_block_ = 0;
  Slots sends_, receives_;

  // Sending.
  Deque<Waiting> writes_;
  uint64_t unsent_ = 0;
  size_t batch_ = 0;      ///< number of writes at the front that the writer handles; 0: it is idle
  uint64_t posted_ = 0;   ///< number of work requests with data
  bool blocked_ = false;  ///< the writer waits for a window
  OperationPart waits_for_ = OperationPart::chunk;  ///< the write in front also waited for a window

  // Receiving.
  std::vector<uint8_t> in_;  ///< bytes from taken_ on are unread
  size_t taken_ = 0;
  bool event_ = false;  ///< an event arrived, and no poll has followed
  bool polling_ = false;
  bool of_sends_ = false;  ///< the send queue is being polled, otherwise the RECV queue
  bool armed_ = false;     ///< both queues have been armed since the last completion
  std::array<Wc, kPolled> polled_;
  size_t polled_count_ = 0;
};

}  // namespace headroom
