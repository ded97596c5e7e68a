#include "analysis/check/services/check_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/bounds/ideal_path.h"
#include "analysis/bounds/path_range.h"
#include "analysis/bounds/services/key_cost.h"
#include "protocol/keyvalue/stores/mica_log.h"
#include "protocol/redis/rdma_stream.h"
#include "report/text/text_table.h"
#include "scenario/yaml/quantity.h"
#include "workload/operations/key_value.h"

namespace headroom {
namespace {

using Severity = Finding::Severity;

/// The log space of a process's share of the records, each aligned to eight bytes.
int64_t LoggedOf(const KeyValueParameters& p, const KeyValueArrivals& kv) {
  return kv.keys / p.server_processes() *
         static_cast<int64_t>(MicaLog::EntryBytes(static_cast<uint64_t>(kv.value.v)));
}

double LinesOf(const Fabric& fabric, const std::vector<NodeId>& hosts) {
  double sum = 0;
  for (const NodeId host : hosts) sum += static_cast<double>(fabric.LineRate(host).v);
  return sum;
}

/// If frames may be cut, paced, wait for a window, or cost the NIC time, lines and processes are not the only
/// limits.
bool IsBare(const Scenario& s, NodeId host, uint8_t priority, Rate line) {
  const NicParameters& nic = s.nics[host];
  const Rate most = nic.dcqcn.rp.max_rate;
  return nic.resources.Ideal() && !HasWindow(nic) && !nic.HasControl() &&
         (!nic.Reacts(priority) || most.v == 0 || most >= line);
}

/// Distances between clients and servers, one of each kind.
class Reach {
 public:
  Reach(const Fabric& fabric, const KeyValueArrivals& kv) : fabric_(fabric), kinds_(HostKinds(fabric)) {
    for (const NodeId server : kv.to) servers_.try_emplace(kinds_[server], server);
  }

  struct From {
    double nearest = HUGE_VAL,
           farthest = 0;      ///< picoseconds without other traffic, for the best and the worst path
    double least = HUGE_VAL;  ///< with other traffic
  };
  const From& Of(NodeId client, const KeyCost& cost, int64_t open) {
    const auto [at, added] = clients_.try_emplace(kinds_[client]);
    From& from = at->second;
    if (!added) return from;
    const Scenario& s = fabric_.scenario();
    for (const auto& [kind, server] : servers_) {
      const PathRange there = RangeBetween(fabric_, client, server),
                      back = RangeBetween(fabric_, server, client);
      if (there.best.empty() || back.best.empty()) continue;
      const KeyEnds best{IdealPathOf(s, there.best, back.best, client, server),
                         IdealPathOf(s, back.best, there.best, server, client)},
          worst{IdealPathOf(s, there.worst, back.worst, client, server),
                IdealPathOf(s, back.worst, there.worst, server, client)};
      from.nearest = std::min(from.nearest, cost.Alone(best));
      from.farthest = std::max(from.farthest, cost.Alone(worst));
      from.least = std::min(from.least, cost.Least(best, open));
    }
    return from;
  }

 private:
  const Fabric& fabric_;
  const std::vector<std::vector<int64_t>> kinds_;
  std::map<std::vector<int64_t>, NodeId> servers_;
  std::map<std::vector<int64_t>, From> clients_;
};

int64_t OpenOf(const KeyValueArrivals& kv) {
  int64_t open = 0;
  for (size_t client = 0; client < kv.from.size(); ++client) {
    for (int process = 0; process < kv.processes; ++process) open += ThreadsOf(kv, client, process);
  }
  return open;
}

/// Operations of all workloads of a service that may be open at the same time.
int64_t OpenInAll(const Scenario& s, uint32_t service) {
  int64_t open = 0;
  for (const WorkloadParameters& w : s.workloads) {
    const KeyValueArrivals* const kv = w.arrivals->AsKeys();
    if (kv == nullptr || kv->service != service) continue;
    if (kv->rate > 0) return INT64_MAX;
    open += OpenOf(*kv);
  }
  return open;
}

/// Open work of a client's process at a rate: READs and calls of a table share its window, and each call has
/// a slot of its server's process.
int64_t MostOpen(const KeyValueParameters& p) {
  return AnswersByProcesses(p.system) ? int64_t{p.window} * p.server_processes() : p.window;
}

/// Adds bounds by Little's law, client by client, and the time of a lone operation.
void AddWindows(const Fabric& fabric, const KeyValueParameters& p, const KeyValueArrivals& kv,
                const KeyCost& cost, KeysCheck& check) {
  Reach reach(fabric, kv);
  const int64_t most = MostOpen(p);
  double nearest = HUGE_VAL, farthest = 0, a_second = 0;
  for (size_t i = 0; i < kv.from.size(); ++i) {
    const Reach::From& from = reach.Of(kv.from[i], cost, OpenInAll(fabric.scenario(), kv.service));
    nearest = std::min(nearest, from.nearest);
    farthest = std::max(farthest, from.farthest);
    for (int process = 0; process < kv.processes; ++process) {
      const int64_t open = check.open > 0 ? ThreadsOf(kv, i, process) : most;
      const double reaches = static_cast<double>(open) * 1e12 / from.least;
      a_second += reaches;
      if (kv.rate > 0) check.granted += std::min(kv.rate, reaches);
    }
  }
  if (!std::isfinite(a_second) || !std::isfinite(nearest)) return;
  check.alone = Time(std::llround(nearest));
  check.farthest = Time(std::llround(farthest));
  check.bounds.push_back({KeysCheck::Limit::windows, a_second});
}

/// For PUTs to a table, each client's process uses one process of a server.
double ServingProcesses(const KeyValueParameters& p, const KeyValueArrivals& kv) {
  if (p.system == KeyValueSystem::redis) return p.redis.io_threads;
  const int64_t clients = static_cast<int64_t>(kv.from.size()) * kv.processes;
  const int64_t each = AnswersByProcesses(p.system) ? p.processes : std::min<int64_t>(p.processes, clients);
  return static_cast<double>(each) * static_cast<double>(p.servers.size());
}

KeysCheck WorkloadOf(const Fabric& fabric, const WorkloadParameters& workload, const KeyValueArrivals& kv,
                     const KeyValueParameters& p) {
  const Scenario& s = fabric.scenario();
  const KeyCost cost(s, kv);
  KeysCheck check;
  check.workload = workload.name;
  check.service = p.name;
  check.system = KeyValueSystemName(p.system);
  const double clients = static_cast<double>(kv.from.size()) * kv.processes;
  const bool redis = p.system == KeyValueSystem::redis;
  const double threads = redis ? static_cast<double>(kv.from.size()) * p.redis.client_threads : clients;
  check.rate = kv.rate * clients;
  check.open = kv.rate > 0 ? 0 : OpenOf(kv);
  const auto bare = [&](NodeId host) { return IsBare(s, host, p.priority, fabric.LineRate(host)); };
  check.exact = cost.exact() && std::ranges::all_of(kv.from, bare) && std::ranges::all_of(kv.to, bare);
  AddWindows(fabric, p, kv, cost, check);
  const auto add = [&](KeysCheck::Limit limit, double a_second) {
    if (std::isfinite(a_second)) check.bounds.push_back({limit, a_second});
  };
  add(KeysCheck::Limit::posts, threads * 1e12 / cost.posting());
  add(KeysCheck::Limit::processes, ServingProcesses(p, kv) * 1e12 / cost.work());
  // One thread executes the requests that others read.
  if (redis) add(KeysCheck::Limit::processes, 1e12 / static_cast<double>(p.redis.command.v));
  const BothWays wire = cost.OnWire();
  const std::vector<ControlHeaders> headers = ControlHeadersOf(s);
  const auto least = [&](const std::vector<NodeId>& hosts) {
    return headers[*std::ranges::min_element(hosts, {}, [&](NodeId host) { return headers[host]; })];
  };
  const ControlHeaders at_clients = least(kv.from), at_servers = least(kv.to);
  const double there = 8 * WithControls(wire.there, at_clients, at_servers, s.frames).OnWire(s.frames),
               back = 8 * WithControls(wire.back, at_servers, at_clients, s.frames).OnWire(s.frames);
  add(KeysCheck::Limit::client_out, LinesOf(fabric, kv.from) / there);
  add(KeysCheck::Limit::client_in, LinesOf(fabric, kv.from) / back);
  add(KeysCheck::Limit::server_in, LinesOf(fabric, kv.to) / there);
  add(KeysCheck::Limit::server_out, LinesOf(fabric, kv.to) / back);
  if (kv.target > 0) add(KeysCheck::Limit::target, kv.target);
  return check;
}

const char* Has(KeysCheck::Limit limit) {
  switch (limit) {
    case KeysCheck::Limit::windows:
      return "its windows limit the open operations";
    case KeysCheck::Limit::posts:
      return "its clients' processes post no more";
    case KeysCheck::Limit::processes:
      return "the servers' processes answer no more";
    case KeysCheck::Limit::client_out:
    case KeysCheck::Limit::client_in:
      return "its clients' lines carry no more";
    case KeysCheck::Limit::server_in:
    case KeysCheck::Limit::server_out:
      return "the servers' lines carry no more";
    case KeysCheck::Limit::target:
      return "its target limits them";
  }
  return "";
}

void JudgeKeys(const KeysCheck& check, Findings& findings) {
  const KeysCheck::Bound& least = check.Least();
  // Distant clients may fall behind where near ones do not.
  const bool behind = check.granted < std::min(check.rate, least.a_second);
  if (check.rate > least.a_second || behind) {
    findings.push_back({Severity::warning, "workload " + check.workload,
                        fmt::format("the rate is {} operations a second, but at most {} complete: {}; "
                                    "the backlog grows while the load lasts",
                                    FormatGrouped(check.rate, 0),
                                    FormatGrouped(std::floor(behind ? check.granted : least.a_second), 0),
                                    Has(behind ? KeysCheck::Limit::windows : least.limit)),
                        "a lower rate"});
    return;
  }
  const KeysCheck::Bound* const target = check.Find(KeysCheck::Limit::target);
  if (target != nullptr && target->a_second > least.a_second)
    findings.push_back({Severity::warning, "workload " + check.workload,
                        fmt::format("the target is {} operations a second, but at most {} complete: {}",
                                    FormatGrouped(target->a_second, 0),
                                    FormatGrouped(std::floor(least.a_second), 0), Has(least.limit)),
                        "give a lower target, or a larger window"});
}

/// A closed loop of type redis with more connections than the threads of one side can serve.
void JudgeThreads(const KeysCheck& check, const KeyValueParameters& p, Findings& findings) {
  if (p.system != KeyValueSystem::redis || check.rate > 0) return;
  const KeysCheck::Bound& least = check.Least();
  const bool client = least.limit == KeysCheck::Limit::posts;
  if (!client && least.limit != KeysCheck::Limit::processes) return;
  findings.push_back(
      {Severity::note, "workload " + check.workload,
       fmt::format("{} connections request more than {} can serve: at most {} requests a second, with "
                   "any number of connections",
                   check.open / p.window, client ? "the clients' threads" : "the server's threads",
                   FormatGrouped(std::floor(least.a_second), 0)),
       client ? "more client_threads" : "give more io_threads, or another server"});
}

/// A server makes queue pairs one after the other.
void JudgeSetUp(const KeyValueParameters& p, const KeyValueArrivals& kv, const Scenario& s,
                Findings& findings) {
  if (p.system != KeyValueSystem::redis || p.redis.transport != RedisTransport::rdma) return;
  const Time each = RdmaStream::TakesToMake(p.redis.costs), all = each * p.clients_in_all();
  const Time end = std::min(kv.stop.value_or(s.duration), s.duration);
  if (all < end) return;
  findings.push_back(
      {Severity::warning, "service " + p.name,
       fmt::format("{} connections cannot all open before requests end, after {}: the server needs {} "
                   "for each",
                   p.clients_in_all(), FormatTime(end), FormatTime(each)),
       fmt::format("give a duration well above {} with start and warmup after it, or fewer connections",
                   FormatTime(all))});
}

bool UsesDatagrams(const KeyValueParameters& p) {
  switch (p.system) {
    case KeyValueSystem::redis:
      return false;
    case KeyValueSystem::echo:
      return p.request.transport != Transport::rc || p.reply.transport != Transport::rc;
    default:
      return true;
  }
}

/// UC and UD inform no control except DCQCN about their packets.
void JudgeControls(const KeyValueParameters& p, const Scenario& s, Findings& findings) {
  if (!UsesDatagrams(p)) return;
  for (const auto* hosts : {&p.clients, &p.servers}) {
    const auto at = std::ranges::find_if(*hosts, [&](NodeId host) { return s.nics[host].HasControl(); });
    if (at == hosts->end()) continue;
    const ControlParameters& control = *s.nics[*at].control;
    findings.push_back(
        {Severity::warning, "service " + p.name,
         fmt::format(
             "congestion control {} of {} needs {}, but messages of UC and UD {}, so they leave at line "
             "rate",
             control.name(), s.topology.nodes[*at].name, control.credits() ? "credits" : "ACKs",
             control.credits() ? "take no credits" : "have no ACKs"),
         "give congestion_control: dcqcn at the hosts of the service"});
    return;
  }
}

KeyServiceCheck ServiceOf(const KeyValueParameters& p, const Scenario& s) {
  KeyServiceCheck check;
  check.name = p.name;
  check.system = KeyValueSystemName(p.system);
  check.traffic_class = s.classes[p.priority].name;
  check.servers = p.servers.size();
  check.clients = p.clients.size();
  check.processes = p.processes;
  check.client_processes = p.client_processes;
  constexpr int64_t kSlot = 8;
  if (p.system == KeyValueSystem::herd) check.cache = (p.log + Bytes(p.index_keys * kSlot)) * p.processes;
  return check;
}

void JudgeLog(const KeyValueParameters& p, const KeyValueArrivals& kv, Findings& findings) {
  if (p.system != KeyValueSystem::herd) return;
  const int64_t records = kv.keys / p.server_processes(), logged = LoggedOf(p, kv);
  if (logged <= p.log.v) return;
  findings.push_back(
      {Severity::note, "service " + p.name,
       fmt::format(
           "each of its {2} processes gets {0} records of {1}, about {3}, but a log has {4}, so requests "
           "for the oldest records miss",
           FormatGrouped(static_cast<double>(records), 0), FormatBytes(static_cast<double>(kv.value.v)),
           p.server_processes(), FormatBytes(static_cast<double>(logged)),
           FormatBytes(static_cast<double>(p.log.v))),
       "give a larger log, more processes or servers, or fewer keys"});
}

}  // namespace

const KeysCheck::Bound& KeysCheck::Least() const {
  return *std::ranges::min_element(bounds, {}, &Bound::a_second);
}
const KeysCheck::Bound* KeysCheck::Find(KeysCheck::Limit limit) const {
  const auto found = std::ranges::find(bounds, limit, &Bound::limit);
  return found == bounds.end() ? nullptr : &*found;
}

const char* LimitName(KeysCheck::KeysCheck::Limit limit) {
  constexpr const char* names[] = {"windows",        "clients' posts", "server processes", "clients' lines",
                                   "clients' lines", "servers' lines", "servers' lines",   "target"};
  return names[static_cast<size_t>(limit)];
}

KeysChecks CheckKeys(const Fabric& fabric, Findings& findings) {
  const Scenario& s = fabric.scenario();
  KeysChecks checks;
  std::vector<bool> named(s.key_values.size());
  for (const KeyValueParameters& p : s.key_values) {
    checks.services.push_back(ServiceOf(p, s));
    JudgeControls(p, s, findings);
  }
  for (const WorkloadParameters& w : s.workloads) {
    const KeyValueArrivals* const kv = w.arrivals->AsKeys();
    if (kv == nullptr) continue;
    const KeyValueParameters& p = s.key_values[kv->service];
    if (!named[kv->service]) JudgeLog(p, *kv, findings);
    named[kv->service] = true;
    checks.workloads.push_back(WorkloadOf(fabric, w, *kv, p));
    JudgeKeys(checks.workloads.back(), findings);
    JudgeThreads(checks.workloads.back(), p, findings);
    JudgeSetUp(p, *kv, s, findings);
  }
  for (size_t i = 0; i < named.size(); ++i) {
    if (named[i]) continue;
    findings.push_back({Severity::warning, "service " + s.key_values[i].name,
                        "no workload of type kv or ycsb uses it, so it stays idle",
                        fmt::format("workloads: [{{type: kv, service: {}, …}}]", s.key_values[i].name)});
  }
  return checks;
}

}  // namespace headroom
