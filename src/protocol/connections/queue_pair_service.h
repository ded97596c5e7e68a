// Connections with their own queue pairs, or with one for several threads under a lock. A thread posts and
// polls its completion queue; its buffers are registered once.
#pragma once

#include <deque>

#include "protocol/connections/connection_ports.h"
#include "protocol/connections/core.h"
#include "protocol/connections/transfers.h"
#include "sim/footprint.h"

namespace headroom {

class QueuePairService final : public Service {
 public:
  QueuePairService(const ConnectionParameters& parameters, const ServiceGround& ground);

  void Start(const Attached& attached) override;
  void Submit(const OperationRequest& request) override;
  void Stop() override;
  std::shared_ptr<const ServiceRecord> Record() override;
  void ForEachQueuePair(const UseQueuePair& use) const override;

  /// The memory of this process that a service uses: connection_footprint.cc.
  static Forecast FootprintOf(const ConnectionParameters& parameters, const ServiceLoad& load, Forecast open);

 private:
  /// A queue pair with both its ends.
  struct Joined {
    NodeId client = 0, server = 0;
    QueuePair* qp = nullptr;  ///< the client's end
    QueuePair* there = nullptr;
    uint32_t threads = 0;  ///< the first of the threads that share it
    uint32_t open = 0;     ///< requests posted and not complete
    Ring<uint32_t> full;   ///< operations that found no room in it
    SpinLock lock;
    PayloadMemory receives;  ///< RECV memory of the server
    std::vector<uint32_t> connections;
  };
  void Join(uint32_t connection, const ConnectionPlace& place);
  CompletionQueue* QueueOf(NodeId host, uint32_t group);
  void Ask(uint32_t operation);
  void Post(uint32_t operation);
  void Poll(CompletionQueue& cq, NodeId host);
  void OnSent(const Wc& wc);
  void OnReceived(const Wc& wc, NodeId host);
  void Repost(Joined& joined, uint32_t joint, uint32_t buffer);
  void Fail(Joined& joined);
  Core& CoreOf(NodeId host, uint32_t thread) { return cores_[host][thread]; }

  const ConnectionParameters p_;
  const ServiceGround ground_;
  Transfers transfers_;
  std::vector<std::deque<Core>> cores_;                ///< indexed by host
  std::vector<std::vector<CompletionQueue*>> queues_;  ///< indexed by host and group of threads
  std::deque<Joined> joined_;
  std::vector<uint32_t> joint_of_;    ///< indexed by connection
  std::vector<Ring<uint32_t>> open_;  ///< indexed as joined_: posted operations, in order
  bool noted_ = false;
};

}  // namespace headroom
