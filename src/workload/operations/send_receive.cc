#include "workload/operations/send_receive.h"

#include <algorithm>

#include "workload/operations/send_receive_target.h"

namespace headroom {

NodeId SendReceiveArrivals::To(NodeId rank) const {
  const auto place = std::ranges::find(ranks, rank) - ranks.begin();
  return RankBehind(ranks, static_cast<size_t>(place), distance);
}

SendReceiveGenerator::SendReceiveGenerator(const SendReceiveArrivals& arrivals,
                                           const WorkloadParameters& workload, uint32_t index,
                                           const OperationGround& ground)
    : ClientGenerator({.clients = arrivals.from, .start = arrivals.start, .stop = arrivals.stop}, workload,
                      index, ground.hosts, ground.offers),
      arrivals_(arrivals) {}

void SendReceiveGenerator::Send(const Client& client) {
  OperationRequest request;
  request.client = client.id;
  request.kind = OperationKind::send_receive;
  request.bytes = static_cast<uint32_t>(arrivals_.size.v);
  request.target = static_cast<uint64_t>(arrivals_.late.v);
  request.thread = static_cast<uint32_t>(arrivals_.distance);
  Put(request, false);
}

/// A communicator that has failed gets no further requests.
void SendReceiveGenerator::OnEnded(const OperationRecord& ended) {
  if (IsOver() || ended.status == OperationStatus::failed) return;
  Send(*Find(ended.client));
}

}  // namespace headroom
