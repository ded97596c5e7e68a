// Type stream: every sender keeps a number of messages outstanding to every target.
#include "workload/types/stream.h"

#include <algorithm>

#include "scenario/keys/workloads/workload_keys.h"
#include "workload/generator.h"
#include "workload/types/line_limits.h"
#include "workload/types/messages_between.h"

namespace headroom {

namespace {

class StreamGenerator final : public Generator {
 public:
  StreamGenerator(const StreamArrivals& arrivals, const WorkloadParameters& workload, uint32_t index,
                  const HostView& hosts, Offers& offers);
  void Start() override;
  void OnEvent(uint64_t phase) override;
  void OnCompleted(const OfferedMessage& m) override;

 private:
  static constexpr uint64_t kBegin = 0, kEnd = 1;
  StreamArrivals arrivals_;
  uint32_t index_;
  uint8_t priority_;
  Time stop_;
  Offers& offers_;
  EntityId entity_ = 0;
};

StreamGenerator::StreamGenerator(const StreamArrivals& arrivals, const WorkloadParameters& workload,
                                 uint32_t index, const HostView& hosts, Offers& offers)
    : arrivals_(arrivals),
      index_(index),
      priority_(workload.priority),
      stop_(std::min(arrivals_.stop.value_or(hosts.duration), hosts.duration)),
      offers_(offers),
      entity_(EventQueue::Get().AddEntity(UINT32_MAX)) {}

void StreamGenerator::Start() {
  if (arrivals_.start >= stop_) return offers_.OnExhausted();
  EventQueue& queue = EventQueue::Get();
  queue.PushTarget(arrivals_.start, TimedEvent::Order(EventClass::workload, entity_, kBegin), this, kBegin);
  queue.PushTarget(stop_, TimedEvent::Order(EventClass::workload, entity_, kEnd), this, kEnd);
}

void StreamGenerator::OnEvent(uint64_t phase) {
  if (phase == kEnd) return offers_.OnExhausted();
  for (const NodeId src : arrivals_.from) {
    for (const NodeId dst : arrivals_.to) {
      if (src == dst && !arrivals_.Loopback()) continue;
      for (int i = 0; i < arrivals_.in_flight; ++i)
        offers_.Offer(index_, src, dst, arrivals_.message, priority_);
    }
  }
}

void StreamGenerator::OnCompleted(const OfferedMessage& m) {
  if (EventQueue::Get().now() < stop_) offers_.Offer(index_, m.src, m.dst, arrivals_.message, priority_);
}

class StreamType final : public BetweenHosts<StreamType, StreamArrivals> {
 public:
  using BetweenHosts::BetweenHosts;

  std::unique_ptr<Generator> MakeGenerator(const WorkloadParameters& workload, uint32_t index,
                                           const GeneratorGround& ground) const override {
    return std::make_unique<StreamGenerator>(a, workload, index, ground.hosts, ground.offers);
  }
  bool ActsPartByPart(const WorkloadParameters&) const override { return true; }
  Time NeededArrival() const override { return a.start; }
  std::vector<LoneMessage> LastAlone(const HostView& hosts) const override {
    if (a.Loopback()) return {};
    return {Alone(hosts, a.message, a.start, a.from, a.to)};
  }

  void CheckTargets(const TargetCheck& check) const override {
    if (!a.Loopback()) return BetweenHosts::CheckTargets(check);
    check.Paths(a.from, a.to);
  }
  void OfferFlows(const WorkloadParameters& workload, const HostView&, FlowSink& sink) const override {
    for (const NodeId from : a.from) {
      for (const NodeId to : a.to) {
        for (int i = 0; from != to && i < a.in_flight && !sink.Full(); ++i)
          sink.Offer(from, to, workload.priority, 0);
      }
    }
  }
  bool StaysAtHome() const override { return a.Loopback(); }

  double Expected(const Scenario& s) const override {
    return InFlight() + LineBytes(a.from, SpanOf(a.start, a.stop, s), s, nic) / MeanBytes();
  }
  double MeanBytes() const override { return static_cast<double>(a.message.v); }
  Forecast Count(const WorkloadParameters&, const Scenario& s) const override {
    const Time span = SpanOf(a.start, a.stop, s);
    const double open = InFlight(), lines = ThroughLines(a.from, a.to, MeanBytes(), span, s, nic);
    return {std::min(open + lines, ThroughRoundTrips(open, 1, span, s)),
            open + headroom::Loopback(a.from, a.to, s) * lines};
  }
  std::optional<Forecast> Open(const WorkloadParameters&, const Scenario&,
                               const Forecast& count) const override {
    return Min(count, Exactly(InFlight()));
  }
  bool CloseLoop() override { return true; }
  const StreamArrivals* AsLoop() const override { return &a; }

 private:
  double InFlight() const {
    return static_cast<double>(a.from.size()) * static_cast<double>(a.to.size()) * a.in_flight;
  }
};

}  // namespace

std::unique_ptr<Arrivals> ArrivalsFrom(StreamArrivals a) {
  return std::make_unique<StreamType>(std::move(a));
}

}  // namespace headroom

namespace headroom::keys {

namespace {

const KeysOf<Workload>& StreamKeys() {
  using A = StreamArrivals;
  static const KeysOf<Workload> keys = TypeKeys<StreamType>(
      "stream", "every sender keeps in_flight messages outstanding to every target",
      {Of("message", &A::message, Sizes(Bytes(1)), "size of each message", {.required = true}),
       Of("in_flight", &A::in_flight, Integers(1, 1'000'000),
          "number of outstanding messages per pair of hosts", {.tried = {"/2"}, .cost = Cost::diagnosis}),
       Of("start", &A::start, Times(), "time of the first message"),
       Of("stop", &A::stop, Maybe(Times(Time(1))), "time at which messages stop starting",
          {.standard = "the duration"})},
      Ends::both_needed, [](const Node& node, Workload& w, Reading& reading) {
        auto& a = DataOf<A>(w);
        CheckStop(node, a.start, a.stop, reading);
        CheckEnds(node, a.from, a.to, reading, true);
      });
  return keys;
}

const RegisteredType kStream({.place = 4, .keys = StreamKeys});

}  // namespace

}  // namespace headroom::keys
