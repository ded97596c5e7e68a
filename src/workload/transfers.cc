#include "workload/transfers.h"

#include <algorithm>
#include <cmath>

namespace headroom {

TransferGenerator::TransferGenerator(const WorkloadParameters& workload, uint32_t index,
                                     const HostView& hosts, OperationOffers& offers)
    : arrivals_(std::get<TransferArrivals>(workload.arrivals)),
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
    c.picks = RandomStream(name + "/picks");
  }
}

void TransferGenerator::Start() {
  if (arrivals_.start >= stop_) return offers_.OnExhausted();
  EventQueue::Get().PushTarget(stop_, TimedEvent::Order(EventClass::workload, entity_), this, kEnd);
}

void TransferGenerator::Schedule(Client& client, Time at, What what) {
  if (at >= stop_) return;
  EventQueue::Get().PushTarget(at, TimedEvent::Order(EventClass::workload, client.entity, client.events++),
                               this, uint64_t{client.id} << 2 | what);
}

void TransferGenerator::OnAttached(NodeId host) {
  if (client_of_[host] == 0) return;
  Schedule(clients_[client_of_[host] - 1], std::max(arrivals_.start, EventQueue::Get().now()), kBegin);
}

void TransferGenerator::ScheduleArrival(Client& client) {
  const Time now = EventQueue::Get().now();
  const double gap = client.gaps.Exponential(1e12 / arrivals_.rate);
  if (gap < static_cast<double>((stop_ - now).v)) Schedule(client, now + Time(std::llround(gap)), kNext);
}

/// One of a thread's connections: every `threads`-th from its own number on.
uint32_t TransferGenerator::Pick(Client& client, uint32_t thread) {
  const auto threads = static_cast<uint32_t>(arrivals_.threads);
  const uint32_t own = (static_cast<uint32_t>(arrivals_.connections) - thread + threads - 1) / threads;
  return thread + threads * static_cast<uint32_t>(client.picks.Below(own));
}

void TransferGenerator::OnEvent(uint64_t arg) {
  if ((arg & 3) == kEnd) return offers_.OnExhausted();
  Client& client = clients_[client_of_[arg >> 2] - 1];
  const auto connections = static_cast<uint32_t>(arrivals_.connections);
  if (arrivals_.rate > 0) {
    if ((arg & 3) == kNext) Offer(client, static_cast<uint32_t>(client.picks.Below(connections)));
    return ScheduleArrival(client);
  }
  const uint32_t loops =
      arrivals_.random ? std::min(static_cast<uint32_t>(arrivals_.threads), connections) : connections;
  for (int i = 0; i < arrivals_.window; ++i) {
    for (uint32_t n = 0; n < loops; ++n) Offer(client, arrivals_.random ? Pick(client, n) : n);
  }
}

/// A connection that has failed is asked for no more.
void TransferGenerator::OnEnded(const OperationRecord& ended) {
  if (arrivals_.rate > 0 || EventQueue::Get().now() >= stop_ || ended.status == OperationStatus::failed)
    return;
  Client& client = clients_[client_of_[ended.client] - 1];
  Offer(client, arrivals_.random ? Pick(client, ended.stream % static_cast<uint32_t>(arrivals_.threads))
                                 : ended.stream);
}

void TransferGenerator::Offer(Client& client, uint32_t connection) {
  OperationRequest request;
  request.client = client.id;
  request.kind = arrivals_.kind;
  request.bytes = static_cast<uint32_t>(arrivals_.size.v);
  request.stream = connection;
  offers_.Offer(index_, request, false);
}

}  // namespace headroom
