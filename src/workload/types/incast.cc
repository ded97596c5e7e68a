// Type incast: many senders each send to one target at the same time, repeatedly.
#include "workload/types/incast.h"

#include <algorithm>
#include <stdexcept>

#include "scenario/keys/workloads/workload_keys.h"
#include "scenario/scenario.h"
#include "sim/random.h"
#include "workload/generator.h"
#include "workload/types/line_limits.h"
#include "workload/types/messages_between.h"

namespace headroom {

namespace {

class IncastGenerator final : public Generator {
 public:
  IncastGenerator(const IncastArrivals& arrivals, const WorkloadParameters& workload, uint32_t index,
                  const HostView& hosts, Offers& offers);
  void Start() override;
  void OnEvent(uint64_t burst) override;

 private:
  void ScheduleBurst(int burst);

  IncastArrivals arrivals_;
  uint32_t index_;
  uint8_t priority_;
  Time duration_;
  Offers& offers_;
  Neighbourhoods senders_;
  EntityId entity_ = 0;
  RandomStream random_;
};

IncastGenerator::IncastGenerator(const IncastArrivals& arrivals, const WorkloadParameters& workload,
                                 uint32_t index, const HostView& hosts, Offers& offers)
    : arrivals_(arrivals),
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
      throw std::invalid_argument("workload " + workload.name + ": no host sends to " +
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

/// The number of bursts, `every` apart, in [start, end).
double Bursts(Time start, Time end, Time every) {
  if (end <= start) return 0;
  return every.v == 0 ? 1 : static_cast<double>((end - start - Time(1)).v / every.v + 1);
}

class IncastType final : public BetweenHosts<IncastType, IncastArrivals> {
 public:
  using BetweenHosts::BetweenHosts;

  std::unique_ptr<Generator> MakeGenerator(const WorkloadParameters& workload, uint32_t index,
                                           const GeneratorGround& ground) const override {
    return std::make_unique<IncastGenerator>(a, workload, index, ground.hosts, ground.offers);
  }
  bool ActsPartByPart(const WorkloadParameters&) const override { return true; }
  std::optional<Time> LastArrival() const override {
    const int64_t more = a.count - 1;
    const bool ends = more == 0 || a.every.v <= (kLongestTime - a.at).v / more;
    return ends ? std::optional(a.at + a.every * more) : std::nullopt;
  }
  Time NeededArrival() const override { return a.at; }

  void CheckTargets(const TargetCheck& check) const override {
    check.Paths(a.from, a.to);
    check.Within(a.to, a.from, a.scope, std::max(1, a.fan_in), "to receive from");
  }
  void AddShares(const WorkloadParameters&, const HostView& hosts, ShareSink& sink) const override {
    const Neighbourhoods senders(*hosts.topology, a.from, a.scope);
    for (const NodeId to : a.to) {
      std::vector<NodeId> from = senders.Of(to);
      std::erase(from, to);
      for (const NodeId h : from) sink.Add(h, to, 1.0 / static_cast<double>(from.size()));
    }
  }
  void OfferFlows(const WorkloadParameters& workload, const HostView& hosts, FlowSink& sink) const override {
    const NodeId to = a.to.front();
    std::vector<NodeId> from = Neighbourhoods(*hosts.topology, a.from, a.scope).Of(to);
    std::erase(from, to);
    if (a.fan_in > 0 && static_cast<size_t>(a.fan_in) < from.size())
      from.resize(static_cast<size_t>(a.fan_in));
    for (const NodeId h : from) sink.Offer(h, to, workload.priority, MeanBytes());
  }

  double Expected(const Scenario& s) const override {
    return Senders() * std::min<double>(a.count, Bursts(a.at, s.duration, a.every));
  }
  double MeanBytes() const override { return static_cast<double>(a.size.v); }
  std::optional<double> PerSecond(const HostView&) const override {
    if (a.count < 2 || a.every.v == 0) return std::nullopt;
    return Senders() / InSeconds(a.every);
  }
  const IncastArrivals* AsBursts() const override { return &a; }

 private:
  double Senders() const { return a.fan_in > 0 ? a.fan_in : static_cast<double>(a.from.size()); }
};

}  // namespace

std::unique_ptr<Arrivals> ArrivalsFrom(IncastArrivals a) {
  return std::make_unique<IncastType>(std::move(a));
}

}  // namespace headroom

namespace headroom::keys {

namespace {

const KeysOf<IncastArrivals>& RepeatOfIncastKeys() {
  using A = IncastArrivals;
  static const KeysOf<A> keys(
      {.name = "incast_repeat", .page = kWorkloadPage},
      {{"every", &A::every, Times(Nanoseconds(1)), "time between bursts", {.required = true}},
       {"count", &A::count, Integers(1, 1'000'000'000), "number of bursts", {.required = true}}});
  return keys;
}

KindOf<IncastArrivals> RepeatOfIncast() {
  KindOf<IncastArrivals> kind = Mapping(RepeatOfIncastKeys());
  kind.write = [write = kind.write](const IncastArrivals& a, const Writing& writing) {
    return a.every.v > 0 ? write(a, writing) : "";
  };
  return kind;
}

/// REQUIRES: the senders have been read.
void CheckFanIn(const Node& node, const IncastArrivals& a, const Reading& reading) {
  const Node* fan_in = node.Find("fan_in");
  if (!fan_in || a.fan_in <= static_cast<int64_t>(a.from.size())) return;
  const uint32_t hosts = reading.topology->hosts;
  throw ScenarioError(
      fan_in->where, fmt::format("fan_in {} is more than the {} senders", a.fan_in, a.from.size()),
      fmt::format("allowed: 1 to {}, or all; for more {}", a.from.size(),
                  a.from.size() + 1 < hosts ? fmt::format("widen from: the topology has {} hosts", hosts)
                                            : "give the topology more hosts: each sends once"));
}

const KeysOf<Workload>& IncastKeys() {
  using A = IncastArrivals;
  static const KeysOf<Workload> keys = TypeKeys<IncastType>(
      "incast", "fan_in senders each send a message to one target at the same time, and may repeat this",
      {Of("size", &A::size, Sizes(Bytes(1)), "size of each message", {.required = true}),
       Of("fan_in", &A::fan_in, OrWord("all", 0, KindOf<int>(Integers(1, 1'000'000'000))),
          "senders per burst", {.tried = {"/2"}, .cost = Cost::diagnosis}),
       ScopeKey<A>(), Of("at", &A::at, Times(), "time of the first burst"),
       OfAll<A>("repeat", RepeatOfIncast(), "repetition of bursts", {.standard = "once"})},
      Ends::to_needed, [](const Node& node, Workload& w, Reading& reading) {
        auto& a = DataOf<A>(w);
        CheckEnds(node, a.from, a.to, reading);
        CheckFanIn(node, a, reading);
      });
  return keys;
}

const RegisteredType kIncast({.place = 2, .keys = IncastKeys});

}  // namespace

}  // namespace headroom::keys
