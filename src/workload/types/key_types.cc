#include "workload/types/key_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenario/keys/workloads/service_of.h"
#include "scenario/scenario.h"
#include "workload/io_span.h"
#include "workload/operations/key_value.h"
#include "workload/types/line_limits.h"

namespace headroom {

namespace {

/// Mean number of round trips of an operation: Pilaf's READs of buckets and then of the value, FaRM's of
/// both.
double TripsOf(KeyValueSystem system) {
  constexpr double kPilaf = 2.6, kFarm = 2;
  switch (system) {
    case KeyValueSystem::pilaf:
      return kPilaf;
    case KeyValueSystem::farm_var:
      return kFarm;
    default:
      return 1;
  }
}

/// The minimum time of a client's thread for an operation, in picoseconds; and the number of threads.
double PostedIn(const KeyValueParameters& p) {
  const RedisParameters& r = p.redis;
  return static_cast<double>(
      (p.system == KeyValueSystem::redis ? r.request + r.Reads(0) + r.Writes(0) : p.costs.post).v);
}
double ThreadsOfClients(const KeyValueArrivals& a, const KeyValueParameters& p) {
  const int each = p.system == KeyValueSystem::redis ? p.redis.client_threads : a.processes;
  return static_cast<double>(a.from.size()) * each;
}
/// The minimum time of the server's thread for an operation, in picoseconds, if one thread executes all
/// operations.
double ServedIn(const KeyValueParameters& p) {
  const RedisParameters& r = p.redis;
  if (p.system != KeyValueSystem::redis) return static_cast<double>(p.costs.post.v);
  return static_cast<double>(
      (r.command + (r.io_threads > 1 ? Time(0) : r.parse + r.Reads(0) + r.Writes(0))).v);
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
    const KeyValueParameters& p = s.key_values[a.service];
    const double servers =
        AnswersByProcesses(p.system) ? std::min<double>(p.server_processes(), Processes(a)) : Processes(a);
    const double each = ServedIn(p) / 1e12;
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
  const KeyValueParameters& p = s.key_values[a.service];
  const double each = PostedIn(p) / 1e12;
  const double posted = each > 0 ? std::min(lines, ThreadsOfClients(a, p) * InSeconds(span) / each) : lines;
  const double open = Processes(a) * a.window;
  const double worst = open + Loopback(a.from, a.to, s) * posted;
  const double got = std::min(expected, ThroughRoundTrips(open, TripsOf(p.system), span, s));
  const Forecast all{std::min(got, worst), worst};
  return a.operations > 0 ? Min(all, Exactly(1.0 * a.operations)) : all;
}

}  // namespace

std::unique_ptr<OperationGenerator> OperationsOnKeys::MakeOperations(const WorkloadParameters& workload,
                                                                     uint32_t index,
                                                                     const OperationGround& ground) const {
  return std::make_unique<KeyValueGenerator>(*AsKeys(), workload, index, ground);
}

Time OperationsOnKeys::NeededArrival() const { return AsKeys()->start; }

std::vector<LoneMessage> OperationsOnKeys::LastAlone(const HostView& hosts) const {
  const KeyValueArrivals& a = *AsKeys();
  return {Alone(hosts, a.key + a.value, a.start, a.from, a.to)};
}

void OperationsOnKeys::CheckTargets(const TargetCheck& check) const {
  check.Paths(AsKeys()->from, AsKeys()->to);
}

void OperationsOnKeys::AddShares(const WorkloadParameters&, const HostView&, ShareSink& sink) const {
  for (const NodeId from : AsKeys()->from) {
    for (const NodeId to : AsKeys()->to) {
      sink.Add(from, to, 1);
      sink.Add(to, from, 1);
    }
  }
}

void OperationsOnKeys::OfferFlows(const WorkloadParameters& workload, const HostView&, FlowSink& sink) const {
  for (const NodeId from : AsKeys()->from) {
    for (const NodeId to : AsKeys()->to) {
      if (from == to || sink.Full()) continue;
      sink.Offer(from, to, workload.priority, 0);
      sink.Offer(to, from, workload.priority, 0);
    }
  }
}

double OperationsOnKeys::Expected(const Scenario& s) const { return ExpectedOf(*AsKeys(), s); }

double OperationsOnKeys::MeanBytes() const {
  return static_cast<double>((AsKeys()->key + AsKeys()->value).v);
}

std::optional<double> OperationsOnKeys::PerSecond(const HostView&) const {
  if (AsKeys()->rate == 0) return std::nullopt;
  return AsKeys()->rate * static_cast<double>(AsKeys()->from.size()) * AsKeys()->processes;
}

Forecast OperationsOnKeys::Count(const WorkloadParameters&, const Scenario& s) const {
  return CountOf(*AsKeys(), s);
}

std::optional<Forecast> OperationsOnKeys::Open(const WorkloadParameters&, const Scenario& s,
                                               const Forecast& count) const {
  const KeyValueArrivals& a = *AsKeys();
  if (a.rate == 0) return Min(count, Exactly(Processes(a) * a.window));
  // Requests beyond the throughput of a closed loop wait.
  constexpr double kWaiting = 0.1;
  KeyValueArrivals loop = a;
  loop.rate = 0;
  const double through = CountOf(loop, s).expected;
  return Forecast{std::max(kWaiting * count.expected, count.expected - through), count.worst};
}

std::optional<double> OperationsOnKeys::Depth() const {
  const KeyValueArrivals& a = *AsKeys();
  if (a.rate > 0) return std::nullopt;
  return a.threads > 0 ? static_cast<double>(a.threads) : Processes(a) * a.window;
}

std::optional<AskedService> OperationsOnKeys::Asks() const {
  return AskedService{ServiceOperation::Of::key, AsKeys()->service};
}

/// Processes share what is counted for all of them: operations, and keys that
/// are inserted or taken in sequence.
bool OperationsOnKeys::ActsPartByPart(const WorkloadParameters&) const {
  const KeyValueArrivals& a = *AsKeys();
  return a.operations == 0 && a.inserts == 0 && a.choice != KeyChoice::sequential;
}

std::vector<OperationKind> OperationsOnKeys::Kinds() const {
  std::vector<OperationKind> kinds{OperationKind::get, OperationKind::put};
  if (AsKeys()->inserts > 0) kinds.push_back(OperationKind::insert);
  if (AsKeys()->modifies > 0) kinds.push_back(OperationKind::read_modify_write);
  return kinds;
}

IoSpan OperationsOnKeys::Span(Time warmup, Time duration) const {
  const KeyValueArrivals& a = *AsKeys();
  return {std::max(warmup, a.start), std::min(a.stop.value_or(duration), duration), {}, a.operations > 0};
}

double OperationsOnKeys::ChangingShare() const {
  return std::min(1.0, AsKeys()->puts + AsKeys()->inserts + AsKeys()->modifies);
}

ServiceLoad OperationsOnKeys::Load() const {
  const KeyValueArrivals& a = *AsKeys();
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
      &Reading::key_values, &Writing::key_values, " of keys", "herd",
      +[](const KeyValueEntry& entry, KeyValueArrivals& kv, Workload& w) {
        kv.from = entry.parameters.clients;
        kv.to = entry.parameters.servers;
        kv.processes = entry.parameters.client_processes;
        kv.window = entry.parameters.window;
        w.source.from = entry.source.clients;
        w.source.to = entry.source.servers;
        w.parameters.priority = entry.parameters.priority;
      });
}

void CheckKeysOfService(const Node& node, const Workload& w, Reading& reading, const Position* value) {
  const auto& kv = DataOf<KeyValueArrivals>(w);
  if (kv.service >= reading.key_values->size() || kv.to.empty()) return;
  const KeyValueParameters& service = (*reading.key_values)[kv.service].parameters;
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
  if (service.system == KeyValueSystem::echo) {
    for (const char* key : {"puts", "inserts", "read_modify_writes", "key"})
      if (node.Find(key))
        refuse(key, fmt::format("{} is given, but ECHO has no such setting", Quote(key)),
               "leave this key out: it is for services that keep values");
  }
  constexpr Bytes kMostItem{1000};
  if (kv.value > kMostItem && service.system != KeyValueSystem::redis)
    refuse("value", fmt::format("a value of {} does not fit into a slot for requests", FormatSize(kv.value)),
           "allowed: up to 1000B");
  const bool datagrams =
      service.system == KeyValueSystem::herd ||
      (service.system == KeyValueSystem::echo &&
       (service.request.transport == Transport::ud || service.reply.transport == Transport::ud));
  if (datagrams && kv.value > Bytes(reading.mtu))
    refuse("value",
           fmt::format("a value of {} does not fit into a datagram of one MTU, {} B", FormatSize(kv.value),
                       reading.mtu),
           "mtu: 1024");
}

std::vector<KeyOf<Workload>> KeyTypeKeys(const char* type) {
  return OperationKeys(type, "operations on keys", "services: [{priority: …}]");
}

}  // namespace headroom::keys
