#include "scenario/sonic/sonic_difference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "dcqcn/red_marker.h"
#include "scenario/sonic/sonic_changes.h"
#include "scenario/yaml/pattern.h"
#include "scenario/yaml/quantity.h"
#include "sonic/chip/sonic_switch.h"
#include "switch/buffer/queues_of_class.h"

namespace headroom {

namespace {

/// Names of rows that one side lacks or has with other values.
template <class T>
void CompareRows(const char* table, const std::vector<T>& wanted, const std::vector<T>& now,
                 std::vector<std::string>& out) {
  for (const auto& [one, other] : {std::pair(&wanted, &now), std::pair(&now, &wanted)}) {
    for (const T& row : *one) {
      const auto found = std::ranges::find(*other, row.name, &T::name);
      const bool differs = found == other->end() || (one == &wanted && !(*found == row));
      if (differs) out.push_back(fmt::format("{}|{}", table, row.name));
    }
  }
}

std::vector<std::string> BufferDifferences(const BufferParameters& wanted, BufferParameters now) {
  std::vector<std::string> out;
  now.source = wanted.source;
  CompareRows("BUFFER_POOL", wanted.pools, now.pools, out);
  CompareRows("BUFFER_PROFILE", wanted.profiles, now.profiles, out);
  if (wanted.groups != now.groups) out.push_back("BUFFER_PG");
  if (wanted.queues != now.queues) out.push_back("BUFFER_QUEUE");
  if (wanted.port_ingress != now.port_ingress) out.push_back("BUFFER_PORT_INGRESS_PROFILE_LIST");
  if (wanted.port_egress != now.port_egress) out.push_back("BUFFER_PORT_EGRESS_PROFILE_LIST");
  if (wanted.size != now.size || wanted.asic != now.asic) out.push_back("the ASIC and its memory");
  if (out.empty() && !(wanted == now)) out.push_back("PORT");  // its ports, linked or not
  return out;
}

std::string CurveText(const std::optional<EcnParameters>& ecn) {
  return ecn ? fmt::format("{} to {} and {} %", FormatSize(ecn->kmin), FormatSize(ecn->kmax),
                           FormatNumber(ecn->pmax * 100))
             : "no ECN";
}

bool SameCurve(const std::optional<EcnParameters>& a, const std::optional<EcnParameters>& b) {
  if (!a || !b) return !a && !b;
  return a->kmin == b->kmin && a->kmax == b->kmax && std::abs(a->pmax - b->pmax) < 1e-9;
}

/// For the queues that classes use; thresholds at the port's rate.
std::vector<std::string> MapDifferences(const Scenario& scenario, const SwitchParameters& wanted,
                                        const std::vector<ChipPort>& ports, const SonicSwitchModel& now) {
  std::vector<std::string> out;
  const auto at_rate = [](const std::optional<EcnParameters>& ecn, Rate rate) {
    return ecn ? std::optional(AtRate(*ecn, rate)) : ecn;
  };
  for (size_t i = 0; i < ports.size(); ++i) {
    PortQos has = wanted.qos[i], gives = now.qos[i];
    for (const TrafficClass& c : scenario.classes) {
      if (c.name.empty()) continue;
      for (const uint8_t queue : QueuesOf(c, wanted.qos, has)) {
        const auto in_scenario = at_rate(has.ecn[queue], ports[i].speed);
        const auto in_config = at_rate(gives.ecn[queue], ports[i].speed);
        if (!SameCurve(in_scenario, in_config))
          out.push_back(fmt::format("ECN of queue {} at {}: {}, in the configuration {}", queue,
                                    now.file_ports[i], CurveText(in_scenario), CurveText(in_config)));
      }
    }
    has.ecn = gives.ecn = {};
    if (!(has == gives)) out.push_back(fmt::format("maps and scheduling at {}", now.file_ports[i]));
  }
  return out;
}

std::optional<WatchdogParameters> WatchdogAt(const std::vector<WatchdogParameters>& all,
                                             const std::string& port) {
  std::optional<WatchdogParameters> last;
  for (const WatchdogParameters& w : all)
    if (Matches(w.ports, port)) last = w;
  if (last) {
    last->ports = port;
    last->limits = true;  // only limits which values may be written
  }
  return last;
}

std::string WatchdogText(const WatchdogParameters& wanted, const WatchdogParameters& now) {
  std::vector<std::string> parts;
  const auto add = [&](bool differs, const std::string& part) {
    if (differs) parts.push_back(part);
  };
  const auto restoration = [](const WatchdogParameters& w) {
    return w.restoration ? FormatTime(*w.restoration) : "never";
  };
  add(wanted.detection != now.detection, "detection " + FormatTime(wanted.detection));
  add(wanted.restoration != now.restoration, "restoration " + restoration(wanted));
  add(wanted.poll != now.poll, "poll " + FormatTime(wanted.poll));
  add(wanted.action != now.action, "action");
  add(wanted.priorities != now.priorities,
      "priorities (in the configuration: pfcwd_sw_enable of "
      "PORT_QOS_MAP)");
  add(wanted.vendor != now.vendor, "vendor (in the configuration: the vendor of the ASIC)");
  add(wanted.big_red_switch != now.big_red_switch, "big_red_switch");
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// Combines texts that several ports share: "… at Ethernet0 and 3 more".
class ByPort {
 public:
  void Add(const std::string& what, const std::string& port) {
    const auto known = std::ranges::find(rows_, what, &Row::what);
    if (known == rows_.end()) {
      rows_.push_back({what, port, 0});
    } else {
      ++known->more;
    }
  }
  std::vector<std::string> Take() const {
    std::vector<std::string> out;
    for (const Row& row : rows_)
      out.push_back(fmt::format("{} at {}{}", row.what, row.port,
                                row.more > 0 ? fmt::format(" and {} more", row.more) : ""));
    return out;
  }

 private:
  struct Row {
    std::string what, port;
    size_t more;
  };
  std::vector<Row> rows_;
};

/// The reason why a port has no watchdog from a configuration.
const char* WhyUnwatched(const SonicConfig& config, const std::string& port) {
  if (!config.FindWatchdog(port)) return "a watchdog, where PFC_WD has none,";
  if (!config.watchdog_global.polled.value_or(true))
    return "a watchdog, where FLEX_COUNTER_TABLE|PFCWD is disable,";
  return "a watchdog, where pfcwd_sw_enable of PORT_QOS_MAP names no priority,";
}

std::vector<std::string> WatchdogDifferences(const SonicConfig& config, const PfcParameters& wanted,
                                             const std::vector<ChipPort>& ports,
                                             const SonicSwitchModel& now) {
  ByPort found;
  for (size_t i = 0; i < ports.size(); ++i) {
    const auto has = WatchdogAt(wanted.watchdogs, ports[i].name),
               gives = WatchdogAt(now.watchdogs, ports[i].name);
    if (has == gives) continue;
    found.Add(!gives ? WhyUnwatched(config, now.file_ports[i])
              : !has ? "no watchdog, where PFC_WD has one,"
                     : "PFC_WD: " + WatchdogText(*has, *gives),
              now.file_ports[i]);
  }
  return found.Take();
}

}  // namespace

std::vector<std::string> SonicDifferences(const SonicConfig& config, const Scenario& scenario, NodeId node) {
  const SwitchParameters& wanted = scenario.switches[node - scenario.topology.hosts];
  const std::vector<ChipPort> ports = PortsOf(scenario.topology, node);
  const SonicSwitchModel now =
      SonicSwitch(config, ports, scenario.classes, {wanted.sonic->asic, wanted.sonic->ports});
  const auto error = std::ranges::find(now.findings, Finding::Severity::error, &Finding::severity);
  if (error != now.findings.end()) return {error->where + ": " + error->what};
  std::vector<std::string> out = BufferDifferences(wanted.buffer, now.buffer);
  for (auto&& more :
       {MapDifferences(scenario, wanted, ports, now), WatchdogDifferences(config, wanted.pfc, ports, now)})
    out.insert(out.end(), more.begin(), more.end());
  const PfcParameters usual;
  if (!wanted.pfc.enabled)
    out.push_back(
        "pfc.enabled: false (in the configuration: pfc_enable of "
        "PORT_QOS_MAP)");
  const auto unsaid = [&out](bool differs, const char* key) {
    if (differs) out.push_back(fmt::format("{}, which a configuration does not contain", key));
  };
  unsaid(wanted.pfc.quanta != usual.quanta, "pfc.quanta");
  unsaid(wanted.pfc.refresh != usual.refresh, "pfc.refresh");
  unsaid(wanted.pfc.response != usual.response, "pfc.response");
  unsaid(wanted.latency != SwitchParameters().latency, "latency");
  return out;
}

}  // namespace headroom
