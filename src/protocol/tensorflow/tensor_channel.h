// One end of the queue pair between two TensorFlow processes: it requests tensors from the other end, and
// sends requested ones.
//
//   receiver                                       sender
//   metadata cached: TENSOR_REQUEST with address ->
//                                                  <- ACK; metadata equal: the tensor
//   not cached: TENSOR_REQUEST without address ->
//                                                  <- ACK; metadata differ: META_DATA_UPDATE
//   ACK, TENSOR_RE_REQUEST with address ->
//                                                  <- ACK, the tensor
//
// Flow control: each end has one control message in flight. The next one is sent when the previous one has
// its completion and the peer's ACK; others queue. Acknowledgements and tensors do not wait.
//
// Every message is signaled and uses an empty RECV of the peer. One thread does all of a host's work; it
// sleeps on the completion channel. In TensorFlow, threads of the executor post requests. Tensor memory is
// registered once for the whole host, and its data are only counted. If tensors are not copyable, the costs
// of their own memory are added; nothing else changes.
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

/// A process: its thread, and the memory of its tensors.
struct TensorHost {
  TensorHost(Verbs& verbs, uint32_t context, const ApplicationCosts& costs, Trail* trail, Time warmup)
      : process(verbs, context, costs.OfCores(), trail, warmup, costs.Sleeping()),
        pool(verbs.RegMr(0, kPool, kLocalWrite | kRemoteWrite)) {}
  /// The address of memory for a tensor.
  uint64_t Allocate(uint64_t bytes);

  static constexpr uint64_t kPool = uint64_t{1} << 46;
  Process process;
  MemoryRegion* pool;
  uint64_t next = 0;  ///< next free address
};

/// Made before the run. The object and those that it refers to must outlive the run.
class TensorChannel final : public Channel<TensorCall>, public Endpoint {
 public:
  /// `on_failure` is called if a completion failed, or a work request found no room: then the process aborts.
  TensorChannel(TensorHost& host, const TensorflowParameters& parameters, uint8_t priority, uint8_t tag,
                TensorSource& source, std::function<void()> on_failure);
  /// Exchanges addresses as over gRPC, but without its time. REQUIRES: called once, before Open.
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
  /// A request of this end.
  struct Request {
    TensorCall call;
    Done done;
    uint64_t bytes = 0;  ///< size of the allocated memory
  };
  /// A response to the other end.
  struct Response {
    TensorMetadata tensor;
    TensorMetadata known;
    uint64_t address = 0;
    uint32_t rkey = 0;
  };
  struct Queued {
    ControlMessage message;
    uint64_t step = 0;  ///< the step that tried to send it
  };

  // Functions of the receiver.
  void Ask(uint32_t index, ControlMessage::Type type);
  void OnUpdate(const ControlMessage& message);
  void OnTensor(const Wc& wc);
  // Functions of the sender.
  void OnRequest(const ControlMessage& message);
  void OnReRequest(const ControlMessage& message);
  void SendTensor(uint32_t index);
  void OnTensorSent(uint32_t index);
  // Functions for messages.
  void OnMessage();
  void Enqueue(const ControlMessage& message);
  void SendNext();
  void Acknowledge();
  /// `number`: number of the work request; for a tensor the index of its request, else the immediate data.
  void Post(uint32_t number, uint32_t bytes, uint32_t imm, uint64_t local, uint32_t lkey, uint64_t remote,
            uint32_t rkey);
  void PostReceive();
  /// Runs `then` after the thread has spent this cost; immediately if it is 0.
  void After(CoreCost cost, std::function<void()> then);
  CoreCost CostOfCopies(uint64_t bytes) const;
  /// The cost to register memory for a tensor, or to deregister it.
  CoreCost CostOfOwnMemory() const { return p_.copyable ? Time(0) : p_.costs.registration; }

  TensorHost& host_;
  Process& process_;
  const TensorflowParameters& p_;
  TensorSource& source_;
  std::function<void()> on_failure_;
  QueuePair* qp_;
  uint64_t base_;
  bool closed_ = false;
  // Buffers of control messages, here and at the peer.
  ControlMessage::Image out_{}, in_{};
  MemoryRegion *out_region_, *in_region_;
  uint64_t peer_address_ = 0;
  uint32_t peer_key_ = 0;
  bool unsent_ = false;          ///< the last control message has no completion yet
  bool unacknowledged_ = false;  ///< the last control message has no ACK yet
  std::deque<Queued> queue_;
  std::map<TensorName, TensorMetadata> cache_;
  std::map<uint32_t, Request> requests_;
  std::map<uint32_t, Response> responses_;
  uint32_t next_index_ = 0;
  TensorCounts counts_;
};

}  // namespace headroom
