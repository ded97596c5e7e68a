#include "workload/bursts.h"

#include <algorithm>
#include <stdexcept>

namespace headroom {

IncastGenerator::IncastGenerator(const WorkloadParameters& workload, uint32_t index, const HostView& hosts,
                                 Offers& offers)
    : arrivals_(std::get<IncastArrivals>(workload.arrivals)),
      index_(index),
      priority_(workload.priority),
      duration_(hosts.duration),
      offers_(offers),
      senders_(*hosts.topology, arrivals_.from, arrivals_.scope),
      entity_(EventQueue::Get().AddEntity(UINT32_MAX)),
      random_(workload.name + "/bursts") {
  for (const NodeId target : arrivals_.to) {
    const auto& from = senders_.Of(target);
    if (std::all_of(from.begin(), from.end(), [target](NodeId h) { return h == target; })) {
      throw std::invalid_argument("workload " + workload.name + ": nobody sends to " +
                                  hosts.topology->nodes[target].name + " within its scope");
    }
  }
}

void IncastGenerator::Start() { ScheduleBurst(0); }

void IncastGenerator::ScheduleBurst(int burst) {
  const Time at = arrivals_.at + arrivals_.every * burst;
  if (burst >= arrivals_.count || at >= duration_) return offers_.OnExhausted();
  EventQueue::Get().PushTarget(at, TimedEvent::Order(EventClass::workload, entity_), this,
                               static_cast<uint64_t>(burst));
}

void IncastGenerator::OnEvent(uint64_t burst) {
  const NodeId target =
      arrivals_.to.size() == 1 ? arrivals_.to[0] : arrivals_.to[random_.Below(arrivals_.to.size())];
  std::vector<NodeId> from = senders_.Of(target);
  std::erase(from, target);
  if (arrivals_.fan_in > 0 && static_cast<size_t>(arrivals_.fan_in) < from.size()) {
    // The first fan_in steps of a Fisher-Yates shuffle: a fair draw without replacement.
    for (size_t i = 0; i < static_cast<size_t>(arrivals_.fan_in); ++i) {
      std::swap(from[i], from[i + random_.Below(from.size() - i)]);
    }
    from.resize(static_cast<size_t>(arrivals_.fan_in));
    std::sort(from.begin(), from.end());
  }
  for (const NodeId h : from) offers_.Offer(index_, h, target, arrivals_.size, priority_);
  ScheduleBurst(static_cast<int>(burst) + 1);
}

ListGenerator::ListGenerator(const WorkloadParameters& workload, uint32_t index, Time duration,
                             Offers& offers, std::vector<ListArrivals::Message> messages)
    : index_(index),
      priority_(workload.priority),
      duration_(duration),
      offers_(offers),
      messages_(std::move(messages)),
      entity_(EventQueue::Get().AddEntity(UINT32_MAX)) {}

void ListGenerator::Start() { ScheduleFrom(0); }

void ListGenerator::ScheduleFrom(uint64_t next) {
  if (next >= messages_.size() || messages_[next].at >= duration_) return offers_.OnExhausted();
  EventQueue::Get().PushTarget(messages_[next].at, TimedEvent::Order(EventClass::workload, entity_), this,
                               next);
}

void ListGenerator::OnEvent(uint64_t next) {
  const Time now = EventQueue::Get().now();
  for (; next < messages_.size() && messages_[next].at == now; ++next) {
    const ListArrivals::Message& m = messages_[next];
    offers_.Offer(index_, m.from, m.to, m.size, m.priority.value_or(priority_));
  }
  ScheduleFrom(next);
}

std::vector<ListArrivals::Message> PermutationMessages(const PermutationArrivals& arrivals,
                                                       const std::string& name) {
  RandomStream random(name + "/permutation");
  // Sattolo's shuffle makes one cycle through all hosts of it, each such cycle equally likely.
  std::vector<NodeId> target = arrivals.hosts;
  for (size_t i = target.size(); i-- > 1;) std::swap(target[i], target[random.Below(i)]);
  std::vector<ListArrivals::Message> messages;
  for (size_t i = 0; i < target.size(); ++i) {
    messages.push_back({arrivals.at, arrivals.hosts[i], target[i], arrivals.size, {}});
  }
  std::sort(messages.begin(), messages.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
  return messages;
}

}  // namespace headroom
