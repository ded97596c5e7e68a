#include "analysis/check/check_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/check/io_workload.h"
#include "report/text/text_table.h"
#include "scenario/yaml/quantity.h"
#include "workload/key_value.h"

namespace headroom {
namespace {

using Severity = Finding::Severity;

/// A message of a service.
struct Way {
  Operation verb = Operation::write;
  bool datagram = false;
  int64_t payload = 0;
};

/// There, at a server's process, and back.
struct Turn {
  Way there, back;
  Time process;  ///< 0: no process of a server is in it
};

constexpr int64_t kKeyHash = 16, kLength = 2;

/// What a process's share of the records takes of its log, where each begins at a multiple of eight bytes.
int64_t LoggedOf(const KeyValueParameters& p, const KeyValueArrivals& kv) {
  constexpr int64_t kStep = 8;
  return kv.keys / p.server_processes() * ((kKeyHash + kLength + kv.value.v + kStep - 1) / kStep * kStep);
}

/// Of a process, at least: its accesses to memory hide behind others.
Time ProcessOf(const KeyValueParameters& p, int accesses) {
  const Time hidden = p.prefetch ? p.costs.prefetched * accesses : p.costs.access * accesses;
  return p.costs.post + p.costs.request + hidden;
}

Turn GetOf(const KeyValueParameters& p, const KeyValueArrivals& kv) {
  const int64_t value = kv.value.v;
  switch (p.system) {
    case KeyValueSystem::herd:
      // A miss is shorter: there are none before PUTs have come around to what was loaded.
      return {{Operation::write, false, kKeyHash},
              {Operation::send_imm, true, 2 * LoggedOf(p, kv) <= p.log.v ? value : 1},
              ProcessOf(p, p.prefetch ? 0 : 2)};
    case KeyValueSystem::echo:
      return {{p.request.verb, p.request.transport == Transport::ud, value},
              {p.reply.verb, p.reply.transport == Transport::ud, value},
              ProcessOf(p, p.accesses)};
    default:  // one READ at least brings the value
      return {{Operation::read_request, false, 0}, {Operation::read_response, false, value}, Time(0)};
  }
}

Turn PutOf(const KeyValueParameters& p, const KeyValueArrivals& kv) {
  if (p.system == KeyValueSystem::echo) return GetOf(p, kv);
  if (p.system == KeyValueSystem::herd)
    return {{Operation::write, false, kKeyHash + kLength + kv.value.v},
            {Operation::send_imm, true, 1},
            ProcessOf(p, p.prefetch ? 0 : 1)};
  return {{Operation::send, false, kv.value.v}, {Operation::send, false, 0}, p.costs.post};
}

/// Turns of an average operation: how many of each.
std::vector<std::pair<Turn, double>> TurnsOf(const KeyValueParameters& p, const KeyValueArrivals& kv) {
  return {{GetOf(p, kv), 1 - kv.puts - kv.inserts}, {PutOf(p, kv), kv.puts + kv.inserts + kv.modifies}};
}

/// On the wire, at least: as one frame.
double Bits(const FrameFormat& frames, const Way& way) {
  const int64_t extended = frames.Extended(way.verb, true, true) + (way.datagram ? frames.deth : 0);
  return 8 * static_cast<double>(frames.OnWire(frames.Packet(way.payload, extended)).v);
}

double LinesOf(const Fabric& fabric, const std::vector<NodeId>& hosts) {
  double sum = 0;
  for (const NodeId host : hosts) sum += static_cast<double>(fabric.LineRate(host).v);
  return sum;
}

/// Between the two that are nearest.
Time Alone(const Fabric& fabric, const KeyValueArrivals& kv, const Turn& turn) {
  Time least = kNever;
  for (const NodeId client : SampleOf(kv.from)) {
    for (const NodeId server : SampleOf(kv.to)) {
      const IoEnds ends = EndsOf(fabric, client, server);
      const auto arrival = [](const IdealPath& path, const Way& way) {
        // A READ's request is a frame without payload, and its response one of as many bytes as a SEND's at
        // least.
        return IdealArrival(path, Bytes(way.payload), Operation::send);
      };
      least = std::min(least, arrival(ends.there, turn.there) + turn.process + arrival(ends.back, turn.back));
    }
  }
  return least;
}

int64_t OpenOf(const KeyValueArrivals& kv) {
  int64_t open = 0;
  for (size_t client = 0; client < kv.from.size(); ++client) {
    for (int process = 0; process < kv.processes; ++process) open += ThreadsOf(kv, client, process);
  }
  return open;
}

KeysCheck WorkloadOf(const Fabric& fabric, const WorkloadParameters& workload, const KeyValueArrivals& kv,
                     const KeyValueParameters& p) {
  const FrameFormat& frames = fabric.scenario().frames;
  KeysCheck check;
  check.workload = workload.name;
  check.service = p.name;
  check.system = KeyValueSystemName(p.system);
  const double clients = static_cast<double>(kv.from.size()) * kv.processes;
  check.rate = kv.rate * clients;
  check.open = kv.rate > 0 ? 0 : OpenOf(kv);
  double turns = 0, process_ps = 0, alone_ps = 0, there = 0, back = 0;
  for (const auto& [turn, count] : TurnsOf(p, kv)) {
    if (count <= 0) continue;
    turns += count;
    process_ps += count * static_cast<double>(turn.process.v);
    alone_ps += count * static_cast<double>(Alone(fabric, kv, turn).v);
    there += count * Bits(frames, turn.there);
    back += count * Bits(frames, turn.back);
  }
  check.alone = Time(std::llround(alone_ps));
  const auto add = [&](KeysCheck::Limit limit, double a_second) {
    if (std::isfinite(a_second)) check.bounds.push_back({limit, a_second});
  };
  if (check.open > 0) add(KeysCheck::Limit::windows, static_cast<double>(check.open) * 1e12 / alone_ps);
  add(KeysCheck::Limit::posts, clients * 1e12 / (turns * static_cast<double>(p.costs.post.v)));
  add(KeysCheck::Limit::processes, p.server_processes() * 1e12 / process_ps);
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
      return "its windows let so many be open";
    case KeysCheck::Limit::posts:
      return "so much its clients' processes post";
    case KeysCheck::Limit::processes:
      return "so much the servers' processes answer";
    case KeysCheck::Limit::client_out:
    case KeysCheck::Limit::client_in:
      return "so much its clients' lines carry";
    case KeysCheck::Limit::server_in:
    case KeysCheck::Limit::server_out:
      return "so much the servers' lines carry";
    case KeysCheck::Limit::target:
      return "so much it asks for";
  }
  return "";
}

void JudgeKeys(const KeysCheck& check, Findings& findings) {
  const KeysCheck::Bound& least = check.Least();
  if (check.rate > least.a_second) {
    findings.push_back(
        {Severity::warning, "workload " + check.workload,
         fmt::format("rate {} operations a second, and no more than {} get through: {}; what waits "
                     "grows for as long as the load lasts",
                     FormatGrouped(check.rate, 0), FormatGrouped(std::floor(least.a_second), 0),
                     Has(least.limit)),
         "a lower rate"});
    return;
  }
  const KeysCheck::Bound* const target = check.Find(KeysCheck::Limit::target);
  if (target != nullptr && target->a_second > least.a_second)
    findings.push_back({Severity::warning, "workload " + check.workload,
                        fmt::format("target {} operations a second, and no more than {} get through: {}",
                                    FormatGrouped(target->a_second, 0),
                                    FormatGrouped(std::floor(least.a_second), 0), Has(least.limit)),
                        "a lower target, or a larger window"});
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
           "{} records of {} come to each of its {} processes, about {}, and a log has {}: the oldest miss",
           FormatGrouped(static_cast<double>(records), 0), FormatBytes(static_cast<double>(kv.value.v)),
           p.server_processes(), FormatBytes(static_cast<double>(logged)),
           FormatBytes(static_cast<double>(p.log.v))),
       "a larger log, more processes or servers, or fewer keys"});
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
  for (const KeyValueParameters& p : s.key_values) checks.services.push_back(ServiceOf(p, s));
  for (const WorkloadParameters& w : s.workloads) {
    const auto* kv = std::get_if<KeyValueArrivals>(&w.arrivals);
    if (kv == nullptr) continue;
    const KeyValueParameters& p = s.key_values[kv->service];
    if (!named[kv->service]) JudgeLog(p, *kv, findings);
    named[kv->service] = true;
    checks.workloads.push_back(WorkloadOf(fabric, w, *kv, p));
    JudgeKeys(checks.workloads.back(), findings);
  }
  for (size_t i = 0; i < named.size(); ++i) {
    if (named[i]) continue;
    findings.push_back({Severity::warning, "service " + s.key_values[i].name,
                        "no workload of type kv or ycsb names it: nothing will happen there",
                        fmt::format("workloads: [{{type: kv, service: {}, …}}]", s.key_values[i].name)});
  }
  return checks;
}

}  // namespace headroom
