// An example of a workload type, all_to_all. In step k each host sends to the k-th host after it. A step
// begins when the step before it is complete. docs/extending.md explains this file.
#include <iostream>

#include "run/run.h"
#include "scenario/keys/workloads/workload_keys.h"
#include "scenario/read/load.h"
#include "workload/generator.h"
#include "workload/types/messages_between.h"

using namespace headroom;
using namespace headroom::keys;

struct AllToAll {
  std::vector<NodeId> hosts;
  Bytes size;
  Time at;
  bool operator==(const AllToAll&) const = default;
};

class AllToAllGenerator final : public Generator {
 public:
  AllToAllGenerator(const AllToAll& a, const WorkloadParameters& workload, uint32_t index,
                    const GeneratorGround& ground)
      : a_(a),
        index_(index),
        priority_(workload.priority),
        duration_(ground.hosts.duration),
        offers_(ground.offers) {}
  void Start() override {
    const EntityId entity = EventQueue::Get().AddEntity(UINT32_MAX);
    EventQueue::Get().PushTarget(a_.at, TimedEvent::Order(EventClass::workload, entity), this, 0);
  }
  void OnEvent(uint64_t) override { BeginStep(); }
  void OnCompleted(NodeId, NodeId) override {
    if (--open_ == 0 && step_ + 1 < a_.hosts.size()) BeginStep();
  }

 private:
  void BeginStep() {
    if (EventQueue::Get().now() >= duration_) return offers_.OnExhausted();
    const size_t hosts = open_ = a_.hosts.size();
    ++step_;
    for (size_t i = 0; i < hosts; ++i)
      offers_.Offer(index_, a_.hosts[i], a_.hosts[(i + step_) % hosts], a_.size, priority_);
    if (step_ + 1 == hosts) offers_.OnExhausted();
  }

  const AllToAll a_;
  const uint32_t index_;
  const uint8_t priority_;
  const Time duration_;
  Offers& offers_;
  size_t step_ = 0, open_ = 0;
};

class AllToAllType final : public ArrivalsOf<AllToAllType, AllToAll, MessagesBetween> {
 public:
  void StartWith(const std::vector<NodeId>& all) override { a.hosts = all; }
  std::unique_ptr<Generator> MakeGenerator(const WorkloadParameters& workload, uint32_t index,
                                           const GeneratorGround& ground) const override {
    return std::make_unique<AllToAllGenerator>(a, workload, index, ground);
  }
  Time NeededArrival() const override { return a.at; }
  double Expected(const Scenario&) const override {
    return static_cast<double>(a.hosts.size() * (a.hosts.size() - 1));
  }
  double MeanBytes() const override { return static_cast<double>(a.size.v); }
  void OfferFlows(const WorkloadParameters& workload, const HostView&, FlowSink& sink) const override {
    for (size_t i = 0; i < a.hosts.size(); ++i)
      sink.Offer(a.hosts[i], a.hosts[(i + 1) % a.hosts.size()], workload.priority, MeanBytes());
  }
  Ends ends() const override { return {a.hosts, a.hosts}; }
};

static const KeysOf<Workload>& AllToAllKeys() {
  const auto hosts = [](Workload& w) -> std::vector<NodeId>& { return DataOf<AllToAll>(w).hosts; };
  static const KeysOf<Workload> all = TypeKeys<AllToAllType>(
      "all_to_all", "every host sends to every other, a step for each distance",
      {Of("size", &AllToAll::size, Sizes(Bytes(1)), "of each message", {.required = true}),
       Of("at", &AllToAll::at, Times(), "the first step"),
       {"hosts", HostsKind(hosts, &WorkloadSource::from), "who takes part", {.standard = "\"*\""}}});
  return all;
}
const RegisteredType kAllToAll({.keys = AllToAllKeys});

static const char* const kScenario = R"(
topology: {type: star, hosts: 8, link: {rate: 100Gbps, length: 3m}}
workloads: [{name: exchange, type: all_to_all, size: 1MiB}]
duration: 1ms
)";
int main() {
  const RunRecord record = Run(LoadScenarioText(kScenario, "all_to_all.yaml", "."), {});
  Time last;
  for (const MessageRecord& m : record.messages) last = std::max(last, m.completed);
  std::cout << record.messages.size() << " messages, all done after " << InMicroseconds(last) << " us\n";
  // Seven steps of eight messages; each takes 84 us on a line of 100 Gb/s.
  return record.messages.size() == 56 && last > Microseconds(7 * 84) && last < Microseconds(7 * 100) ? 0 : 1;
}
