// Service tensorflow: parameter servers and workers, each a process with a queue pair to every process of the
// other side. Workers fetch parameters, parameter servers fetch gradients; either is one operation.
//
// Queue pairs are connected before the run: set-up over gRPC and the following ping are not modelled. A
// failed completion aborts its process. Here it ends the whole job, because no other process can continue
// without it.
#pragma once

#include <deque>
#include <map>
#include <utility>

#include "protocol/service.h"
#include "protocol/tensorflow/tensor_channel.h"
#include "protocol/tensorflow/worker_step.h"

namespace headroom {

class TensorflowService final : public Service {
 public:
  TensorflowService(const TensorflowParameters& parameters, const ServiceGround& ground);

  void Start(const Attached& attached) override;
  void Submit(const OperationRequest& request) override;
  void Stop() override;
  std::shared_ptr<const ServiceRecord> Record() override;
  void ForEachQueuePair(const UseQueuePair& use) const override;

  /// The memory of this process that the service uses.
  static Forecast FootprintOf(const TensorflowParameters& parameters, const Forecast& open);

 private:
  TensorChannel& AddChannel(NodeId at, NodeId peer, TensorSource& source);
  void Abort();

  const TensorflowParameters p_;
  const ServiceGround ground_;
  std::map<NodeId, TensorHost> hosts_;
  std::deque<WorkerStep> workers_;  ///< indexed by the worker's number
  KeptParameters parameters_;
  std::deque<TensorChannel> channels_;
  std::map<std::pair<NodeId, NodeId>, TensorChannel*> channel_;  ///< keyed by the end's host and its peer
  bool aborted_ = false;
  std::optional<double> busiest_;  ///< busy share of the busiest thread's time, until the last request
};

}  // namespace headroom
