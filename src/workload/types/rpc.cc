// Type rpc: remote procedure calls of a service's clients (workload/rpc_arrivals.h).
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "protocol/brpc/brpc_parameters.h"
#include "scenario/keys/workloads/service_of.h"
#include "scenario/scenario.h"
#include "workload/io_span.h"
#include "workload/operations/rpc_generator.h"
#include "workload/types/line_limits.h"

namespace headroom {

namespace {

class RpcType final : public ArrivalsOf<RpcType, RpcArrivals> {
 public:
  using ArrivalsOf::ArrivalsOf;

  std::unique_ptr<OperationGenerator> MakeOperations(const WorkloadParameters& workload, uint32_t index,
                                                     const OperationGround& ground) const override {
    return std::make_unique<RpcGenerator>(a, workload, index, ground);
  }
  Time NeededArrival() const override { return a.start; }
  std::vector<LoneMessage> LastAlone(const HostView& hosts) const override {
    return {Alone(hosts, std::max(a.request, a.answer), a.start, a.from, a.to)};
  }
  void CheckTargets(const TargetCheck& check) const override { check.Paths(a.from, a.to); }
  /// Each call is one part request and one part answer, weighted by bytes.
  void AddShares(const WorkloadParameters&, const HostView&, ShareSink& sink) const override {
    const double request = static_cast<double>(a.request.v) / MeanBytes();
    ForEachPair([&](NodeId client, NodeId server) {
      sink.Add(client, server, request);
      sink.Add(server, client, 1 - request);
    });
  }
  void OfferFlows(const WorkloadParameters& workload, const HostView&, FlowSink& sink) const override {
    ForEachPair([&](NodeId client, NodeId server) {
      if (sink.Full()) return;
      const bool answers = a.answer >= a.request;  // the direction with more bytes
      sink.Offer(answers ? server : client, answers ? client : server, workload.priority, 0);
    });
  }

  /// Counts calls as SENDs, or as writes to TCP, without the additions of bRPC's protocol.
  void AddTraffic(const Scenario& s, TrafficSink& sink) const override {
    const auto& brpc = s.services[a.service].As<BrpcParameters>();
    double pairs = 0;
    ForEachPair([&](NodeId, NodeId) { ++pairs; });
    ForEachPair([&](NodeId client, NodeId server) {
      for (const auto& [from, to, bytes] :
           {std::tuple(client, server, a.request.v), std::tuple(server, client, a.answer.v)}) {
        brpc.HasRdma(client) && brpc.HasRdma(server)
            ? sink.AddMessages(from, to, Operation::send, bytes, 1 / pairs)
            : sink.AddWrites(from, to, bytes, 1 / pairs);
      }
    });
  }

  /// In a closed loop, the number of calls that the lines permit.
  double Expected(const Scenario& s) const override {
    const Time span = SpanOf(a.start, a.stop, s);
    if (span.v == 0) return 0;
    if (a.rate > 0) return static_cast<double>(a.from.size()) * a.rate * InSeconds(span);
    const auto payload = static_cast<double>(std::max(a.request, a.answer).v);
    return OpenAtOnce() + ThroughLines(a.from, a.to, payload, span, s);
  }
  double MeanBytes() const override { return static_cast<double>((a.request + a.answer).v); }
  std::optional<double> PerSecond(const HostView&) const override {
    if (a.rate == 0) return std::nullopt;
    return a.rate * static_cast<double>(a.from.size());
  }
  Forecast Count(const WorkloadParameters&, const Scenario& s) const override {
    const double expected = Expected(s);
    if (a.rate > 0) return Drawn(expected);
    const double got = ThroughRoundTrips(OpenAtOnce(), 1, SpanOf(a.start, a.stop, s), s);
    return {std::min(expected, got), std::max(expected, OpenAtOnce())};
  }
  std::optional<Forecast> Open(const WorkloadParameters&, const Scenario&,
                               const Forecast& count) const override {
    if (a.rate > 0) return std::nullopt;
    return Min(count, Exactly(OpenAtOnce()));
  }

  std::optional<double> Depth() const override {
    if (a.rate > 0) return std::nullopt;
    return static_cast<double>(a.from.size()) * a.depth;
  }
  bool CloseLoop() override {
    if (a.rate > 0) a.depth = kDepthOfLoops;
    a.rate = 0;
    return true;
  }

  std::optional<AskedService> Asks() const override {
    return AskedService{ServiceOperation::Of::own, a.service};
  }
  std::vector<OperationKind> Kinds() const override { return {OperationKind::call}; }
  IoSpan Span(Time warmup, Time duration) const override {
    return {std::max(warmup, a.start), std::min(a.stop.value_or(duration), duration), {}, false};
  }

 private:
  template <class Use>
  void ForEachPair(const Use& use) const {
    for (const NodeId client : a.from) {
      for (const NodeId server : a.to) {
        if (client != server) use(client, server);
      }
    }
  }
  /// For a closed loop.
  double OpenAtOnce() const { return static_cast<double>(a.from.size()) * a.depth; }
};

}  // namespace

std::unique_ptr<Arrivals> ArrivalsFrom(RpcArrivals a) { return std::make_unique<RpcType>(std::move(a)); }

}  // namespace headroom

namespace headroom::keys {

namespace {

constexpr const char* kRpcPage = "models/brpc.md";
constexpr Bytes kLongestMessage{int64_t{64} << 20};  // bRPC: max_body_size

KindOf<Workload> ServiceOfCalls() {
  const auto take = +[](const ServiceEntry& entry, RpcArrivals& a, Workload& w) {
    a.from = entry.parameters->clients;
    a.to = entry.parameters->servers;
    w.source.from = entry.source.clients;
    w.source.to = entry.source.servers;
    w.parameters.priority = entry.parameters->priority;
  };
  return ServiceKind<RpcArrivals>({"brpc"}, take, " of calls");
}

void CheckRpc(const Node& node, Workload& w, Reading& reading) {
  const RpcArrivals& a = DataOf<RpcArrivals>(w);
  CheckStop(node, a.start, a.stop, reading);
  if (a.to.empty()) return;
  const auto at = [&](const char* key) { return node.Find(key) ? node.Find(key)->where : node.where; };
  const ServiceParameters& p = *(*reading.services)[a.service].parameters;
  if (node.Find("depth") && a.rate > 0)
    reading.errors.Add(ScenarioError(at("depth"), "\"depth\" beside \"rate\"",
                                     "give rate for an open loop, or depth for a closed loop"));
  for (const NodeId host : a.from) {
    if (std::ranges::find(p.clients, host) != p.clients.end()) continue;
    reading.errors.Add(ScenarioError(at("from"),
                                     fmt::format("{} is not a client of service {}",
                                                 Quote(reading.topology->nodes[host].name), Quote(p.name)),
                                     "give a client of the service"));
    break;
  }
}

/// Written only for a closed loop: beside `rate` it is refused.
KeyOf<Workload> Depth() {
  const KindOf<int> number = Integers(1, 1 << 16);
  const KindOf<RpcArrivals> of_loop{number.shape,
                                    [read = number.read](const Node& node, RpcArrivals& a, Reading& reading) {
                                      read(node, a.depth, reading);
                                    },
                                    [write = number.write](const RpcArrivals& a, const Writing& writing) {
                                      return a.rate > 0 ? std::string() : write(a.depth, writing);
                                    }};
  return OfAll<RpcArrivals>("depth", of_loop,
                            "closed loop: number of a client's open calls, to its servers in round-robin "
                            "order",
                            {.tried = {"/2"}, .cost = Cost::diagnosis});
}

const KeysOf<Workload>& RpcKeys() {
  using A = RpcArrivals;
  static const KeysOf<Workload> keys(
      {.name = "workload_rpc",
       .page = kRpcPage,
       .help = "remote procedure calls of a service's clients to its servers",
       .type = "rpc"},
      [] {
        std::vector<KeyOf<Workload>> all = OperationKeys("rpc", "calls", "services: [{priority: …}]");
        all.insert(
            all.end(),
            {{"service", ServiceOfCalls(), "service that answers", {.required = true}},
             Of("request", &A::request, Sizes(Bytes(1), kLongestMessage), "size of a request's payload"),
             Of("answer", &A::answer, Sizes(Bytes(1), kLongestMessage), "size of an answer's payload"),
             Depth(),
             Of("rate", &A::rate, OrWord("closed", 0.0, Numbers(1e-3, 1e9)),
                "open loop: a client's calls per second, to its servers in round-robin order",
                {.tried = {"/2"}, .cost = Cost::diagnosis}),
             Of("start", &A::start, Times(),
                "earliest time of the first call, which waits until all connections of its client "
                "are open"),
             Of("stop", &A::stop, Maybe(Times(Time(1))), "time at which calls stop starting",
                {.standard = "the duration"}),
             FromClients<A>()});
        return all;
      }(),
      CheckRpc, StartingWith<RpcType>);
  return keys;
}

const RegisteredType kRpc({.place = 14, .keys = RpcKeys});

}  // namespace

}  // namespace headroom::keys
