#include "workload/operations/rpc_generator.h"

namespace headroom {

RpcGenerator::RpcGenerator(const RpcArrivals& arrivals, const WorkloadParameters& workload, uint32_t index,
                           const OperationGround& ground)
    : ClientGenerator(
          {.clients = arrivals.from, .start = arrivals.start, .stop = arrivals.stop, .rate = arrivals.rate},
          workload, index, ground.hosts, ground.offers),
      arrivals_(arrivals) {
  // Clients begin at different servers, so that they do not all call the same one.
  for (size_t place = 0; place < arrivals_.from.size(); ++place) next_.push_back(place % arrivals_.to.size());
}

void RpcGenerator::Begin(Client& client, uint32_t loop) {
  for (int i = 0; i < arrivals_.depth; ++i) Offer(client, loop);
}

/// A server does not call itself.
void RpcGenerator::Offer(Client& client, uint32_t) {
  size_t& next = next_[client.place];
  if (arrivals_.to[next] == client.id) next = (next + 1) % arrivals_.to.size();
  const NodeId server = arrivals_.to[next];
  next = (next + 1) % arrivals_.to.size();
  OperationRequest request;
  request.client = client.id;
  request.kind = OperationKind::call;
  request.bytes = static_cast<uint32_t>((arrivals_.request + arrivals_.answer).v);
  request.target = RpcTarget{server, static_cast<uint32_t>(arrivals_.request.v)}.number();
  Put(request, false);
}

/// The loop of a call that failed is over.
void RpcGenerator::OnEnded(const OperationRecord& ended) {
  if (IsOpen() || IsOver() || ended.status == OperationStatus::failed) return;
  Offer(*Find(ended.client), 0);
}

}  // namespace headroom
