// Service nccl: ranks, each with a thread (NCCL's proxy) that polls for all its connections. The operation's
// client sends the message; its receiver requests it at the same time, or `late`.
//
// Both ranks run the same program: messages of a pair are received in the order in which they are sent.
// Connections are made before the run: set-up over TCP is not modelled. A failed completion ends the
// communicator, and so all ranks.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "protocol/nccl/nccl_connection.h"
#include "protocol/service.h"

namespace headroom {

class NcclService final : public Service, public EventTarget {
 public:
  NcclService(const NcclParameters& parameters, const ServiceGround& ground);

  void Start(const Attached& attached) override;
  void Submit(const OperationRequest& request) override;
  void Stop() override;
  std::shared_ptr<const ServiceRecord> Record() override;
  void ForEachQueuePair(const UseQueuePair& use) const override;
  /// The receiver now requests a late message; `arg`: the pair's number.
  void OnEvent(uint64_t arg) override;

  /// The memory of this process that the service uses.
  static Forecast FootprintOf(const NcclParameters& parameters, const Forecast& open);

 private:
  struct Late {
    Time at;
    uint64_t bytes = 0;
  };
  /// A sending rank and a receiving rank.
  struct Pair {
    NodeId from = 0, to = 0;
    std::vector<std::unique_ptr<NcclSender>> senders;  ///< indexed by connection
    std::vector<std::unique_ptr<NcclReceiver>> receivers;
    std::deque<Late> late;  ///< messages that the receiver has not requested yet
    EntityId entity = 0;
    uint64_t events = 0;
  };
  void Connect(NodeId from, NodeId to);
  void Receive(Pair& pair, uint64_t bytes);
  void OnGroupSent(uint32_t operation);
  void Fail();

  const NcclParameters p_;
  const ServiceGround ground_;
  std::map<NodeId, Process> ranks_;
  std::deque<Pair> pairs_;
  std::map<std::pair<NodeId, NodeId>, uint32_t> pair_of_;
  std::vector<uint64_t> left_;  ///< indexed by operation: remaining groups of chunks
  std::vector<uint32_t> open_;  ///< numbers of operations
  bool failed_ = false;
  std::optional<double> busiest_;  ///< busy share of the busiest thread's time, until the last request
};

}  // namespace headroom
