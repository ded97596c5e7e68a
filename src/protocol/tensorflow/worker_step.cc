#include "protocol/tensorflow/worker_step.h"

#include <utility>

namespace headroom {

void WorkerStep::Fetched(uint32_t number) {
  Graph& graph = graphs_[number];
  if (--graph.fetching > 0) return;
  if (compute_ == Time(0)) return Release(graph);
  graph.computing = true;
  EventQueue::Get().PushTarget(EventQueue::Get().now() + compute_,
                               TimedEvent::Order(EventClass::workload, entity_, events_++), this, number);
}

void WorkerStep::OnEvent(uint64_t number) {
  Graph& graph = graphs_[static_cast<uint32_t>(number)];
  graph.computing = false;
  Release(graph);
}

void WorkerStep::WhenReady(const TensorName& name, std::function<void()> ready) {
  Graph& graph = graphs_[name.graph];
  if (graph.fetching == 0 && !graph.computing) return ready();
  graph.held.push_back({std::move(ready), trail_ == nullptr ? 0 : trail_->current()});
}

void WorkerStep::Release(Graph& graph) {
  for (const Held& held : std::exchange(graph.held, {})) {
    const Trail::CurrentStep step(trail_, [&](Trail& t) { return t.Since(held.step, OperationPart::peer); });
    held.ready();
  }
}

}  // namespace headroom
