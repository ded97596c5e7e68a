// The table that comes from resolved.yaml: `ecnconfig -l`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/show/operator_tables.h"
#include "files/whole_text.h"
#include "report/result.h"
#include "scenario/sonic/sonic_changes.h"
#include "scenario/sonic/sonic_fields.h"
#include "scenario/yaml/quantity.h"
#include "sonic/tables/read.h"

namespace headroom {

namespace {

/// A class with thresholds from the scenario: its profile has no name.
OperatorTable OfClass(const TrafficClass& c, const EcnParameters& ecn, const std::string& instead_of) {
  OperatorTable table{fmt::format("Class: {}, queue {} (thresholds of the scenario{})", c.name, c.priority,
                                  instead_of.empty() ? "" : ", in place of " + instead_of),
                      {"field", "value"},
                      {{"ecn", "ecn_green"},
                       {"green_min_threshold", ecn.kmin.v},
                       {"green_max_threshold", ecn.kmax.v},
                       {"green_drop_probability", FormatNumber(ecn.pmax * 100)}}};
  if (ecn.per_rate) table.rows.push_back({"thresholds are for", FormatRate(*ecn.per_rate)});
  return table;
}

/// A profile as in the configuration.
OperatorTable OfProfile(const SonicWred& profile, const TrafficClass& c, const std::set<uint8_t>& queues) {
  OperatorTable table{
      fmt::format("Profile: {}, class {}, queue {}", profile.name, c.name, fmt::join(queues, ", ")),
      {"field", "value"},
      {{"ecn", profile.ecn.value_or("ecn_none")}}};
  const SonicWredColour& green = profile.green;
  if (green.min_threshold) table.rows.push_back({"green_min_threshold", green.min_threshold->v});
  if (green.max_threshold) table.rows.push_back({"green_max_threshold", green.max_threshold->v});
  table.rows.push_back({"green_drop_probability", std::to_string(green.drop_probability.value_or(100))});
  return table;
}

SonicConfig ConfigurationOf(const SonicSource& source) {
  const std::string name = source.config.filename().string();
  const auto text = WholeText(source.config);
  if (!text) throw ResultError(source.config.string() + ": this file can no longer be read");
  return ReadSonicConfig(WithSonicFields(*text, name, source.tables, {}), name).config;
}

}  // namespace

std::vector<OperatorTable> EcnProfiles(const RunFiles& run, const std::string& node) {
  const Scenario& scenario = run.scenario();
  const auto& nodes = scenario.topology.nodes;
  const auto at = std::find_if(nodes.begin(), nodes.end(), [&](const auto& n) { return n.name == node; });
  const auto id = static_cast<NodeId>(at - nodes.begin());
  const SwitchParameters& parameters = scenario.switches[id - scenario.topology.hosts];
  std::optional<SonicConfig> config;
  if (parameters.sonic) config = ConfigurationOf(*parameters.sonic);
  std::vector<OperatorTable> tables;
  for (const TrafficClass& c : scenario.classes) {
    if (c.name.empty()) continue;
    const auto& ecn = parameters.ecn[c.priority];
    std::map<std::string, std::set<uint8_t>> profiles;
    if (config) profiles = WredProfilesInUse(*config, scenario, id, c);
    if (!config || parameters.sonic->own_ecn[c.priority]) {
      if (ecn) tables.push_back(OfClass(c, *ecn, profiles.empty() ? "" : profiles.begin()->first));
      continue;
    }
    for (const auto& [name, queues] : profiles) {
      if (const auto profile = config->wred.find(name); profile != config->wred.end())
        tables.push_back(OfProfile(profile->second, c, queues));
    }
  }
  return tables;
}

}  // namespace headroom
