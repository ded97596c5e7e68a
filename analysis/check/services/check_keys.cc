#include "analysis/check/services/check_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "protocol/keyvalue/key_value_parameters.h"
#include "protocol/keyvalue/stores/mica_log.h"
#include "report/text/text_table.h"
#include "scenario/yaml/quantity.h"
#include "workload/key_value_arrivals.h"

namespace headroom {
namespace {

using Severity = Finding::Severity;

/// The log space of a process's share of the records, each aligned to eight bytes.
int64_t LoggedOf(const KeyValueParameters& p, const KeyValueArrivals& kv) {
  return kv.keys / p.server_processes() *
         static_cast<int64_t>(MicaLog::EntryBytes(static_cast<uint64_t>(kv.value.v)));
}

/// A server makes queue pairs one after the other.
void JudgeSetUp(const KeyValueParameters& p, const KeyValueArrivals& kv, const Scenario& s,
                Findings& findings) {
  const Time each = p.OpenedIn(), all = each * p.clients_in_all();
  const Time end = std::min(kv.stop.value_or(s.duration), s.duration);
  if (each == Time(0) || all < end) return;
  findings.push_back(
      {Severity::warning, "service " + p.name,
       fmt::format("{} connections cannot all open before requests end, after {}: the server needs {} "
                   "for each",
                   p.clients_in_all(), FormatTime(end), FormatTime(each))});
}

/// UC and UD inform no control except DCQCN about their packets.
void JudgeControls(const KeyValueParameters& p, const Scenario& s, Findings& findings) {
  if (!p.HasUnacknowledged()) return;
  for (const auto* hosts : {&p.clients, &p.servers}) {
    const auto at = std::ranges::find_if(*hosts, [&](NodeId host) { return s.nics[host].HasControl(); });
    if (at == hosts->end()) continue;
    const ControlParameters& control = *s.nics[*at].control;
    findings.push_back(
        {Severity::warning,
         "service " + p.name,
         fmt::format(
             "congestion control {} of {} needs {}, but messages of UC and UD {}, so they leave at line "
             "rate",
             control.name(), s.topology.nodes[*at].name, control.credits() ? "credits" : "ACKs",
             control.credits() ? "take no credits" : "have no ACKs"),
         {Remedy{"nics.*.congestion_control=dcqcn"}}});
    return;
  }
}

KeyServiceCheck ServiceOf(const KeyValueParameters& p, const Scenario& s) {
  KeyServiceCheck check;
  check.name = p.name;
  check.system = p.type;
  check.traffic_class = s.classes[p.priority].name;
  check.servers = p.servers.size();
  check.clients = p.clients.size();
  check.processes = p.processes;
  check.client_processes = p.client_processes;
  check.cache = p.CacheOfServer();
  return check;
}

void JudgeLog(const KeyValueParameters& p, const KeyValueArrivals& kv, Findings& findings) {
  if (p.CacheOfServer() == Bytes(0)) return;
  const int64_t records = kv.keys / p.server_processes(), logged = LoggedOf(p, kv);
  if (logged <= p.log.v) return;
  findings.push_back(
      {Severity::note, "service " + p.name,
       fmt::format(
           "each of its {2} processes gets {0} records of {1}, about {3}, but a log has {4}, so requests "
           "for the oldest records miss",
           FormatGrouped(static_cast<double>(records), 0), FormatBytes(static_cast<double>(kv.value.v)),
           p.server_processes(), FormatBytes(static_cast<double>(logged)),
           FormatBytes(static_cast<double>(p.log.v)))});
}

}  // namespace

std::vector<KeyServiceCheck> CheckKeys(const Scenario& s, Findings& findings) {
  std::vector<KeyServiceCheck> services;
  std::vector<bool> named(s.services.size());
  for (const AnyService& any : s.services) {
    const auto* const found = any.Find<KeyValueParameters>();
    if (found == nullptr) continue;
    const KeyValueParameters& p = *found;
    services.push_back(ServiceOf(p, s));
    JudgeControls(p, s, findings);
  }
  for (const WorkloadParameters& w : s.workloads) {
    const auto* const kv = w.arrivals.Find<KeyValueArrivals>();
    if (kv == nullptr) continue;
    const auto& p = s.services[kv->service].As<KeyValueParameters>();
    if (!named[kv->service]) JudgeLog(p, *kv, findings);
    named[kv->service] = true;
    JudgeSetUp(p, *kv, s, findings);
  }
  for (size_t i = 0; i < named.size(); ++i) {
    if (named[i] || s.services[i].Find<KeyValueParameters>() == nullptr) continue;
    findings.push_back({Severity::warning, "service " + s.services[i]->name,
                        "no workload of type kv or ycsb uses it, so it stays idle"});
  }
  return services;
}

}  // namespace headroom
