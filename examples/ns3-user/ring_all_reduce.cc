// An example of a workload type, ring_all_reduce: each host sends chunks to its successor in the ring. It
// sends chunk k + 1 when chunk k of its predecessor has arrived. docs/extending.md explains this file.
#include <algorithm>
#include <iostream>

#include "cli/program.h"
#include "run/run.h"
#include "scenario/keys/workloads/workload_keys.h"
#include "scenario/read/load.h"
#include "workload/generator.h"
#include "workload/types/messages_between.h"

using namespace headroom;
using namespace headroom::keys;

struct RingAllReduce {
  std::vector<NodeId> hosts;
  Bytes size;
  Time at;
  size_t Steps() const { return 2 * (hosts.size() - 1); }
  Bytes Chunk() const { return Bytes((size.v - 1) / static_cast<int64_t>(hosts.size()) + 1); }
  NodeId After(size_t place) const { return hosts[(place + 1) % hosts.size()]; }
  bool operator==(const RingAllReduce&) const = default;
};

class RingGenerator final : public Generator {
 public:
  RingGenerator(const RingAllReduce& ring, const WorkloadParameters& workload, uint32_t index,
                const GeneratorGround& ground)
      : ring_(ring),
        index_(index),
        priority_(workload.priority),
        duration_(ground.hosts.duration),
        offers_(ground.offers),
        sent_(ring.hosts.size()) {}
  std::vector<NodeId> Senders() const override { return ring_.hosts; }
  void Start() override {
    EventQueue& queue = EventQueue::Get();
    queue.PushTarget(ring_.at, TimedEvent::Order(EventClass::workload, queue.AddEntity(UINT32_MAX)), this, 0);
  }
  void OnEvent(uint64_t) override {
    for (size_t place = 0; place < ring_.hosts.size(); ++place) Send(place, 0);
  }
  bool HearsDeliveries() const override { return true; }
  void OnDelivered(const OfferedMessage& m) override {
    const auto receiver = std::ranges::find(ring_.hosts, m.dst) - ring_.hosts.begin();
    if (m.number + 1 < ring_.Steps()) Send(static_cast<size_t>(receiver), m.number + 1);
  }

 private:
  void Send(size_t place, uint32_t step) {
    if (sent_[place] == ring_.Steps()) return;
    const bool in_time = EventQueue::Get().now() < duration_;
    if (in_time)
      offers_.Offer(index_, ring_.hosts[place], ring_.After(place), ring_.Chunk(), priority_, step);
    sent_[place] = in_time ? sent_[place] + 1 : ring_.Steps();
    if (sent_[place] == ring_.Steps()) offers_.OnExhausted();
  }

  const RingAllReduce ring_;
  const uint32_t index_;
  const uint8_t priority_;
  const Time duration_;
  Offers& offers_;
  std::vector<size_t> sent_;  // number of chunks, by place in the ring
};

class RingType final : public ArrivalsOf<RingType, RingAllReduce, MessagesBetween> {
 public:
  void StartWith(const std::vector<NodeId>& all) override { a.hosts = all; }
  std::unique_ptr<Generator> MakeGenerator(const WorkloadParameters& workload, uint32_t index,
                                           const GeneratorGround& ground) const override {
    return std::make_unique<RingGenerator>(a, workload, index, ground);
  }
  bool ActsPartByPart(const WorkloadParameters& workload) const override {
    return workload.verb != Operation::read_request;  // which another host would post
  }
  Time NeededArrival() const override { return a.at; }
  double Expected(const Scenario&) const override { return static_cast<double>(a.hosts.size() * a.Steps()); }
  double MeanBytes() const override { return static_cast<double>(a.Chunk().v); }
  void AddShares(const WorkloadParameters&, const HostView&, ShareSink& sink) const override {
    for (size_t i = 0; i < a.hosts.size(); ++i) sink.Add(a.hosts[i], a.After(i), 1);
  }
  void OfferFlows(const WorkloadParameters& workload, const HostView&, FlowSink& sink) const override {
    for (size_t i = 0; i < a.hosts.size(); ++i)
      sink.Offer(a.hosts[i], a.After(i), workload.priority, MeanBytes());
  }
  Ends ends() const override { return {a.hosts, a.hosts}; }
};

static const KeysOf<Workload>& RingKeys() {
  const auto hosts = [](Workload& w) -> std::vector<NodeId>& { return DataOf<RingAllReduce>(w).hosts; };
  static const KeysOf<Workload> all = TypeKeys<RingType>(
      "ring_all_reduce", "a ring of hosts sums up data, in 2 (n - 1) steps",
      {Of("size", &RingAllReduce::size, Sizes(Bytes(1)), "of the data, n chunks", {.required = true}),
       Of("at", &RingAllReduce::at, Times(), "the first step"),
       {"hosts", HostsKind(hosts, &WorkloadSource::from), "the ring, in its order", {.standard = "\"*\""}}});
  return all;
}
const RegisteredType kRing({.keys = RingKeys});

static const char* const kScenario = R"(
topology: {type: star, hosts: 8, link: {rate: 100Gbps, length: 3m}}
workloads: [{name: sum, type: ring_all_reduce, size: 8MiB}]
duration: 2ms
)";
int main(int argc, char** argv) {
  if (argc > 1) return RunProgram(argc, argv);  // ring_all_reduce run my.yaml --ranks 2 …
  const RunRecord record = Run(LoadScenarioText(kScenario, "ring.yaml", "."), {});
  Time last;
  for (const MessageRecord& m : record.messages) last = std::max(last, m.delivered);
  std::cout << record.messages.size() << " chunks delivered after " << InMicroseconds(last) << " us\n";
  // Fourteen steps. A chunk takes 84 us at 100 Gb/s, and 17 % more with headers, gaps, ACKs and latency.
  return record.messages.size() == 8 * 14 && last > Microseconds(14 * 84) && last < Microseconds(14 * 100)
             ? 0
             : 1;
}
