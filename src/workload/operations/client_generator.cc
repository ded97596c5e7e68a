#include "workload/operations/client_generator.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom {

ClientGenerator::ClientGenerator(const Parameters& parameters, const WorkloadParameters& workload,
                                 uint32_t index, const HostView& hosts, OperationOffers& offers)
    : p_(parameters),
      index_(index),
      stop_(std::min(p_.stop.value_or(hosts.duration), hosts.duration)),
      offers_(offers),
      entity_(EventQueue::Get().AddEntity(UINT32_MAX)),
      client_of_(hosts.contexts.size()) {
  for (const NodeId id : p_.clients) {
    Client& c = clients_.emplace_back();
    client_of_[id] = static_cast<uint32_t>(clients_.size());
    c.id = id;
    c.place = client_of_[id] - 1;
    c.entity = EventQueue::Get().AddEntity(hosts.contexts[id]);
    c.gaps = RandomStream(StreamsOf(id, workload, hosts) + "/gaps");
  }
}

void ClientGenerator::Start() {
  if (p_.start >= stop_) return Exhaust();
  EventQueue::Get().PushTarget(stop_, TimedEvent::Order(EventClass::workload, entity_), this, kEnd);
}

void ClientGenerator::Exhaust() {
  if (!std::exchange(exhausted_, true)) offers_.OnExhausted();
}

void ClientGenerator::Schedule(Client& client, Time at, What what, uint32_t loop) {
  if (at >= stop_) return;
  EventQueue::Get().PushTarget(at, TimedEvent::Order(EventClass::workload, client.entity, client.events++),
                               this, uint64_t{client.id} << 34 | uint64_t{loop} << 2 | what);
}

void ClientGenerator::OnAttached(NodeId host) {
  Client* const client = Find(host);
  if (client == nullptr) return;
  const Time at = std::max(p_.start, EventQueue::Get().now());
  for (uint32_t loop = 0; loop < p_.loops; ++loop) Schedule(*client, at, kBegin, loop);
}

void ClientGenerator::ScheduleArrival(Client& client, uint32_t loop) {
  const Time now = EventQueue::Get().now();
  const double mean_ps = 1e12 / p_.rate;
  const double gap = p_.even ? mean_ps : client.gaps.Exponential(mean_ps);
  if (gap < static_cast<double>((stop_ - now).v))
    Schedule(client, now + Time(std::llround(gap)), kOffer, loop);
}

void ClientGenerator::OnEvent(uint64_t arg) {
  if ((arg & 3) == kEnd) return Exhaust();
  Client& client = *Find(static_cast<NodeId>(arg >> 34));
  const auto loop = static_cast<uint32_t>(arg >> 2);
  if ((arg & 3) == kOffer)
    Offer(client, loop);
  else if (!IsOpen())
    return Begin(client, loop);
  if (IsOpen()) ScheduleArrival(client, loop);
}

}  // namespace headroom
