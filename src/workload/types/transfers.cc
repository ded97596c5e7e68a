// Type transfers: payloads on a service's connections (workload/operations/transfers.h).
#include "workload/operations/transfers.h"

#include <fmt/format.h>

#include <algorithm>

#include "protocol/connections/connection_parameters.h"
#include "protocol/connections/transfers.h"
#include "scenario/keys/workloads/service_of.h"
#include "scenario/scenario.h"
#include "workload/io_span.h"
#include "workload/types/line_limits.h"

namespace headroom {

namespace {

class TransferType final : public ArrivalsOf<TransferType, TransferArrivals> {
 public:
  using ArrivalsOf::ArrivalsOf;

  std::unique_ptr<OperationGenerator> MakeOperations(const WorkloadParameters& workload, uint32_t index,
                                                     const OperationGround& ground) const override {
    return std::make_unique<TransferGenerator>(a, workload, index, ground);
  }
  bool ActsPartByPart(const WorkloadParameters&) const override { return true; }
  Time NeededArrival() const override { return a.start; }
  std::vector<LoneMessage> LastAlone(const HostView& hosts) const override {
    return {Alone(hosts, a.size, a.start, a.from, a.to)};
  }

  void CheckTargets(const TargetCheck& check) const override { check.Paths(a.from, a.to); }
  void AddShares(const WorkloadParameters&, const HostView&, ShareSink& sink) const override {
    for (const NodeId client : a.from) {
      for (const NodeId server : a.to) sink.Add(Reads() ? server : client, Reads() ? client : server, 1);
    }
  }
  void OfferFlows(const WorkloadParameters& workload, const HostView&, FlowSink& sink) const override {
    for (const NodeId client : a.from) {
      for (const NodeId server : a.to) {
        if (client == server || sink.Full()) continue;
        sink.Offer(Reads() ? server : client, Reads() ? client : server, workload.priority, 0);
      }
    }
  }

  /// In a closed loop, the number of payloads that the lines, or the posting of requests, permit.
  double Expected(const Scenario& s) const override {
    const Time span = SpanFrom(s);
    if (span.v == 0) return 0;
    const double hosts = static_cast<double>(a.from.size());
    if (a.rate > 0) return hosts * a.rate * InSeconds(span);
    const double most = LineBytes(a.from, span, s) / MeanBytes();
    const double each = InSeconds(Service(s).costs.post);
    const double posted = each > 0 ? hosts * a.threads * InSeconds(span) / each : most;
    return OpenAtOnce() + std::min(most, posted);
  }
  double MeanBytes() const override { return static_cast<double>(a.size.v); }
  std::optional<double> PerSecond(const HostView&) const override {
    if (a.rate == 0) return std::nullopt;
    return a.rate * static_cast<double>(a.from.size());
  }
  Forecast Count(const WorkloadParameters&, const Scenario& s) const override {
    const double expected = Expected(s);
    if (a.rate > 0) return Drawn(expected);
    const Time span = SpanFrom(s);
    if (span.v == 0) return {};
    const double lines = ThroughLines(a.from, a.to, MeanBytes(), span, s);
    const double got = std::min(expected, ThroughRoundTrips(OpenAtOnce(), 1, span, s));
    return {got, std::max(expected, OpenAtOnce() + Loopback(a.from, a.to, s) * lines)};
  }
  std::optional<Forecast> Open(const WorkloadParameters&, const Scenario&,
                               const Forecast& count) const override {
    if (a.rate > 0) return std::nullopt;
    return Min(count, Exactly(OpenAtOnce()));
  }

  std::optional<double> Depth() const override {
    return a.rate > 0 ? std::nullopt : std::optional(OpenAtOnce());
  }
  bool CloseLoop() override {
    a.rate = 0;
    return true;
  }

  std::optional<AskedService> Asks() const override {
    return AskedService{ServiceOperation::Of::connection, a.service};
  }
  std::vector<OperationKind> Kinds() const override { return {a.kind}; }
  IoSpan Span(Time warmup, Time duration) const override {
    return {std::max(warmup, a.start), std::min(a.stop.value_or(duration), duration), {}, false};
  }
  ServiceLoad Load() const override {
    ServiceLoad load;
    load.largest = a.size;
    if (!a.random && a.rate == 0) load.open = static_cast<uint32_t>(a.window);
    return load;
  }
  /// A client has no connection to itself. If the daemon chooses the verb, the data travel in one direction,
  /// and ACKs in the other.
  void AddTraffic(const Scenario&, TrafficSink& sink) const override {
    const Operation verb = Reads()                          ? Operation::read_request
                           : a.kind == OperationKind::write ? Operation::write
                                                            : Operation::send;
    for (const NodeId client : a.from) {
      const auto peers =
          static_cast<double>(std::ranges::count_if(a.to, [&](NodeId s) { return s != client; }));
      const double each = 1 / (static_cast<double>(a.from.size()) * peers);
      for (const NodeId server : a.to) {
        if (server != client)
          sink.AddMessages(Reads() ? server : client, Reads() ? client : server, verb, a.size.v, each);
      }
    }
  }
  std::optional<OpeningConnections> Opens(const Scenario& s) const override {
    return OpeningConnections{a.connections, Service(s).Connected()};
  }

 private:
  const ConnectionParameters& Service(const Scenario& s) const {
    return s.services[a.service].As<ConnectionParameters>();
  }
  bool Reads() const { return a.kind == OperationKind::read; }
  /// For a closed loop.
  double OpenAtOnce() const {
    return static_cast<double>(a.from.size()) * a.window * (a.random ? a.threads : a.connections);
  }
  /// The span does not begin before its clients are connected.
  Time SpanFrom(const Scenario& s) const {
    return SpanOf(std::max(a.start, Service(s).Connected()), a.stop, s);
  }
};

}  // namespace

std::unique_ptr<Arrivals> ArrivalsFrom(TransferArrivals a) {
  return std::make_unique<TransferType>(std::move(a));
}

}  // namespace headroom

namespace headroom::keys {

namespace {

KindOf<Workload> ServiceOfConnections() {
  return ServiceKind<TransferArrivals>(
      {"rdmavisor", "queue_pairs", "locked"},
      +[](const ServiceEntry& entry, TransferArrivals& a, Workload& w) {
        const auto& p = entry.parameters.As<ConnectionParameters>();
        a.from = p.clients;
        a.to = p.servers;
        a.connections = p.connections;
        a.threads = p.threads_in_all();
        w.source.from = entry.source.clients;
        w.source.to = entry.source.servers;
        w.parameters.priority = p.priority;
      },
      " of connections");
}

void CheckTransfers(const Node& node, Workload& w, Reading& reading) {
  const TransferArrivals& a = DataOf<TransferArrivals>(w);
  CheckStop(node, a.start, a.stop, reading);
  if (a.to.empty()) return;
  const auto& p = (*reading.services)[a.service].parameters.As<ConnectionParameters>();
  const auto at = [&](const char* key) { return node.Find(key) ? node.Find(key)->where : node.where; };
  if (a.kind == OperationKind::transfer && !p.ChoosesVerbs())
    reading.errors.Add(ScenarioError(at("verb"),
                                     fmt::format("service {} does not choose verbs", Quote(p.name)),
                                     "give verb: read, write or send"));
  const bool sends =
      a.kind == OperationKind::send || (a.kind == OperationKind::transfer && a.size <= p.small);
  if (sends && a.size > p.receive_buffer)
    reading.errors.Add(
        ScenarioError(at("size"),
                      fmt::format("SENDs of {} do not fit into the receive_buffer of service {}, {}",
                                  FormatSize(a.size), Quote(p.name), FormatSize(p.receive_buffer)),
                      "a larger receive_buffer"));
  for (const NodeId host : a.from) {
    if (std::ranges::find(p.clients, host) != p.clients.end()) continue;
    reading.errors.Add(ScenarioError(at("from"),
                                     fmt::format("{} is not a client of service {}",
                                                 Quote(reading.topology->nodes[host].name), Quote(p.name)),
                                     "give a client of the service"));
    break;
  }
}

const KeysOf<Workload>& TransferKeys() {
  static const KeysOf<Workload> keys(
      {.name = "workload_transfers",
       .page = "models/rdma-as-a-service.md",
       .help = "payloads on the connections of a service, from its clients",
       .type = "transfers"},
      [&] {
        std::vector<KeyOf<Workload>> all =
            OperationKeys("transfers", "operations on keys", "services: [{priority: …}]");
        all.insert(
            all.end(),
            {{"service", ServiceOfConnections(), "service that provides the connections", {.required = true}},
             Of("size", &TransferArrivals::size, Sizes(Bytes(PayloadMark::kBytes), Bytes(int64_t{1} << 30)),
                "size of a payload", {.required = true}),
             Of("verb", &TransferArrivals::kind,
                OneOf<OperationKind>({{"auto", OperationKind::transfer},
                                      {"read", OperationKind::read},
                                      {"write", OperationKind::write},
                                      {"send", OperationKind::send}}),
                "verb: a READ transfers the payload from server to client, others from client to server; "
                "auto: the daemon chooses"),
             Of("next", &TransferArrivals::random, OneOf<bool>({{"own", false}, {"random", true}}),
                "closed loop: whether the next payload uses the same connection as the payload that "
                "ended, or a connection that its thread draws"),
             Of("window", &TransferArrivals::window, Integers(1, 1 << 16),
                "closed loop: number of open payloads of a connection or, with drawn connections, of a "
                "thread",
                {.tried = {"/2"}, .cost = Cost::diagnosis}),
             Of("rate", &TransferArrivals::rate, OrWord("closed", 0.0, Numbers(1e-3, 1e9)),
                "open loop: a client's payloads per second, each on a random connection",
                {.tried = {"/2"}, .cost = Cost::diagnosis}),
             Of("start", &TransferArrivals::start, Times(),
                "earliest time of the first payload, which waits until all connections of its client are "
                "open"),
             Of("stop", &TransferArrivals::stop, Maybe(Times(Time(1))),
                "time at which payloads stop starting", {.standard = "the duration"}),
             FromClients<TransferArrivals>()});
        return all;
      }(),
      CheckTransfers, StartingWith<TransferType>);
  return keys;
}

const RegisteredType kTransfers({.place = 13, .keys = TransferKeys});

}  // namespace

}  // namespace headroom::keys
