// One end of the queue pair between two TensorFlow processes: it requests tensors of the other end, and sends
// requested ones.
//
//   receiver                                       sender
//   metadata cached: TENSOR_REQUEST with address ->
//                                                  <- ACK; metadata equal: the tensor
//   not cached: TENSOR_REQUEST without address ->
//                                                  <- ACK; metadata differ: META_DATA_UPDATE
//   ACK, TENSOR_RE_REQUEST with address ->
//                                                  <- ACK, the tensor
//
// Flow control: at each end one control message is on its way. The next goes out when the one before has its
// completion and the peer's ACK; others queue. Acknowledgements and tensors do not wait.
//
// Every message is signaled and takes an empty RECV of the peer's. One thread does all of a host's work; it
// sleeps on the completion channel. In TensorFlow threads of the executor post requests.
// Memory of tensors is registered once, for all of the host, and its data are counted. With tensors that are
// not copyable the costs of their own memory are added, and nothing else changes.
//
// Source: tensorflow/networking at 671e2548, tensorflow_networking/verbs/rdma.cc.
#pragma once

#include <deque>
#include <map>

#include "protocol/channel/channel.h"
#include "protocol/process.h"
#include "protocol/tensorflow/tensor_call.h"
#include "protocol/tensorflow/tensorflow_parameters.h"

namespace headroom {

/// A process: its thread, and the memory that its tensors lie in.
struct TensorHost {
  TensorHost(Verbs& verbs, uint32_t context, const ApplicationCosts& costs, Trail* trail, Time warmup)
      : process(verbs, context, costs.OfCores(), trail, warmup, costs.Sleeping()),
        pool(verbs.RegMr(0, kPool, kLocalWrite | kRemoteWrite)) {}
  /// The address of memory for a tensor.
  uint64_t Allocate(uint64_t bytes);

  static constexpr uint64_t kPool = uint64_t{1} << 46;
  Process process;
  MemoryRegion* pool;
  uint64_t next = 0;  ///< address
};

/// Made before the run. It and what it refers to outlive the run.
class TensorChannel final : public Channel<TensorCall>, public Endpoint {
 public:
  /// `on_failure`: a completion failed, or a work request found no room: the process aborts.
  TensorChannel(TensorHost& host, const TensorflowParameters& parameters, uint8_t priority, uint8_t tag,
                TensorSource& source, std::function<void()> on_failure);
  /// As the exchange of addresses over gRPC does, without its time. REQUIRES: once, before Open.
  static void Join(TensorChannel& a, TensorChannel& b, uint16_t source_port);

  void Open(std::function<void()> joined) override { joined(); }
  void Call(TensorCall call, Done done) override;
  void Close() override;
  size_t open() const override { return requests_.size(); }
  bool joined() const override { return !closed_; }
  void Count(TensorCounts& counts) const override;
  void ForEachQueuePair(const UseQueuePair& use) const override;
  uint32_t qp() const { return Verbs::NumberOf(qp_); }

  void OnCompletion(const Wc& wc) override;
  void OnTurn() override {}
  int64_t BytesOf(const Wc&) const override { return 0; }
  int64_t BytesOfTurn() const override { return 0; }

 private:
  /// Of this end.
  struct Request {
    TensorCall call;
    Done done;
    uint64_t bytes = 0;  ///< that memory has been allocated for
  };
  /// To the other end.
  struct Response {
    TensorMetadata tensor;
    TensorMetadata known;
    uint64_t address = 0;
    uint32_t rkey = 0;
  };
  struct Queued {
    ControlMessage message;
    uint64_t step = 0;  ///< that wanted to send it
  };

  // Of the receiver.
  void Ask(uint32_t index, ControlMessage::Type type);
  void OnUpdate(const ControlMessage& message);
  void OnTensor(const Wc& wc);
  // Of the sender.
  void OnRequest(const ControlMessage& message);
  void OnReRequest(const ControlMessage& message);
  void SendTensor(uint32_t index);
  void OnTensorSent(uint32_t index);
  // Messages.
  void OnMessage();
  void Enqueue(const ControlMessage& message);
  void SendNext();
  void Acknowledge();
  /// `number`: of the work request; of a tensor its request's index, else the immediate data.
  void Post(uint32_t number, uint32_t bytes, uint32_t imm, uint64_t local, uint32_t lkey, uint64_t remote,
            uint32_t rkey);
  void PostReceive();
  /// Runs `then` after the thread has spent this on it; at once if it costs nothing.
  void After(CoreCost cost, std::function<void()> then);
  CoreCost CostOfCopies(uint64_t bytes) const;
  /// To register memory for a tensor, or undo it.
  CoreCost CostOfOwnMemory() const { return p_.copyable ? Time(0) : p_.costs.registration; }

  TensorHost& host_;
  Process& process_;
  const TensorflowParameters& p_;
  TensorSource& source_;
  std::function<void()> on_failure_;
  QueuePair* qp_;
  uint64_t base_;
  bool closed_ = false;
  // Buffers of control messages, and the peer's.
  ControlMessage::Image out_{}, in_{};
  MemoryRegion *out_region_, *in_region_;
  uint64_t peer_address_ = 0;
  uint32_t peer_key_ = 0;
  bool unsent_ = false;          ///< the last control message has no completion yet
  bool unacknowledged_ = false;  ///< nor an ACK
  std::deque<Queued> queue_;
  std::map<TensorName, TensorMetadata> cache_;
  std::map<uint32_t, Request> requests_;
  std::map<uint32_t, Response> responses_;
  uint32_t next_index_ = 0;
  TensorCounts counts_;
};

}  // namespace headroom
