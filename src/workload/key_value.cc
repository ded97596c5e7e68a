#include "workload/key_value.h"

#include <algorithm>
#include <cmath>

namespace headroom {

KeyValueGenerator::KeyValueGenerator(const WorkloadParameters& workload, uint32_t index, const HostView& hosts,
                                     OperationOffers& offers)
    : arrivals_(std::get<KeyValueArrivals>(workload.arrivals)),
      index_(index),
      stop_(std::min(arrivals_.stop.value_or(hosts.duration), hosts.duration)),
      offers_(offers),
      entity_(EventQueue::Get().AddEntity(UINT32_MAX)),
      client_of_(hosts.contexts.size()) {
  for (const NodeId id : arrivals_.from) {
    Client& c = clients_.emplace_back();
    client_of_[id] = static_cast<uint32_t>(clients_.size());
    c.id = id;
    c.entity = EventQueue::Get().AddEntity(hosts.contexts[id]);
    const std::string name = hosts.topology->nodes[id].name + "/" + workload.name;
    c.gaps = RandomStream(name + "/gaps");
    c.kinds = RandomStream(name + "/kinds");
    c.keys = RandomStream(name + "/keys");
  }
}

void KeyValueGenerator::Start() {
  if (arrivals_.start >= stop_) return offers_.OnExhausted();
  EventQueue::Get().PushTarget(stop_, TimedEvent::Order(EventClass::workload, entity_), this, kEnd);
}

void KeyValueGenerator::Schedule(Client& client, Time at, What what, uint32_t process) {
  if (at >= stop_) return;
  EventQueue::Get().PushTarget(at, TimedEvent::Order(EventClass::workload, client.entity, client.events++), this,
                               uint64_t{client.id} << 34 | uint64_t{process} << 2 | what);
}

void KeyValueGenerator::OnAttached(NodeId host) {
  if (client_of_[host] == 0) return;
  Client& client = clients_[client_of_[host] - 1];
  const Time at = std::max(arrivals_.start, EventQueue::Get().now());
  for (uint32_t p = 0; p < static_cast<uint32_t>(arrivals_.processes); ++p) Schedule(client, at, kBegin, p);
}

void KeyValueGenerator::ScheduleArrival(Client& client, uint32_t process) {
  const Time now = EventQueue::Get().now();
  const double gap = client.gaps.Exponential(1e12 / arrivals_.rate);
  if (gap < static_cast<double>((stop_ - now).v))
    Schedule(client, now + Time(std::llround(gap)), kNext, process);
}

void KeyValueGenerator::OnEvent(uint64_t arg) {
  if ((arg & 3) == kEnd) return offers_.OnExhausted();
  Client& client = clients_[client_of_[arg >> 34] - 1];
  const auto process = static_cast<uint32_t>(arg >> 2);
  if (arrivals_.rate > 0) {
    if ((arg & 3) == kNext) Offer(client, process);
    return ScheduleArrival(client, process);
  }
  for (int i = 0; i < arrivals_.window; ++i) Offer(client, process);
}

void KeyValueGenerator::OnEnded(const OperationRecord& ended) {
  if (arrivals_.rate > 0 || EventQueue::Get().now() >= stop_) return;
  Offer(clients_[client_of_[ended.client] - 1], ended.stream);
}

OperationKind KeyValueGenerator::Kind(Client& client) {
  const double puts = arrivals_.puts, inserts = puts + arrivals_.inserts;
  const double u = client.kinds.Uniform();
  if (u < puts) return OperationKind::put;
  if (u < inserts) return OperationKind::insert;
  return u < inserts + arrivals_.modifies ? OperationKind::read_modify_write : OperationKind::get;
}

uint64_t KeyValueGenerator::Key(Client& client, OperationKind) {
  return client.keys.Below(static_cast<uint64_t>(arrivals_.keys));
}

void KeyValueGenerator::Offer(Client& client, uint32_t process) {
  if (arrivals_.operations > 0 && offered_ >= arrivals_.operations) return;
  ++offered_;
  OperationRequest request;
  request.client = client.id;
  request.kind = Kind(client);
  request.address = Key(client, request.kind);
  request.bytes = static_cast<uint32_t>(arrivals_.value.v);
  request.stream = process;
  offers_.Offer(index_, request, false);
}

}  // namespace headroom
