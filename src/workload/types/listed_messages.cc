#include "workload/types/listed_messages.h"

#include "workload/generator.h"

namespace headroom {

namespace {

class ListGenerator final : public Generator {
 public:
  ListGenerator(const WorkloadParameters& workload, uint32_t index, Time duration, Offers& offers,
                std::vector<ListedMessage> messages);
  void Start() override;
  void OnEvent(uint64_t next) override;

 private:
  void ScheduleFrom(uint64_t next);

  uint32_t index_;
  uint8_t priority_;
  Time duration_;
  Offers& offers_;
  std::vector<ListedMessage> messages_;
  EntityId entity_ = 0;
};

ListGenerator::ListGenerator(const WorkloadParameters& workload, uint32_t index, Time duration,
                             Offers& offers, std::vector<ListedMessage> messages)
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
    const ListedMessage& m = messages_[next];
    offers_.Offer(index_, m.from, m.to, m.size, m.priority.value_or(priority_), 0, m.source_port);
  }
  ScheduleFrom(next);
}

}  // namespace

std::unique_ptr<Generator> ListedMessages::MakeGenerator(const WorkloadParameters& workload, uint32_t index,
                                                         const GeneratorGround& ground) const {
  return GeneratorOf(*Listed(workload), workload, index, ground);
}

std::unique_ptr<Generator> ListedMessages::GeneratorOf(std::vector<ListedMessage> messages,
                                                       const WorkloadParameters& workload, uint32_t index,
                                                       const GeneratorGround& ground) {
  return std::make_unique<ListGenerator>(workload, index, ground.hosts.duration, ground.offers,
                                         std::move(messages));
}

void ListedMessages::AddShares(const WorkloadParameters& workload, const HostView&, ShareSink& sink) const {
  const auto messages = Listed(workload);
  for (const ListedMessage& m : *messages) sink.Add(m.from, m.to, 1);
}

void ListedMessages::OfferFlows(const WorkloadParameters& workload, const HostView&, FlowSink& sink) const {
  const auto messages = Listed(workload);
  for (const ListedMessage& m : *messages) {
    if (m.from != m.to)
      sink.Offer(m.from, m.to, m.priority.value_or(workload.priority), static_cast<double>(m.size.v),
                 m.source_port);
  }
}

}  // namespace headroom
