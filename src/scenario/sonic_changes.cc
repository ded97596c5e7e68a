#include "scenario/sonic_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "dcqcn/red_marker.h"
#include "scenario/quantity.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

/// Collects fields that differ from what the file has.
class Changes {
 public:
  explicit Changes(const SonicConfig& config) : tables_(NestedSonicTables(config.json)) {}

  void Want(const std::string& table, const std::string& key, const std::string& field,
            const std::string& value, bool differs) {
    if (!differs) return;
    const ordered_json& row = tables_.at(table).at(key);
    std::optional<std::string> before;
    if (const auto old = row.find(field); old != row.end()) before = old->get<std::string>();
    changes_.push_back({table, key, field, before, value});
  }
  std::vector<SonicChange> Checked() && {
    CheckSonicChanges(tables_, changes_);
    return std::move(changes_);
  }

 private:
  ordered_json tables_;
  std::vector<SonicChange> changes_;
};

/// What one WRED profile has to say, and for whom.
struct Marking {
  EcnParameters ecn;
  std::string who;
};

std::string Describe(const EcnParameters& ecn) {
  return fmt::format("{} to {} and {} %", FormatSize(ecn.kmin), FormatSize(ecn.kmax),
                     FormatNumber(ecn.pmax * 100));
}

/// The profiles that own rows bind to a queue, with the ports.
std::map<std::string, std::set<std::string>> ProfilesOf(const SonicConfig& config, int queue) {
  std::map<std::string, std::set<std::string>> ports;
  for (const SonicQueueRow& row : config.queues) {
    if (!config.Own(row) || queue < row.first || queue > row.last || !row.wred_profile) continue;
    ports[*row.wred_profile].insert(row.ports.begin(), row.ports.end());
  }
  return ports;
}

void AddMarking(std::map<std::string, Marking>& wanted, const std::string& profile, const Marking& marking) {
  const auto [at, is_new] = wanted.try_emplace(profile, marking);
  if (is_new || at->second.ecn == marking.ecn) return;
  throw std::invalid_argument(fmt::format(
      "WRED_PROFILE|{} serves {} and {}, which want {} and {}; give each a profile of its own, or the "
      "same thresholds",
      profile, at->second.who, marking.who, Describe(at->second.ecn), Describe(marking.ecn)));
}

/// The value of `ecn` that marks green too.
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

}  // namespace

std::vector<SonicChange> EcnChanges(const SonicConfig& config, const Scenario& scenario, NodeId node) {
  const TrafficClasses& classes = scenario.classes;
  const SwitchParameters& wanted = scenario.switches[node - scenario.topology.hosts];
  std::map<std::string, Marking> markings;
  for (int queue = 0; queue < kPriorities; ++queue) {
    if (classes[queue].name.empty()) continue;
    const auto& ecn = wanted.ecn[queue];
    const auto profiles = ProfilesOf(config, queue);
    if (ecn && profiles.empty()) {
      throw std::invalid_argument(fmt::format(
          "{}: no row of QUEUE binds a wred_profile to queue {}, which the scenario marks; bind one first "
          "(ecnconfig -q {} on binds AZURE_LOSSLESS)",
          config.file, queue, queue));
    }
    for (const auto& [name, ports] : profiles) {
      const auto profile = config.wred.find(name);
      if (profile == config.wred.end()) {
        throw std::invalid_argument(fmt::format("{}: queue {} has the WRED profile {}, which is not there",
                                                config.file, queue, name));
      }
      const bool carries_data = std::ranges::find(scenario.workloads, queue, &WorkloadParameters::priority) !=
                                scenario.workloads.end();
      if (!ecn && carries_data && profile->second.MarksGreen()) {
        throw std::invalid_argument(
            fmt::format("{}: WRED_PROFILE|{} marks queue {}, the scenario does not mark class {}; give the "
                        "class an ecn, or "
                        "take the profile off the queue first (ecnconfig -q {} off)",
                        config.file, name, queue, classes[queue].name, queue));
      }
      if (!ecn) continue;
      for (const std::string& port_name : ports) {
        const SonicPort* port = config.FindPort(port_name);
        if (!port || !port->speed) continue;
        AddMarking(markings, name,
                   {AtRate(*ecn, *port->speed),
                    fmt::format("class {} at {}", classes[queue].name, FormatRate(*port->speed))});
      }
    }
  }
  Changes changes(config);
  for (const auto& [name, marking] : markings) WantProfile(changes, config.wred.at(name), marking.ecn);
  return std::move(changes).Checked();
}

std::vector<SonicChange> BufferChanges(const SonicConfig& config, const BufferParameters& wanted) {
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
  return std::move(changes).Checked();
}

}  // namespace headroom
