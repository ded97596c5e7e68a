#include "workload/types/key_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "protocol/keyvalue/key_value_parameters.h"
#include "scenario/keys/workloads/service_of.h"
#include "scenario/scenario.h"
#include "workload/io_span.h"
#include "workload/operations/key_value.h"
#include "workload/types/line_limits.h"

namespace headroom {

namespace {

const KeyValueParameters& ServiceOf(const KeyValueArrivals& a, const Scenario& s) {
  return s.services[a.service].As<KeyValueParameters>();
}

double Processes(const KeyValueArrivals& a) { return static_cast<double>(a.from.size()) * a.processes; }

/// In a closed loop, the number of operations that the posting of requests, or the servers' processes,
/// permit.
double ExpectedOf(const KeyValueArrivals& a, const Scenario& s) {
  const double seconds = InSeconds(SpanOf(a.start, a.stop, s));
  double all = 0;
  if (a.rate > 0) {
    all = Processes(a) * a.rate * seconds;
  } else {
    const KeyValueParameters& p = ServiceOf(a, s);
    const double servers =
        p.AnswersGets() ? std::min<double>(p.server_processes(), Processes(a)) : Processes(a);
    const double each = InSeconds(p.ServedIn());
    all = Processes(a) * a.window +
          (each > 0 ? servers * seconds / each : LineBytes(a.from, Seconds(1), s) * seconds / 64);
  }
  return a.operations > 0 ? std::min(all, static_cast<double>(a.operations)) : all;
}

Forecast CountOf(const KeyValueArrivals& a, const Scenario& s) {
  const double expected = ExpectedOf(a, s);
  if (a.rate > 0) return Min(Drawn(expected), Exactly(a.operations > 0 ? 1.0 * a.operations : INFINITY));
  const Time span = SpanOf(a.start, a.stop, s);
  const double lines = ThroughLines(a.from, a.to, 0, span, s);
  const KeyValueParameters& p = ServiceOf(a, s);
  const double each = InSeconds(p.PostedIn());
  const double posted =
      each > 0
          ? std::min(lines, static_cast<double>(a.from.size()) * p.ThreadsOfClient() * InSeconds(span) / each)
          : lines;
  const double open = Processes(a) * a.window;
  const double worst = open + Loopback(a.from, a.to, s) * posted;
  const double got = std::min(expected, ThroughRoundTrips(open, p.RoundTrips(), span, s));
  const Forecast all{std::min(got, worst), worst};
  return a.operations > 0 ? Min(all, Exactly(1.0 * a.operations)) : all;
}

}  // namespace

std::unique_ptr<OperationGenerator> OperationsOnKeys::MakeOperations(const WorkloadParameters& workload,
                                                                     uint32_t index,
                                                                     const OperationGround& ground) const {
  return std::make_unique<KeyValueGenerator>(keys(), workload, index, ground);
}

Time OperationsOnKeys::NeededArrival() const { return keys().start; }

std::vector<LoneMessage> OperationsOnKeys::LastAlone(const HostView& hosts) const {
  const KeyValueArrivals& a = keys();
  return {Alone(hosts, a.key + a.value, a.start, a.from, a.to)};
}

void OperationsOnKeys::CheckTargets(const TargetCheck& check) const { check.Paths(keys().from, keys().to); }

void OperationsOnKeys::AddShares(const WorkloadParameters&, const HostView&, ShareSink& sink) const {
  for (const NodeId from : keys().from) {
    for (const NodeId to : keys().to) {
      sink.Add(from, to, 1);
      sink.Add(to, from, 1);
    }
  }
}

void OperationsOnKeys::OfferFlows(const WorkloadParameters& workload, const HostView&, FlowSink& sink) const {
  for (const NodeId from : keys().from) {
    for (const NodeId to : keys().to) {
      if (from == to || sink.Full()) continue;
      sink.Offer(from, to, workload.priority, 0);
      sink.Offer(to, from, workload.priority, 0);
    }
  }
}

double OperationsOnKeys::Expected(const Scenario& s) const { return ExpectedOf(keys(), s); }

double OperationsOnKeys::MeanBytes() const { return static_cast<double>((keys().key + keys().value).v); }

std::optional<double> OperationsOnKeys::PerSecond(const HostView&) const {
  if (keys().rate == 0) return std::nullopt;
  return keys().rate * static_cast<double>(keys().from.size()) * keys().processes;
}

Forecast OperationsOnKeys::Count(const WorkloadParameters&, const Scenario& s) const {
  return CountOf(keys(), s);
}

std::optional<Forecast> OperationsOnKeys::Open(const WorkloadParameters&, const Scenario& s,
                                               const Forecast& count) const {
  const KeyValueArrivals& a = keys();
  if (a.rate == 0) return Min(count, Exactly(Processes(a) * a.window));
  // Requests beyond the throughput of a closed loop wait.
  constexpr double kWaiting = 0.1;
  KeyValueArrivals loop = a;
  loop.rate = 0;
  const double through = CountOf(loop, s).expected;
  return Forecast{std::max(kWaiting * count.expected, count.expected - through), count.worst};
}

std::optional<double> OperationsOnKeys::Depth() const {
  const KeyValueArrivals& a = keys();
  if (a.rate > 0) return std::nullopt;
  return a.threads > 0 ? static_cast<double>(a.threads) : Processes(a) * a.window;
}

std::optional<AskedService> OperationsOnKeys::Asks() const {
  return AskedService{ServiceOperation::Of::key, keys().service};
}

/// Processes share what is counted for all of them: operations, and keys that
/// are inserted or taken in sequence.
bool OperationsOnKeys::ActsPartByPart(const WorkloadParameters&) const {
  const KeyValueArrivals& a = keys();
  return a.operations == 0 && a.inserts == 0 && a.choice != KeyChoice::sequential;
}

std::vector<OperationKind> OperationsOnKeys::Kinds() const {
  std::vector<OperationKind> kinds{OperationKind::get, OperationKind::put};
  if (keys().inserts > 0) kinds.push_back(OperationKind::insert);
  if (keys().modifies > 0) kinds.push_back(OperationKind::read_modify_write);
  return kinds;
}

IoSpan OperationsOnKeys::Span(Time warmup, Time duration) const {
  const KeyValueArrivals& a = keys();
  return {std::max(warmup, a.start), std::min(a.stop.value_or(duration), duration), {}, a.operations > 0};
}

void OperationsOnKeys::AddTraffic(const Scenario& s, TrafficSink& sink) const {
  const KeyValueArrivals& a = keys();
  const double each = 1 / static_cast<double>(a.from.size()), gets = 1 - a.puts - a.inserts - a.modifies;
  for (const NodeId client : a.from) {
    for (const auto& [kind, share] :
         {std::pair(OperationKind::get, gets), std::pair(OperationKind::put, a.puts + a.inserts),
          std::pair(OperationKind::read_modify_write, a.modifies)})
      ServiceOf(a, s).AddTraffic(client, kind, a.key, a.value, each * share, sink);
  }
}

double OperationsOnKeys::ChangingShare() const {
  return std::min(1.0, keys().puts + keys().inserts + keys().modifies);
}

ServiceLoad OperationsOnKeys::Load() const {
  const KeyValueArrivals& a = keys();
  ServiceLoad load;
  load.largest = a.value;
  load.keys = a.keys;
  load.key = a.key;
  load.inserts = a.inserts > 0;
  return load;
}

}  // namespace headroom

namespace headroom::keys {

/// Each thread waits for its operation, and a process has at most its window of open operations.
void CheckThreads(const KeyValueArrivals& kv, const Position& where, Reading& reading) {
  const int64_t windows = static_cast<int64_t>(kv.from.size()) * kv.processes * kv.window;
  if (kv.threads <= windows) return;
  reading.errors.Add(
      ScenarioError(where,
                    fmt::format("the workload has {} threads, but the clients of the service have only "
                                "{} open operations: {} clients × {} processes × window {}",
                                kv.threads, windows, kv.from.size(), kv.processes, kv.window),
                    fmt::format("allowed: up to {}; or give the service a larger window", windows)));
}

KindOf<Workload> ServiceOfKeys() {
  return ServiceKind<KeyValueArrivals>(
      {"herd", "pilaf", "farm", "farm_var", "echo", "redis"},
      +[](const ServiceEntry& entry, KeyValueArrivals& kv, Workload& w) {
        const auto& p = entry.parameters.As<KeyValueParameters>();
        kv.from = p.clients;
        kv.to = p.servers;
        kv.processes = p.client_processes;
        kv.window = p.window;
        w.source.from = entry.source.clients;
        w.source.to = entry.source.servers;
        w.parameters.priority = p.priority;
      },
      " of keys");
}

void CheckKeysOfService(const Node& node, const Workload& w, Reading& reading, const Position* value) {
  const auto& kv = DataOf<KeyValueArrivals>(w);
  if (kv.to.empty()) return;
  const auto& service = (*reading.services)[kv.service].parameters.As<KeyValueParameters>();
  const auto refuse = [&](const char* key, const std::string& why, const std::string& fix) {
    const Node* at = node.Find(key);
    reading.errors.Add(ScenarioError(at ? at->where : value ? *value : node.where, why, fix));
  };
  for (const NodeId host : kv.from) {
    if (std::ranges::find(service.clients, host) != service.clients.end()) continue;
    refuse("from",
           fmt::format("{} is not a client of service {}", Quote(reading.topology->nodes[host].name),
                       Quote(service.name)),
           "give a client of the service");
    break;
  }
  if (!service.HasKeys()) {
    for (const char* key : {"puts", "inserts", "read_modify_writes", "key"})
      if (node.Find(key))
        refuse(key, fmt::format("{} is given, but ECHO has no such setting", Quote(key)),
               "leave this key out: it is for services that keep values");
  }
  if (const auto longest = service.LongestValue(); longest && kv.value > *longest)
    refuse("value", fmt::format("a value of {} does not fit into a slot for requests", FormatSize(kv.value)),
           "allowed: up to " + FormatSize(*longest));
  if (service.SendsValuesInDatagrams() && kv.value > Bytes(reading.mtu))
    refuse("value",
           fmt::format("a value of {} does not fit into a datagram of one MTU, {} B", FormatSize(kv.value),
                       reading.mtu),
           "mtu: 1024");
}

std::vector<KeyOf<Workload>> KeyTypeKeys(const char* type) {
  return OperationKeys(type, "operations on keys", "services: [{priority: …}]");
}

}  // namespace headroom::keys
