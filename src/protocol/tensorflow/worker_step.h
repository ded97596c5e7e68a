// A worker's computation: its gradients are ready some time after it has all tensors of its step. A request
// for a gradient may arrive at any earlier time, and waits.
#pragma once

#include <map>
#include <vector>

#include "protocol/tensorflow/tensor_call.h"
#include "protocol/trail.h"
#include "sim/event_queue.h"

namespace headroom {

class WorkerStep final : public TensorSource, public EventTarget {
 public:
  /// `context`: the host's ns-3 node. Made before the run.
  WorkerStep(uint32_t context, Time compute, Trail* trail)
      : entity_(EventQueue::Get().AddEntity(context)), compute_(compute), trail_(trail) {}

  /// The worker requests a tensor of this graph, or has received it.
  void Fetches(uint32_t graph) { ++graphs_[graph].fetching; }
  void Fetched(uint32_t graph);
  void WhenReady(const TensorName& name, std::function<void()> ready) override;
  void OnEvent(uint64_t graph) override;

 private:
  struct Held {
    std::function<void()> ready;
    uint64_t step = 0;  ///< the step that requested it
  };
  struct Graph {
    uint32_t fetching = 0;
    bool computing = false;
    std::vector<Held> held;
  };
  void Release(Graph& graph);

  const EntityId entity_;
  const Time compute_;
  Trail* trail_;
  uint64_t events_ = 0;
  std::map<uint32_t, Graph> graphs_;
};

/// The parameters of a parameter server, which are always ready.
class KeptParameters final : public TensorSource {
 public:
  void WhenReady(const TensorName&, std::function<void()> ready) override { ready(); }
};

}  // namespace headroom
