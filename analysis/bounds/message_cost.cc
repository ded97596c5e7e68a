#include "analysis/bounds/message_cost.h"

#include <algorithm>

namespace headroom {
MessageCost CostOfMessages(const WorkloadParameters& workload, int64_t mtu, int ack_every,
                           const FrameFormat& frames) {
  const auto step = static_cast<double>(mtu);
  MessageCost cost;
  cost.payload = workload.arrivals->MeanBytes();
  cost.packets = workload.arrivals->MeanPieces(step);
  // An ACK for every n-th packet and for the last: ceil(ceil(x / m) / n) = ceil(x / (m n)).
  cost.acks = workload.arrivals->MeanPieces(step * ack_every);
  Bytes back = frames.Ack();
  Operation data = workload.verb;
  if (data == Operation::read_request) {
    cost.acks = 1;
    back = frames.ReadRequest();
    data = Operation::read_response;
  }
  // Among longer messages, those of a single response have one AETH and not two.
  const int64_t extended = cost.packets > 1
                               ? frames.Extended(data, true, false) + frames.Extended(data, false, true)
                               : frames.Extended(data, true, true);
  const double middle =
      std::max(0.0, cost.packets - 2) * static_cast<double>(frames.Extended(data, false, false));
  cost.data_wire = cost.payload + cost.packets * static_cast<double>(frames.header + frames.gap) +
                   static_cast<double>(extended) + middle;
  cost.ack_wire = cost.acks * static_cast<double>(frames.OnWire(back).v);
  return cost;
}

}  // namespace headroom
