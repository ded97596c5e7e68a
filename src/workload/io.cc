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
  Bytes least = LargestBlock(arrivals_);
  ForEachBlock(arrivals_, [&](bool, Bytes size, double) { least = std::min(least, size); });
  std::shared_ptr<const AddressDistribution> distribution;
  if (!arrivals_.addresses.Plain())
    distribution = std::make_shared<const AddressDistribution>(arrivals_.addresses,
                                                               IoOffsets::BlocksOf(disk, {least, least}));
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
    if (distribution)
      h.offsets = std::make_unique<IoOffsets>(arrivals_.addresses, disk, std::array{least, least}, true,
                                              distribution, name);
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

void IoGenerator::OnEnded(const OperationRecord& ended) {
  const Time now = EventQueue::Get().now();
  if (arrivals_.rate > 0 || now >= stop_) return;
  Host& h = *Find(ended.client);
  if (arrivals_.think > Time(0)) return Schedule(h, now + arrivals_.think, kNext);
  Offer(h);
}

/// What would go beyond the disk begins again at its beginning, or is moved up.
int64_t IoGenerator::Address(Host& h, bool writes, int64_t bytes) {
  if (h.offsets == nullptr) {
    const int64_t places = std::max<int64_t>(disk_.v / bytes, 1);
    return bytes * static_cast<int64_t>(h.places.Uniform() * static_cast<double>(places));
  }
  std::optional<int64_t> at = h.offsets->Next(writes);
  if (!at) {
    h.offsets->Restart();
    at = h.offsets->Next(writes);
  }
  if (*at + bytes > disk_.v)
    at = arrivals_.addresses.order == IoAddresses::Order::sequential ? 0 : disk_.v - bytes;
  h.offsets->Take(writes, *at, bytes);
  return *at;
}

void IoGenerator::Offer(Host& h) {
  OperationRequest request;
  request.client = h.id;
  const bool reads = h.kinds.Uniform() < arrivals_.reads;
  request.kind = reads ? OperationKind::read : OperationKind::write;
  const std::vector<IoBlock>& blocks = arrivals_.BlocksOf(!reads);
  const double drawn = h.sizes.Uniform();
  double below = 0;
  const auto block =
      std::ranges::find_if(blocks, [&](const IoBlock& b) { return drawn < (below += b.share); });
  const int64_t bytes = (block == blocks.end() ? blocks.back() : *block).size.v;
  request.bytes = static_cast<uint32_t>(bytes);
  request.address = static_cast<uint64_t>(Address(h, !reads, bytes));
  offers_.Offer(index_, request, EventQueue::Get().now() < arrivals_.start + arrivals_.ramp);
}

}  // namespace headroom
