#include "scenario/sonic/sonic_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "dcqcn/red_marker.h"
#include "scenario/yaml/pattern.h"
#include "scenario/yaml/quantity.h"
#include "sonic/chip/sonic_switch_parts.h"
#include "switch/buffer/queues_of_class.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

/// Collects fields whose values differ from the file's.
class Changes {
 public:
  explicit Changes(const SonicConfig& config) : tables_(NestedSonicTables(config.json)) {}

  void Want(const std::string& table, const std::string& key, const std::string& field,
            const std::string& value, bool differs) {
    if (!differs) return;
    const ordered_json& row = tables_.at(table).at(key);
    std::optional<std::string> before;
    if (const auto old = row.find(field); old != row.end()) before = SonicFieldText(*old);
    changes_.push_back({table, key, field, before, value});
  }
  const ordered_json& tables() const { return tables_; }
  std::vector<SonicChange> Take() && { return std::move(changes_); }

 private:
  ordered_json tables_;
  std::vector<SonicChange> changes_;
};

/// The changes of one WRED profile, and their classes.
struct Marking {
  EcnParameters ecn;  ///< thresholds at the rate of the port
  std::string who;
  bool by_rate = false;  ///< they would differ at another rate
};
using Markings = std::map<std::string, Marking>;

std::string Describe(const EcnParameters& ecn) {
  return fmt::format("{} to {} and {} %", FormatSize(ecn.kmin), FormatSize(ecn.kmax),
                     FormatNumber(ecn.pmax * 100));
}

void AddMarking(Markings& wanted, const SonicConfig& config, const std::string& profile,
                const Marking& marking) {
  if (!config.wred.contains(profile)) {
    throw std::invalid_argument(fmt::format("{}: {} has the WRED profile {}, which does not exist",
                                            config.file, marking.who, profile));
  }
  const auto [at, is_new] = wanted.try_emplace(profile, marking);
  if (is_new || at->second.ecn == marking.ecn) return;
  const bool by_rate = at->second.by_rate || marking.by_rate;
  throw std::invalid_argument(fmt::format(
      "{}: WRED_PROFILE|{} serves {} and {}, which need different thresholds, {} and {}{}; {}", config.file,
      profile, at->second.who, marking.who, Describe(at->second.ecn), Describe(marking.ecn),
      by_rate ? ", as per_rate scales thresholds with the rate of a port" : "",
      by_rate ? "bind a separate profile to the ports of each speed, or give the class an ecn without "
                "per_rate"
              : "give each its own profile, or give both the same thresholds"));
}

[[noreturn]] void FailUnbound(const SonicConfig& config, int queue) {
  throw std::invalid_argument(
      fmt::format("{}: no row of QUEUE binds a wred_profile to queue {}, which the scenario marks; bind one "
                  "first (ecnconfig -q {} on binds AZURE_LOSSLESS)",
                  config.file, queue, queue));
}

std::string Who(int queue, Rate rate) { return fmt::format("queue {} at {}", queue, FormatRate(rate)); }

/// For a switch with one queue per class priority: the same at every port of the file.
Markings MarkingsOfClasses(const SonicConfig& config, const Scenario& scenario,
                           const SwitchParameters& wanted) {
  Markings markings;
  for (int queue = 0; queue < kPriorities; ++queue) {
    const auto& ecn = wanted.ecn[queue];
    const bool carries_data = std::ranges::find(scenario.workloads, queue, &WorkloadParameters::priority) !=
                              scenario.workloads.end();
    bool bound = false;
    for (const SonicPort& port : config.ports) {
      const SonicQueueRow* row = config.FindQueue(port.name, queue);
      if (!row || !row->wred_profile || !port.speed) continue;
      bound = true;
      if (ecn) {
        AddMarking(markings, config, *row->wred_profile,
                   {AtRate(*ecn, *port.speed), Who(queue, *port.speed), ecn->per_rate.has_value()});
        continue;
      }
      const auto profile = config.wred.find(*row->wred_profile);
      if (carries_data && profile != config.wred.end() && profile->second.MarksGreen()) {
        throw std::invalid_argument(fmt::format(
            "{}: WRED_PROFILE|{} marks queue {}, but the scenario does not mark class {}; give the class "
            "an ecn, or remove the profile from the queue first (ecnconfig -q {} off)",
            config.file, *row->wred_profile, queue, scenario.classes[queue].name, queue));
      }
    }
    if (ecn && !bound) FailUnbound(config, queue);
  }
  return markings;
}

/// The queues that classes use at a port.
std::set<uint8_t> QueuesInUse(const TrafficClasses& classes, const std::vector<PortQos>& ports,
                              const PortQos& out) {
  std::set<uint8_t> queues;
  for (const TrafficClass& c : classes) {
    if (!c.name.empty()) queues.merge(QueuesOf(c, ports, out));
  }
  return queues;
}

/// A linked port of a switch and its row of the configuration.
struct LinkedPort {
  std::string name, file_name;
  Rate speed;
};

std::vector<LinkedPort> LinkedPorts(const SonicConfig& config, const Scenario& scenario, NodeId node) {
  const std::vector<ChipPort> ports = PortsOf(scenario.topology, node);
  SonicSwitchModel model;
  SonicFindings findings(config.file);
  const SonicSource& source = *scenario.switches[node - scenario.topology.hosts].sonic;
  if (!MapSonicPorts(config, ports, source.ports, model, findings)) {
    throw std::invalid_argument(fmt::format("{}: the ports of this file are not the ports of switch {}",
                                            config.file, scenario.topology.nodes[node].name));
  }
  std::vector<LinkedPort> linked;
  for (size_t i = 0; i < ports.size(); ++i)
    linked.push_back({ports[i].name, model.file_ports[i], ports[i].speed});
  return linked;
}

/// For a switch with the maps of a configuration: each queue at its linked ports, if a class uses the queue.
Markings MarkingsOfPorts(const SonicConfig& config, const Scenario& scenario, NodeId node) {
  const SwitchParameters& wanted = scenario.switches[node - scenario.topology.hosts];
  const std::vector<LinkedPort> ports = LinkedPorts(config, scenario, node);
  Markings markings;
  for (size_t i = 0; i < ports.size(); ++i) {
    for (const uint8_t queue : QueuesInUse(scenario.classes, wanted.qos, wanted.qos[i])) {
      const auto& ecn = wanted.qos[i].ecn[queue];
      if (!ecn) continue;
      const SonicQueueRow* row = config.FindQueue(ports[i].file_name, queue);
      if (!row || !row->wred_profile) FailUnbound(config, queue);
      AddMarking(markings, config, *row->wred_profile,
                 {AtRate(*ecn, ports[i].speed), Who(queue, ports[i].speed), ecn->per_rate.has_value()});
    }
  }
  return markings;
}

/// The value of `ecn` that adds marking of green.
std::string WithGreen(const SonicWred& profile) {
  const std::string now = profile.ecn.value_or("ecn_none");
  if (now == "ecn_yellow") return "ecn_green_yellow";
  if (now == "ecn_red") return "ecn_green_red";
  if (now == "ecn_yellow_red") return "ecn_all";
  return "ecn_green";
}

void WantProfile(Changes& changes, const SonicWred& profile, const EcnParameters& ecn) {
  const auto want = [&](const char* field, const std::string& value, bool differs) {
    changes.Want("WRED_PROFILE", profile.name, field, value, differs);
  };
  const SonicWredColour& green = profile.green;
  const double percent = ecn.pmax * 100;
  want("ecn", WithGreen(profile), !profile.MarksGreen());
  want("wred_green_enable", "true", !green.enabled.value_or(profile.MarksGreen()));
  want("green_min_threshold", std::to_string(ecn.kmin.v), green.min_threshold.value != ecn.kmin);
  want("green_max_threshold", std::to_string(ecn.kmax.v), green.max_threshold.value != ecn.kmax);
  want("green_drop_probability", fmt::format("{:.12g}", percent),
       std::abs(green.drop_probability.value_or(100) - percent) > 1e-9);
}

/// Whether a field limits the use of a buffer.
bool IsThreshold(const std::string& field) {
  static const std::set<std::string> fields = {"size",       "xoff",       "xon",
                                               "xon_offset", "dynamic_th", "static_th"};
  return fields.contains(field);
}

}  // namespace

std::map<std::string, std::set<uint8_t>> WredProfilesInUse(const SonicConfig& config,
                                                           const Scenario& scenario, NodeId node,
                                                           const TrafficClass& c) {
  const SwitchParameters& parameters = scenario.switches[node - scenario.topology.hosts];
  const std::vector<LinkedPort> ports = LinkedPorts(config, scenario, node);
  std::map<std::string, std::set<uint8_t>> profiles;
  for (size_t i = 0; i < ports.size(); ++i) {
    for (const uint8_t queue : QueuesOf(c, parameters.qos, parameters.qos[i])) {
      const SonicQueueRow* row = config.FindQueue(ports[i].file_name, queue);
      if (row && row->wred_profile) profiles[*row->wred_profile].insert(queue);
    }
  }
  return profiles;
}

std::vector<SonicChange> EcnChanges(const SonicConfig& config, const Scenario& scenario, NodeId node) {
  const SwitchParameters& wanted = scenario.switches[node - scenario.topology.hosts];
  const Markings markings =
      wanted.sonic ? MarkingsOfPorts(config, scenario, node) : MarkingsOfClasses(config, scenario, wanted);
  Changes changes(config);
  for (const auto& [name, marking] : markings) WantProfile(changes, config.wred.at(name), marking.ecn);
  return std::move(changes).Take();
}

std::vector<ChipPort> PortsOf(const Topology& topology, NodeId node) {
  std::vector<ChipPort> ports;
  for (const TopologyLink& link : topology.links) {
    for (const LinkEnd* end : {&link.a, &link.b})
      if (end->node == node) ports.push_back({end->port, link.spec.rate, link.spec.delay});
  }
  return ports;
}

std::vector<SonicChange> WatchdogChanges(const SonicConfig& config, const Scenario& scenario, NodeId node) {
  constexpr const char* kActions[] = {"drop", "forward", "alert"};
  using Action = SonicWatchdog::Action;
  const SwitchParameters& wanted = scenario.switches[node - scenario.topology.hosts];
  const auto milliseconds = [](Time time) {
    const int64_t whole = time.v / Milliseconds(1).v;
    return Milliseconds(whole) == time
               ? std::to_string(whole)
               : FormatNumber(static_cast<double>(time.v) / static_cast<double>(Milliseconds(1).v));
  };
  Changes changes(config);
  std::map<std::string, WatchdogParameters> of_row;
  std::optional<Time> poll;
  for (const LinkedPort& port : LinkedPorts(config, scenario, node)) {
    const WatchdogParameters* last = nullptr;
    for (const WatchdogParameters& w : wanted.pfc.watchdogs)
      if (Matches(w.ports, port.name)) last = &w;
    const SonicWatchdog* row = config.FindWatchdog(port.file_name);
    if (!last || !row) continue;
    const auto [known, is_new] = of_row.try_emplace(row->place.key, *last);
    const WatchdogParameters& first = known->second;
    if (first.detection != last->detection || first.restoration != last->restoration ||
        first.action != last->action)
      throw std::invalid_argument(fmt::format(
          "{}: PFC_WD|{} covers several ports, which need different watchdogs; give each port its own row",
          config.file, row->place.key));
    poll = last->poll;
    if (!is_new) continue;
    const auto want = [&](const char* field, const std::string& value, bool differs) {
      changes.Want("PFC_WD", row->place.key, field, value, differs);
    };
    want("detection_time", milliseconds(last->detection), row->detection_time.value != last->detection);
    if (last->restoration)
      want("restoration_time", milliseconds(*last->restoration),
           row->restoration_time.value != last->restoration);
    const auto action = static_cast<size_t>(last->action);
    want("action", kActions[action], static_cast<size_t>(row->action.value_or(Action::drop)) != action);
  }
  const auto table = changes.tables().find("PFC_WD");
  if (poll && table != changes.tables().end() && table->contains("GLOBAL"))
    changes.Want("PFC_WD", "GLOBAL", "POLL_INTERVAL", milliseconds(*poll),
                 config.watchdog_global.poll_interval.value_or(Milliseconds(100)) != *poll);
  return std::move(changes).Take();
}

/// SONiC's tables contain powers of two, and limits in bytes.
void CheckExpressible(const SonicConfig& config, const BufferParameters& wanted) {
  if (wanted.policy.type != BufferPolicyParameters::Type::dynamic)
    throw std::invalid_argument(
        fmt::format("{}: SONiC's tables cannot express policy {}; allowed: policy dynamic; for static "
                    "limits give profiles a static_th",
                    config.file, NameOf(wanted.policy.type)));
  for (const BufferProfile& profile : wanted.profiles) {
    if (!profile.alpha) continue;
    throw std::invalid_argument(fmt::format(
        "{}: profile {} has alpha {}, but SONiC's dynamic_th gives only powers of two; the nearest is "
        "dynamic_th {}",
        config.file, profile.name, FormatNumber(*profile.alpha), std::lround(std::log2(*profile.alpha))));
  }
}

std::vector<SonicChange> BufferChanges(const SonicConfig& config, const BufferParameters& wanted) {
  CheckExpressible(config, wanted);
  Changes changes(config);
  const auto bytes = [](const std::optional<Bytes>& size) { return size ? std::to_string(size->v) : ""; };
  for (const BufferPool& pool : wanted.pools) {
    const SonicPool* old = config.FindPool(pool.name);
    if (!old) continue;
    const auto want = [&](const char* field, Bytes value, const SonicValue<Bytes>& now) {
      changes.Want("BUFFER_POOL", pool.name, field, bytes(value), now.value_or(Bytes(0)) != value);
    };
    want("size", pool.size, old->size);
    want("xoff", pool.xoff, old->xoff);
  }
  for (const BufferProfile& profile : wanted.profiles) {
    const SonicProfile* old = config.FindProfile(profile.name);
    if (!old) continue;
    const auto want = [&](const char* field, const std::string& value, bool differs) {
      changes.Want("BUFFER_PROFILE", profile.name, field, value, differs);
    };
    if (profile.dynamic_th) {
      want("dynamic_th", std::to_string(*profile.dynamic_th), old->dynamic_th.value != profile.dynamic_th);
    }
    if (profile.static_th) {
      want("static_th", bytes(profile.static_th), old->static_th.value != profile.static_th);
    }
    if (profile.xoff) want("xoff", bytes(profile.xoff), old->xoff.value != profile.xoff);
    want("size", bytes(profile.size), old->size.value_or(Bytes(0)) != profile.size);
    want("xon", bytes(profile.xon), old->xon.value_or(Bytes(0)) != profile.xon);
    want("xon_offset", bytes(profile.xon_offset), old->xon_offset.value_or(Bytes(0)) != profile.xon_offset);
  }
  return std::move(changes).Take();
}

std::vector<SonicChange> TableChanges(const SonicConfig& config, const std::string& wanted,
                                      const std::vector<SonicField>& fields) {
  Changes changes(config);
  const ordered_json tables = NestedSonicTables(ordered_json::parse(wanted));
  const auto compare = [&](const std::string& table, const std::string& key, const std::string& field,
                           const std::string& value) {
    const auto rows = changes.tables().find(table);
    if (rows == changes.tables().end()) return;
    const auto row = rows->find(key);
    if (row == rows->end()) return;
    const auto now = row->find(field);
    changes.Want(table, key, field, value, now == row->end() || SonicFieldText(*now) != value);
  };
  std::set<std::vector<std::string>> named;
  for (const SonicField& f : fields) {
    compare(f.table, f.key, f.field, f.value);
    named.insert({f.table, f.key, f.field});
  }
  for (const char* table : {"BUFFER_POOL", "BUFFER_PROFILE"}) {
    const auto rows = tables.find(table);
    if (rows == tables.end()) continue;
    for (const auto& [key, row] : rows->items()) {
      for (const auto& [field, value] : row.items()) {
        if (IsThreshold(field) && !named.contains({table, key, field}))
          compare(table, key, field, SonicFieldText(value));
      }
    }
  }
  return std::move(changes).Take();
}

}  // namespace headroom
