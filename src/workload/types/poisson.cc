// Type poisson: exponential gaps at every sender, random sizes, targets uniform within the scope.
#include "workload/types/poisson.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>

#include "scenario/keys/workloads/workload_keys.h"
#include "scenario/scenario.h"
#include "scenario/size_files.h"
#include "scenario/yaml/nearest.h"
#include "sim/parts.h"
#include "sim/random.h"
#include "workload/generator.h"
#include "workload/types/line_limits.h"
#include "workload/types/messages_between.h"

namespace headroom {

namespace {

double MeanOf(const PoissonArrivals& a) {
  return a.sizes ? headroom::MeanBytes(*a.sizes) : static_cast<double>(a.size.v);
}

class PoissonGenerator final : public Generator {
 public:
  PoissonGenerator(const PoissonArrivals& arrivals, const WorkloadParameters& workload, uint32_t index,
                   const HostView& hosts, Offers& offers);
  void Start() override;
  std::vector<NodeId> Senders() const override {
    return of_no_host_ ? std::vector<NodeId>() : arrivals_.from;
  }
  void OnEvent(uint64_t sender) override;

 private:
  struct Sender {
    NodeId host = 0;
    uint32_t context = 0;
    EntityId entity = 0;
    double mean_gap_ps = 0;
    RandomStream gaps, sizes, targets;
    const std::vector<NodeId>* reach = nullptr;
  };
  void ScheduleNext(uint64_t sender, Time after);
  void OnExhausted();

  PoissonArrivals arrivals_;
  uint32_t index_;
  uint8_t priority_;
  bool of_no_host_;  ///< a sender's READ is posted by its target, so arrivals are events of no host
  size_t active_;    ///< senders with further arrivals
  Time duration_;
  Offers& offers_;
  Neighbourhoods neighbourhoods_;
  std::vector<Sender> senders_;
};

PoissonGenerator::PoissonGenerator(const PoissonArrivals& arrivals, const WorkloadParameters& workload,
                                   uint32_t index, const HostView& hosts, Offers& offers)
    : arrivals_(arrivals),
      index_(index),
      priority_(workload.priority),
      of_no_host_(workload.verb == Operation::read_request),
      active_(arrivals_.from.size()),
      duration_(hosts.duration),
      offers_(offers),
      neighbourhoods_(*hosts.topology, arrivals_.to, arrivals_.scope) {
  const double mean_bytes = MeanOf(arrivals_);
  for (const NodeId h : arrivals_.from) {
    Sender s;
    s.host = h;
    s.context = of_no_host_ ? UINT32_MAX : hosts.contexts[h];
    s.entity = EventQueue::Get().AddEntity(s.context);
    const std::string name = hosts.topology->nodes[h].name + "/" + workload.name;
    s.gaps = RandomStream(name + "/gaps");
    s.sizes = RandomStream(name + "/sizes");
    s.targets = RandomStream(name + "/targets");
    s.mean_gap_ps = mean_bytes * 8e12 /
                    (arrivals_.load * static_cast<double>(hosts.LineRate(h, workload.arrivals->nic).v));
    s.reach = &neighbourhoods_.Of(h);
    if (std::all_of(s.reach->begin(), s.reach->end(), [h](NodeId t) { return t == h; })) {
      throw std::invalid_argument("workload " + workload.name + ": " + hosts.topology->nodes[h].name +
                                  " has no target within its scope");
    }
    senders_.push_back(std::move(s));
  }
}

void PoissonGenerator::Start() {
  for (uint64_t i = 0; i < senders_.size(); ++i) {
    const Parts::Within part(senders_[i].context);
    ScheduleNext(i, Time{});
  }
}

void PoissonGenerator::ScheduleNext(uint64_t sender, Time after) {
  Sender& s = senders_[sender];
  const double gap = s.gaps.Exponential(s.mean_gap_ps);
  if (gap >= static_cast<double>((duration_ - after).v)) return OnExhausted();
  EventQueue::Get().PushTarget(after + Time(std::llround(gap)),
                               TimedEvent::Order(EventClass::workload, s.entity), this, sender);
}

void PoissonGenerator::OnExhausted() {
  if (!of_no_host_ || --active_ == 0) offers_.OnExhausted();
}

void PoissonGenerator::OnEvent(uint64_t sender) {
  Sender& s = senders_[sender];
  const Bytes size = arrivals_.sizes ? SampleSize(*arrivals_.sizes, s.sizes.Uniform()) : arrivals_.size;
  NodeId target = s.host;
  while (target == s.host) target = (*s.reach)[s.targets.Below(s.reach->size())];
  offers_.Offer(index_, s.host, target, size, priority_);
  ScheduleNext(sender, EventQueue::Get().now());
}

class PoissonType final : public BetweenHosts<PoissonType, PoissonArrivals> {
 public:
  using BetweenHosts::BetweenHosts;

  std::unique_ptr<Generator> MakeGenerator(const WorkloadParameters& workload, uint32_t index,
                                           const GeneratorGround& ground) const override {
    return std::make_unique<PoissonGenerator>(a, workload, index, ground.hosts, ground.offers);
  }
  bool ActsPartByPart(const WorkloadParameters&) const override { return true; }
  std::vector<LoneMessage> LastAlone(const HostView& hosts) const override {
    if (a.sizes) return {};
    return {Alone(hosts, a.size, Time{}, a.from, a.to)};
  }
  void AddShares(const WorkloadParameters&, const HostView& hosts, ShareSink& sink) const override {
    const Neighbourhoods targets(*hosts.topology, a.to, a.scope);
    std::map<const std::vector<NodeId>*, std::vector<std::pair<NodeId, double>>> senders;
    std::vector<const std::vector<NodeId>*> order;
    for (const NodeId from : a.from) {
      auto& of_reach = senders[&targets.Of(from)];
      if (of_reach.empty()) order.push_back(&targets.Of(from));
      of_reach.emplace_back(from, static_cast<double>(hosts.LineRate(from, nic).v));
    }
    for (const auto* reach : order) sink.AddUniform(senders[reach], *reach);
  }
  void OfferFlows(const WorkloadParameters&, const HostView&, FlowSink&) const override {}

  double Expected(const Scenario& s) const override {
    return a.load * LineBytes(a.from, s.duration, s, nic) / std::max(MeanBytes(), 1.0);
  }
  double MeanBytes() const override { return MeanOf(a); }
  double MeanPieces(double step) const override {
    return a.sizes ? headroom::MeanPieces(*a.sizes, step) : Pieces(MeanBytes(), step);
  }
  std::optional<double> PerSecond(const HostView& hosts) const override {
    double line = 0;
    for (const NodeId h : a.from) line += static_cast<double>(hosts.LineRate(h, nic).v);
    return a.load * line / 8 / MeanBytes();
  }
  Forecast Count(const WorkloadParameters&, const Scenario& s) const override { return Drawn(Expected(s)); }
  const PoissonArrivals* AsLoad() const override { return &a; }
};

}  // namespace

std::unique_ptr<Arrivals> ArrivalsFrom(PoissonArrivals a) {
  return std::make_unique<PoissonType>(std::move(a));
}

}  // namespace headroom

namespace headroom::keys {

namespace {

/// Reads the name of a distribution, a path or a fixed size.
void ReadSizes(const Node& node, PoissonArrivals& arrivals, WorkloadSource& source) {
  const std::string text = ParseText(node);
  arrivals.sizes = FindDistribution(text);
  if (arrivals.sizes) return;
  if (LooksLikeSize(text)) {
    arrivals.size = ParseSize(node);
    if (arrivals.size.v == 0 || arrivals.size > kLargestSize)
      throw ScenarioError(node.where, Quote(text) + " is out of range", "allowed: 1B to 1024TiB");
    return;
  }
  if (text.find_first_of("./") == std::string::npos) {
    const std::vector<std::string> names = DistributionNames();
    throw ScenarioError(node.where, "there is no size distribution " + Quote(text),
                        "allowed: " + Join(names) + ", a size, or the path of a file", Nearest(text, names));
  }
  source.file = ParsePath(node);
  arrivals.sizes = ReadSizeFile(source.file, node.where);
}

KindOf<Workload> SizesOfMessages() {
  return {
      {"text", "a distribution (" + Join(DistributionNames()) + "), the path of a file, or a size",
       R"({"type": "string"})"},
      [](const Node& node, Workload& w, Reading&) { ReadSizes(node, DataOf<PoissonArrivals>(w), w.source); },
      [](const Workload& w, const Writing& writing) {
        const auto& a = DataOf<PoissonArrivals>(w);
        if (!a.sizes) return FormatSize(a.size);
        return WriteTexts({w.source.file.empty() ? a.sizes->name : writing.files->Add(w.source.file)});
      }};
}

const KeysOf<Workload>& PoissonKeys() {
  using A = PoissonArrivals;
  static const KeysOf<Workload> keys = TypeKeys<PoissonType>(
      "poisson",
      "independent senders with exponential gaps, random sizes and uniform targets within the scope",
      {{"sizes", SizesOfMessages(), "distribution of message sizes", {.required = true}},
       Of("load", &A::load, Fractions(1.5), "offered payload per sender, as a share of its line rate",
          {.required = true, .tried = {"/2"}, .cost = Cost::diagnosis}),
       ScopeKey<A>()},
      Ends::optional, [](const Node& node, Workload& w, Reading& reading) {
        auto& a = DataOf<A>(w);
        CheckEnds(node, a.from, a.to, reading);
      });
  return keys;
}

const RegisteredType kPoisson({.place = 1, .keys = PoissonKeys});

}  // namespace

}  // namespace headroom::keys
