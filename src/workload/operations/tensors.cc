#include "workload/operations/tensors.h"

#include <algorithm>

#include "workload/operations/tensor_target.h"

namespace headroom {

uint32_t TensorArrivals::Count() const {
  uint32_t count = 0;
  for (const Tensor& t : tensors) count += static_cast<uint32_t>(t.count);
  return count;
}

int64_t TensorArrivals::TotalBytes() const {
  int64_t bytes = 0;
  for (const Tensor& t : tensors) bytes += t.count * t.size.v;
  return bytes;
}

TensorGenerator::TensorGenerator(const TensorArrivals& arrivals, const WorkloadParameters& workload,
                                 uint32_t index, const OperationGround& ground)
    : ClientGenerator({.clients = arrivals.workers, .start = arrivals.start, .stop = arrivals.stop}, workload,
                      index, ground.hosts, ground.offers),
      arrivals_(arrivals) {
  for (const Client& c : clients()) {
    Worker& worker = workers_.emplace_back();
    worker.shapes = RandomStream(StreamsOf(c.id, workload, ground.hosts) + "/shapes");
    worker.shape.resize(arrivals_.Count());
  }
}

void TensorGenerator::BeginStep(Client& client) {
  Worker& worker = workers_[client.place];
  worker.began = EventQueue::Get().now();
  worker.open = arrivals_.OperationsOfStep();
  Reshape(worker);
  for (const bool gradient : {false, true}) {
    if (gradient && !arrivals_.gradients) break;
    uint32_t tensor = 0;
    for (const TensorArrivals::Tensor& t : arrivals_.tensors) {
      for (int i = 0; i < t.count; ++i) Ask(client, tensor++, t.size, gradient);
    }
  }
}

void TensorGenerator::Reshape(Worker& worker) {
  uint32_t tensor = 0;
  for (const TensorArrivals::Tensor& t : arrivals_.tensors) {
    for (int i = 0; i < t.count; ++i, ++tensor)
      worker.shape[tensor] += t.reshaped > 0 && worker.shapes.Uniform() < t.reshaped;
  }
}

void TensorGenerator::Ask(const Client& client, uint32_t tensor, Bytes size, bool gradient) {
  OperationRequest request;
  request.client = gradient ? arrivals_.servers[tensor % arrivals_.servers.size()] : client.id;
  request.kind = OperationKind::tensor;
  request.bytes = static_cast<uint32_t>(size.v);
  request.target = TensorTarget{tensor, gradient, workers_[client.place].shape[tensor]}.number();
  request.thread = client.place;
  Put(request, false);
}

/// A job that has failed makes no further requests.
void TensorGenerator::OnEnded(const OperationRecord& ended) {
  Worker& worker = workers_[ended.thread];
  worker.failed |= ended.status == OperationStatus::failed;
  if (--worker.open > 0 || worker.failed) return;
  Client& client = clients()[ended.thread];
  OfferAt(client, std::max(EventQueue::Get().now(), worker.began + arrivals_.every));
}

}  // namespace headroom
