#include "workload/stream.h"

#include <algorithm>

namespace headroom {

StreamGenerator::StreamGenerator(const WorkloadParameters& workload, uint32_t index, const HostView& hosts,
                                 Offers& offers)
    : arrivals_(std::get<StreamArrivals>(workload.arrivals)),
      index_(index),
      priority_(workload.priority),
      stop_(std::min(arrivals_.stop.value_or(hosts.duration), hosts.duration)),
      offers_(offers),
      entity_(EventQueue::Get().AddEntity(UINT32_MAX)) {}

void StreamGenerator::Start() {
  if (arrivals_.start >= stop_) return offers_.OnExhausted();
  EventQueue& queue = EventQueue::Get();
  queue.PushTarget(arrivals_.start, TimedEvent::Order(EventClass::workload, entity_, kBegin), this, kBegin);
  queue.PushTarget(stop_, TimedEvent::Order(EventClass::workload, entity_, kEnd), this, kEnd);
}

void StreamGenerator::OnEvent(uint64_t phase) {
  if (phase == kEnd) return offers_.OnExhausted();
  for (const NodeId src : arrivals_.from) {
    for (const NodeId dst : arrivals_.to) {
      if (src == dst && !arrivals_.Loopback()) continue;
      for (int i = 0; i < arrivals_.in_flight; ++i)
        offers_.Offer(index_, src, dst, arrivals_.message, priority_);
    }
  }
}

void StreamGenerator::OnCompleted(NodeId src, NodeId dst) {
  if (EventQueue::Get().now() < stop_) offers_.Offer(index_, src, dst, arrivals_.message, priority_);
}

}  // namespace headroom
