// Type send_receive: messages between ranks of a service of type nccl (workload/operations/send_receive.h).
#include "workload/operations/send_receive.h"

#include <fmt/format.h>

#include <algorithm>

#include "protocol/nccl/clear_to_send.h"
#include "protocol/nccl/message_cut.h"
#include "scenario/keys/workloads/service_of.h"
#include "scenario/scenario.h"
#include "workload/io_span.h"
#include "workload/types/line_limits.h"

namespace headroom {

namespace {

class SendReceiveType final : public ArrivalsOf<SendReceiveType, SendReceiveArrivals> {
 public:
  using ArrivalsOf::ArrivalsOf;

  std::unique_ptr<OperationGenerator> MakeOperations(const WorkloadParameters& workload, uint32_t index,
                                                     const OperationGround& ground) const override {
    return std::make_unique<SendReceiveGenerator>(a, workload, index, ground);
  }
  Time NeededArrival() const override { return a.start; }
  std::vector<LoneMessage> LastAlone(const HostView& hosts) const override {
    return {Alone(hosts, a.size, a.start + a.late, a.from, Receivers())};
  }

  void CheckTargets(const TargetCheck& check) const override {
    for (const NodeId from : a.from) {
      check.Paths({from}, {a.To(from)});
      check.Paths({a.To(from)}, {from});
    }
  }
  void AddShares(const WorkloadParameters&, const HostView&, ShareSink& sink) const override {
    for (const NodeId from : a.from) sink.Add(from, a.To(from), 1);
  }
  void OfferFlows(const WorkloadParameters& workload, const HostView&, FlowSink& sink) const override {
    for (const NodeId from : a.from) {
      if (!sink.Full()) sink.Offer(from, a.To(from), workload.priority, 0);
    }
  }
  void AddTraffic(const Scenario& s, TrafficSink& sink) const override {
    const NcclParameters& p = s.services[a.service].As<NcclParameters>();
    const double each = 1.0 / static_cast<double>(a.from.size());
    for (const NodeId from : a.from) {
      for (int connection = 0; connection < p.connections(); ++connection)
        AddMessage(from, MessageCut(static_cast<uint64_t>(a.size.v), p, connection), p, each, sink);
    }
  }

  /// The number of messages that the lines permit, with one message per rank at a time, each delayed by its
  /// receiver.
  double Expected(const Scenario& s) const override { return Count({}, s).expected; }
  double MeanBytes() const override { return static_cast<double>(a.size.v); }
  Forecast Count(const WorkloadParameters&, const Scenario& s) const override {
    const Time span = SpanOf(a.start, a.stop, s);
    if (span.v == 0) return {};
    const auto ranks = static_cast<double>(a.from.size());
    const double lines = ThroughLines(a.from, Receivers(), MeanBytes(), span, s);
    const double late =
        a.late.v > 0 ? ranks * (1 + InSeconds(span) / InSeconds(a.late)) : std::numeric_limits<double>::max();
    const double most = std::min(ranks + lines, late);
    return {std::min(most, ThroughRoundTrips(ranks, 1, span, s)), most};
  }
  std::optional<Forecast> Open(const WorkloadParameters&, const Scenario&,
                               const Forecast& count) const override {
    return Min(count, Exactly(static_cast<double>(a.from.size())));
  }

  std::optional<AskedService> Asks() const override {
    return AskedService{ServiceOperation::Of::own, a.service};
  }
  std::vector<OperationKind> Kinds() const override { return {OperationKind::send_receive}; }
  IoSpan Span(Time warmup, Time duration) const override {
    return {std::max(warmup, a.start), std::min(a.stop.value_or(duration), duration), {}, false};
  }

 private:
  std::vector<NodeId> Receivers() const {
    std::vector<NodeId> to;
    for (const NodeId from : a.from) to.push_back(a.To(from));
    return to;
  }
  /// Adds the messages with which a connection carries a message.
  void AddMessage(NodeId from, const MessageCut& cut, const NcclParameters& p, double times,
                  TrafficSink& sink) const {
    const NodeId to = a.To(from);
    const auto parts = static_cast<uint32_t>(p.split ? p.queue_pairs : 1);
    for (uint64_t step = 0; step < cut.Steps(); ++step) {
      const std::vector<uint32_t> sizes = cut.Sizes(step);
      const auto group = static_cast<int64_t>(sizes.size());
      sink.AddMessages(to, from, Operation::write, group * ClearToSend::kBytes, times);
      for (uint32_t part = 0; part < parts; ++part) {
        const bool first = WritesFirst(sizes, p);
        for (const uint32_t size : sizes)
          sink.AddMessages(from, to, first ? Operation::write : Operation::write_imm,
                           PartOf(size, part, parts).bytes, times);
        if (first) sink.AddMessages(from, to, Operation::write_imm, group > 1 ? 4 * group : 0, times);
      }
    }
  }
};

}  // namespace

std::unique_ptr<Arrivals> ArrivalsFrom(SendReceiveArrivals a) {
  return std::make_unique<SendReceiveType>(std::move(a));
}

}  // namespace headroom

namespace headroom::keys {

namespace {

constexpr const char* kNcclWorkloadPage = "models/nccl.md";

KindOf<Workload> ServiceOfRanks() {
  return ServiceKind<SendReceiveArrivals>(
      {"nccl"}, +[](const ServiceEntry& entry, SendReceiveArrivals& a, Workload& w) {
        a.from = a.ranks = entry.parameters->clients;
        w.source.from = entry.source.clients;
        w.parameters.priority = entry.parameters->priority;
      });
}

void CheckSendReceive(const Node& node, Workload& w, Reading& reading) {
  const SendReceiveArrivals& a = DataOf<SendReceiveArrivals>(w);
  CheckStop(node, a.start, a.stop, reading);
  if (a.ranks.empty()) return;
  const auto at = [&](const char* key) { return node.Find(key) ? node.Find(key)->where : node.where; };
  for (const NodeId host : a.from) {
    if (std::ranges::find(a.ranks, host) != a.ranks.end()) continue;
    reading.errors.Add(ScenarioError(
        at("from"), fmt::format("{} is not a rank of the service", Quote(reading.topology->nodes[host].name)),
        "give a host that is a rank of the service"));
    break;
  }
  const auto& p = (*reading.services)[a.service].parameters.As<NcclParameters>();
  if (std::ranges::find(p.distances, a.distance) == p.distances.end())
    reading.errors.Add(
        ScenarioError(at("distance"), fmt::format("the service connects no ranks at distance {}", a.distance),
                      fmt::format("give a distance that the service has ({}), or add this one to the service",
                                  fmt::join(p.distances, ", "))));
}

const KeysOf<Workload>& SendReceiveKeys() {
  static const KeysOf<Workload> keys(
      {.name = "workload_send_receive",
       .page = kNcclWorkloadPage,
       .help = "messages between ranks of a service; each starts when the previous message has ended",
       .type = "send_receive"},
      [] {
        std::vector<KeyOf<Workload>> all =
            OperationKeys("send_receive", "operations of a service", "services: [{priority: …}]");
        all.insert(all.end(),
                   {{"service", ServiceOfRanks(), "service of type nccl", {.required = true}},
                    Of("size", &SendReceiveArrivals::size, Sizes(Bytes(1), Bytes(int64_t{1} << 30)),
                       "size of a message", {.required = true}),
                    Of("late", &SendReceiveArrivals::late, Times(Time(0), Seconds(100)),
                       "delay of the receiver: it requests a message this long after the sender is ready",
                       {.tried = {"0ns"}, .cost = Cost::diagnosis}),
                    Of("distance", &SendReceiveArrivals::distance, Integers(1, 1 << 20),
                       "distance from a sender to its receiver around the ring of ranks"),
                    Of("start", &SendReceiveArrivals::start, Times(), "time of the first message"),
                    Of("stop", &SendReceiveArrivals::stop, Maybe(Times(Time(1))),
                       "time at which messages stop starting", {.standard = "the duration"}),
                    FromClients<SendReceiveArrivals>(
                        "ranks that send: a host, a shell pattern over hosts, or a list of both",
                        "all ranks of the service")});
        return all;
      }(),
      CheckSendReceive, StartingWith<SendReceiveType>);
  return keys;
}

const RegisteredType kSendReceive({.place = 16, .keys = SendReceiveKeys});

}  // namespace

}  // namespace headroom::keys
