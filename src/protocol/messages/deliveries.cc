#include "protocol/messages/deliveries.h"

#include "sim/parts.h"

namespace headroom {

Deliveries::Deliveries(const HostView& hosts, const std::vector<std::unique_ptr<Generator>>& generators)
    : hosts_(hosts), generators_(generators), leaving_(static_cast<size_t>(Parts::Get().ranks())) {
  for (const uint32_t context : hosts.contexts) receivers_.push_back({EventQueue::Get().AddEntity(context)});
  if (Parts::Get().ranks() > 1) Parts::Get().Add(*this);
}

void Deliveries::Await(uint32_t workload, const OfferedMessage& message) {
  if (!generators_[workload]->HearsDeliveries()) return;
  const Parts& parts = Parts::Get();
  const int receiver = parts.Of(hosts_.contexts[message.dst]);
  if (parts.Here(receiver)) {
    awaited_[message.id] = {workload, message};
  } else {
    leaving_[static_cast<size_t>(parts.RankOf(receiver))].push_back({workload, message});
  }
}

void Deliveries::OnDelivered(uint32_t message, Time at) {
  const auto found = awaited_.find(message);
  if (found == awaited_.end()) return;
  Receiver& receiver = receivers_[found->second.message.dst];
  const uint64_t order = TimedEvent::Order(EventClass::workload, receiver.entity, receiver.count++);
  EventQueue::Get().PushTarget(at, order, this, message);
}

void Deliveries::OnEvent(uint64_t message) {
  const auto found = awaited_.extract(static_cast<uint32_t>(message));
  if (!found) return;  // reported twice
  generators_[found.mapped().workload]->OnDelivered(found.mapped().message);
}

void Deliveries::Unpack(int, Unpacker& from) {
  std::vector<Awaited> arriving;
  from(arriving);
  for (const Awaited& a : arriving) awaited_[a.message.id] = a;
}

void Deliveries::Sent() {
  for (auto& messages : leaving_) messages.clear();
}

}  // namespace headroom
