#include "workload/io.h"

#include <algorithm>
#include <cmath>

namespace headroom {

IoGenerator::IoGenerator(const WorkloadParameters& workload, uint32_t index, const HostView& hosts,
                         Bytes disk, OperationOffers& offers)
    : arrivals_(std::get<IoArrivals>(workload.arrivals)),
      index_(index),
      stop_(std::min(arrivals_.stop.value_or(hosts.duration), hosts.duration)),
      disk_(disk),
      offers_(offers),
      entity_(EventQueue::Get().AddEntity(UINT32_MAX)),
      host_of_(hosts.contexts.size()) {
  for (const NodeId id : arrivals_.from) {
    Host& h = hosts_.emplace_back();
    host_of_[id] = static_cast<uint32_t>(hosts_.size());
    h.id = id;
    h.entity = EventQueue::Get().AddEntity(hosts.contexts[id]);
    const std::string name = hosts.topology->nodes[id].name + "/" + workload.name;
    h.gaps = RandomStream(name + "/gaps");
    h.kinds = RandomStream(name + "/kinds");
    h.sizes = RandomStream(name + "/sizes");
    h.places = RandomStream(name + "/places");
  }
}

void IoGenerator::Start() {
  if (arrivals_.start >= stop_) return offers_.OnExhausted();
  EventQueue::Get().PushTarget(stop_, TimedEvent::Order(EventClass::workload, entity_), this, kEnd);
}

IoGenerator::Host* IoGenerator::Find(NodeId host) {
  return host_of_[host] == 0 ? nullptr : &hosts_[host_of_[host] - 1];
}

void IoGenerator::Schedule(Host& host, Time at, What what) {
  if (at >= stop_) return;
  EventQueue::Get().PushTarget(at, TimedEvent::Order(EventClass::workload, host.entity, host.events++), this,
                               uint64_t{host.id} << 2 | what);
}

void IoGenerator::OnAttached(NodeId host) {
  Host* const h = Find(host);
  if (h != nullptr) Schedule(*h, std::max(arrivals_.start, EventQueue::Get().now()), kBegin);
}

void IoGenerator::ScheduleArrival(Host& host, Time after) {
  const double mean_ps = 1e12 / arrivals_.rate;
  const double gap = arrivals_.even ? mean_ps : host.gaps.Exponential(mean_ps);
  if (gap < static_cast<double>((stop_ - after).v)) Schedule(host, after + Time(std::llround(gap)), kNext);
}

void IoGenerator::OnEvent(uint64_t arg) {
  if ((arg & 3) == kEnd) return offers_.OnExhausted();
  Host& h = *Find(static_cast<NodeId>(arg >> 2));
  const Time now = EventQueue::Get().now();
  if (arrivals_.rate > 0) {
    if ((arg & 3) == kNext) Offer(h);
    return ScheduleArrival(h, now);
  }
  const int count = (arg & 3) == kBegin ? arrivals_.depth : 1;
  for (int i = 0; i < count; ++i) Offer(h);
}

void IoGenerator::OnEnded(NodeId host) {
  const Time now = EventQueue::Get().now();
  if (arrivals_.rate > 0 || now >= stop_) return;
  Host& h = *Find(host);
  if (arrivals_.think > Time(0)) return Schedule(h, now + arrivals_.think, kNext);
  Offer(h);
}

void IoGenerator::Offer(Host& h) {
  OperationRequest request;
  request.client = h.id;
  request.kind = h.kinds.Uniform() < arrivals_.reads ? OperationKind::read : OperationKind::write;
  const double drawn = h.sizes.Uniform();
  double below = 0;
  const auto block = std::ranges::find_if(
      arrivals_.blocks, [&](const IoArrivals::Block& b) { return drawn < (below += b.share); });
  const int64_t bytes = (block == arrivals_.blocks.end() ? arrivals_.blocks.back() : *block).size.v;
  const int64_t places = std::max<int64_t>(disk_.v / bytes, 1);
  request.bytes = static_cast<uint32_t>(bytes);
  request.address =
      static_cast<uint64_t>(bytes) * static_cast<uint64_t>(h.places.Uniform() * static_cast<double>(places));
  offers_.Offer(index_, request, EventQueue::Get().now() < arrivals_.start + arrivals_.ramp);
}

}  // namespace headroom
