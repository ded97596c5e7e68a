#include "workload/operations/trace_generator.h"

#include <algorithm>

namespace headroom {

namespace {

constexpr uint64_t kEndOfTrace = UINT64_MAX;

}  // namespace

TraceGenerator::TraceGenerator(const IoArrivals& arrivals, uint32_t index, const HostView& hosts,
                               OperationOffers& offers)
    : arrivals_(arrivals),
      trace_(*arrivals_.trace),
      index_(index),
      stop_(std::min(arrivals_.stop.value_or(hosts.duration), hosts.duration)),
      offers_(offers),
      entity_(EventQueue::Get().AddEntity(UINT32_MAX)) {
  for (const BlockTrace::Disk& disk : trace_.disks)
    disks_.emplace_back().entity = EventQueue::Get().AddEntity(hosts.contexts[disk.host]);
  active_ = disks_.size();
}

void TraceGenerator::Start() {
  EventQueue::Get().PushTarget(stop_, TimedEvent::Order(EventClass::workload, entity_), this, kEndOfTrace);
}

void TraceGenerator::OnAttached(NodeId host) {
  for (size_t i = 0; i < disks_.size(); ++i) {
    if (trace_.disks[i].host != host || disks_[i].attached) continue;
    disks_[i].attached = true;
    ScheduleNext(i);
  }
}

void TraceGenerator::ScheduleNext(size_t index) {
  Disk& disk = disks_[index];
  const auto& ios = trace_.disks[index].ios;
  if (disk.next == ios.size() || ios[disk.next].at >= stop_) return End(disk);
  const Time at = std::max(ios[disk.next].at, EventQueue::Get().now());
  EventQueue::Get().PushTarget(at, TimedEvent::Order(EventClass::workload, disk.entity, disk.next), this,
                               index);
}

void TraceGenerator::End(Disk& disk) {
  if (disk.over) return;
  disk.over = true;
  if (--active_ == 0) offers_.OnExhausted();
}

void TraceGenerator::OnEvent(uint64_t index) {
  if (index == kEndOfTrace) {
    for (Disk& disk : disks_) End(disk);
    return;
  }
  Disk& disk = disks_[index];
  const BlockTrace::Disk& recorded = trace_.disks[index];
  const Time now = EventQueue::Get().now();
  if (disk.over) return;
  while (disk.next < recorded.ios.size() && recorded.ios[disk.next].at <= now) {
    const BlockTrace::Io& io = recorded.ios[disk.next++];
    OperationRequest request;
    request.client = recorded.host;
    request.kind = io.writes ? OperationKind::write : OperationKind::read;
    request.target = io.address;
    request.bytes = io.bytes;
    offers_.Offer(index_, request, now < arrivals_.start + arrivals_.ramp);
  }
  ScheduleNext(index);
}

}  // namespace headroom
