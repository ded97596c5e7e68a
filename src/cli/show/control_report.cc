#include "cli/show/control_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "report/text/text_table.h"
#include "scenario/keys/hosts/control_keys.h"
#include "scenario/senders.h"
#include "scenario/yaml/nearest.h"
#include "scenario/yaml/pattern.h"
#include "scenario/yaml/quantity.h"

namespace headroom {

namespace {

using nlohmann::ordered_json;
using ControlKind = NicParameters::CongestionControl;

/// Hosts with equal controls.
struct ControlGroup {
  const NicParameters* nic = nullptr;
  std::vector<std::string> hosts;
};

/// A need: `of` switches or NICs. `here`: the part that the scenario provides.
struct ControlNeed {
  const char* of;
  std::string what;
  std::vector<std::string> here;
};

std::string ControlName(const NicParameters& nic) {
  if (nic.HasControl()) return nic.control->name();
  return nic.congestion_control == ControlKind::none ? "none" : "dcqcn";
}

std::string ControlSettings(const NicParameters& nic) {
  if (!nic.HasControl()) return ControlName(nic);
  for (const keys::ControlType& type : keys::ControlTypes())
    if (type.keys().section().type == nic.control->name()) return type.write(*nic.control, {});
  return ControlName(nic);
}

std::vector<ControlGroup> ControlGroups(const Scenario& s, const std::optional<std::string>& pattern) {
  std::vector<ControlGroup> groups;
  std::vector<std::string> all;
  for (NodeId h = 0; h < s.topology.hosts; ++h) {
    const std::string& name = s.topology.nodes[h].name;
    all.push_back(name);
    if (pattern && !MatchesNode(*pattern, name)) continue;
    const NicParameters& nic = s.nics[h];
    const auto same = std::ranges::find_if(groups, [&](const ControlGroup& g) {
      return g.nic->congestion_control == nic.congestion_control && g.nic->control == nic.control;
    });
    if (same != groups.end()) {
      same->hosts.push_back(name);
    } else {
      groups.push_back({&nic, {name}});
    }
  }
  if (!groups.empty()) return groups;
  const std::string near = Nearest(pattern.value_or(""), all);
  throw std::invalid_argument(
      fmt::format("there is no host \"{}\"; {}", pattern.value_or(""),
                  near.empty() ? "there are: " + Shorten(Join(all), 200) : "did you mean " + near + "?"));
}

std::string MarksText(const std::optional<EcnParameters>& ecn) {
  if (!ecn) return "no marks";
  return fmt::format("kmin {}, kmax {}, pmax {:g} %{}", FormatSize(ecn->kmin), FormatSize(ecn->kmax),
                     100 * ecn->pmax, ecn->per_rate ? " at " + FormatRate(*ecn->per_rate) : "");
}

/// For each class with queue pairs and each marking curve: the number of switches with it.
std::vector<std::string> MarksHere(const Scenario& s) {
  std::vector<std::string> found;
  for (const TrafficClass& c : s.classes) {
    if (c.name.empty() || c.name == "cnp" || !HasQueuePairs(s, c.priority)) continue;
    std::vector<std::pair<std::string, std::vector<std::string>>> by_curve;
    for (size_t i = 0; i < s.switches.size(); ++i) {
      const SwitchParameters& parameters = s.switches[i];
      const bool own = !parameters.sonic || parameters.sonic->own_ecn[c.priority];
      const std::string text =
          own ? MarksText(parameters.ecn[c.priority]) : "as its configuration (table ecn)";
      auto same = std::ranges::find(by_curve, text, [](const auto& of) { return of.first; });
      if (same == by_curve.end()) same = by_curve.insert(by_curve.end(), {text, {}});
      same->second.push_back(s.topology.nodes[s.topology.hosts + i].name);
    }
    for (const auto& [text, switches] : by_curve)
      found.push_back(fmt::format("class {}: {}: {} of {} switches, as {}", c.name, text, switches.size(),
                                  s.switches.size(), switches.front()));
  }
  return found;
}

constexpr const char* kNoSetting =
    "that can be programmed with it: no setting of mlxconfig selects it, or a window";

/// Adds the needs of a control other than DCQCN.
void AddNeeds(const Scenario& s, const NicParameters& nic, std::vector<ControlNeed>& needs) {
  const ControlParameters& control = *nic.control;
  const auto wants = control.Make();
  if (control.needs_marks()) {
    const bool dctcp = control.name() == "dctcp";
    needs.push_back(
        {"switches",
         fmt::format("ECN marks{}", dctcp ? " from one threshold on: kmin = kmax, pmax 100 %" : ""),
         MarksHere(s)});
    needs.push_back({"NICs", "ACKs that echo each mark", {}});
  }
  if (const Telemetry* const telemetry = control.telemetry())
    needs.push_back({"switches",
                     telemetry->Describe(),
                     {"every switch writes it; no field of SONiC's config_db.json turns it on"}});
  if (const auto credits = control.credits())
    needs.push_back({"NICs",
                     fmt::format("receivers that send a credit for each packet, at {:g} % of their line rate",
                                 100 * credits->share),
                     {}});
  if (wants->Wants(Control::kRoundTrips))
    needs.push_back({"NICs", "timestamps of data and ACKs as they start and arrive, at both ends", {}});
  if (control.header_bytes() > 0)
    needs.push_back({"NICs", fmt::format("{} B more in data and their ACKs", control.header_bytes()), {}});
  if (!control.needs_marks()) needs.push_back({"switches", "no ECN: it ignores marks", {}});
  needs.push_back({"NICs", kNoSetting, {}});
}

std::vector<ControlNeed> ControlNeeds(const Scenario& s, const NicParameters& nic) {
  std::vector<ControlNeed> needs;
  if (nic.HasControl()) {
    AddNeeds(s, nic, needs);
  } else if (nic.congestion_control == ControlKind::none) {
    needs.push_back({"switches", "PFC, or a recovery from loss: nothing slows senders down", {}});
    needs.push_back({"NICs", "ROCE_CC_PRIO_MASK_P1=0 of mlxconfig", {}});
  } else {
    needs.push_back({"switches", "ECN marks with a probability that rises from kmin to kmax", MarksHere(s)});
    needs.push_back({"NICs", "the keys under dcqcn, by ConnectX's names in docs/models/dcqcn.md", {}});
  }
  return needs;
}

std::string ControlText(const ControlGroup& group, const Scenario& s) {
  std::string text =
      fmt::format("{} host{}, as {}: {}\n", group.hosts.size(), group.hosts.size() == 1 ? "" : "s",
                  group.hosts.front(), ControlSettings(*group.nic));
  for (const ControlNeed& need : ControlNeeds(s, *group.nic)) {
    text += fmt::format("  {:<10}{}\n", need.of, need.what);
    for (const std::string& line : need.here) text += fmt::format("  {:<12}{}\n", "", line);
  }
  return text;
}

}  // namespace

void ShowControls(const RunFiles& run, const ShowOptions& options, std::ostream& out) {
  const Scenario& s = run.scenario();
  ordered_json json = {{"table", "control"}, {"controls", ordered_json::array()}};
  std::string text;
  for (const ControlGroup& group : ControlGroups(s, options.node)) {
    ordered_json one = {{"control", ControlName(*group.nic)},
                        {"settings", ControlSettings(*group.nic)},
                        {"hosts", group.hosts.size()},
                        {"as", group.hosts.front()},
                        {"needs", ordered_json::array()}};
    for (const ControlNeed& need : ControlNeeds(s, *group.nic))
      one["needs"].push_back({{"of", need.of}, {"what", need.what}, {"here", need.here}});
    json["controls"].push_back(std::move(one));
    text += (text.empty() ? "" : "\n") + ControlText(group, s);
  }
  out << (options.json ? json.dump(2) + '\n' : text);
}

}  // namespace headroom
