#include "cli/convert/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "congestion/parameters.h"
#include "files/whole_text.h"
#include "scenario/sonic/sonic_changes.h"
#include "scenario/sonic/sonic_difference.h"
#include "scenario/yaml/nearest.h"
#include "sonic/chip/dynamic_model.h"
#include "sonic/tables/read.h"

namespace headroom {

namespace {

/// The names, or only the first if there are very many.
std::string SomeOf(const std::vector<std::string>& names) {
  constexpr size_t kMost = 20;
  const std::vector<std::string> first(names.begin(), names.begin() + std::min(names.size(), kMost));
  return Join(first) + (names.size() > kMost ? fmt::format(", … ({})", names.size()) : "");
}

NodeId SwitchOf(const Scenario& scenario, const std::string& name) {
  std::vector<std::string> names;
  for (NodeId n = scenario.topology.hosts; n < scenario.topology.nodes.size(); ++n) {
    names.push_back(scenario.topology.nodes[n].name);
    if (names.back() == name) return n;
  }
  if (name.empty() && names.size() == 1) return scenario.topology.hosts;
  const auto has_config = [](const SwitchParameters& s) { return s.sonic.has_value(); };
  if (name.empty() && std::ranges::count_if(scenario.switches, has_config) == 1) {
    return scenario.topology.hosts + static_cast<NodeId>(std::ranges::find_if(scenario.switches, has_config) -
                                                         scenario.switches.begin());
  }
  if (name.empty())
    throw std::invalid_argument(
        fmt::format("--switch is missing, and the scenario has {} switches; give one of {}", names.size(),
                    SomeOf(names)));
  const std::string near = Nearest(name, names);
  throw std::invalid_argument(fmt::format("there is no switch \"{}\"; there are: {}{}", name, SomeOf(names),
                                          near.empty() ? "" : "; did you mean " + near + "?"));
}

/// The reason why a configuration does not apply to a switch's buffer; empty if it applies.
std::string OtherBuffer(const SonicConfig& config, const SwitchParameters& wanted) {
  if (wanted.sonic) return "";
  if (!wanted.buffer.profile.empty())
    return fmt::format("the switch has the built-in buffer {}, not the buffer of {}", wanted.buffer.profile,
                       config.file);
  const bool shares = std::ranges::any_of(
      wanted.buffer.profiles, [&](const BufferProfile& p) { return config.FindProfile(p.name) != nullptr; });
  return shares ? "" : config.file + " has none of the scenario's buffer profiles";
}

/// A configuration as a switch runs it: with the groups of a lookup, and the values that the dynamic model
/// computes.
SonicConfig WholeConfig(const std::string& text, const std::string& name, const SonicSource& source) {
  std::optional<PgProfileLookup> lookup;
  if (!source.lookup.empty())
    lookup = ReadPgProfileLookup(ReadConfiguration(source.lookup).text, source.lookup.string());
  SonicConfig config = ReadSonicConfig(text, name, lookup ? &*lookup : nullptr).config;
  if (config.device.dynamic()) ComputeDynamicModel(config);
  return config;
}

/// The name of a host control that reads data written by switches into packets; empty if there is none.
std::string ControlWithTelemetry(const Scenario& scenario) {
  const auto at = std::ranges::find_if(scenario.nics, [](const NicParameters& nic) {
    return nic.HasControl() && nic.control->telemetry() != nullptr;
  });
  return at == scenario.nics.end() ? "" : at->control->name();
}

std::string TextOf(const SonicConfig& config, const std::string& text,
                   const std::vector<SonicChange>& changes, SonicForm form) {
  switch (form) {
    case SonicForm::patch:
      return SonicPatch(changes).dump(2) + '\n';
    case SonicForm::fragment:
      return SonicFragment(NestedSonicTables(config.json), changes).dump(4) + '\n';
    case SonicForm::commands: {
      std::string lines;
      for (const std::string& line : SonicCommands(changes)) lines += line + '\n';
      return lines;
    }
    case SonicForm::config:
      return SonicText(text, changes);
  }
  return {};
}

}  // namespace

SonicConfigFile ReadConfiguration(const std::filesystem::path& path) {
  if (const std::string why = WhyNotRead(path); !why.empty())
    throw std::invalid_argument(path.string() + ": " + why);
  if (auto text = WholeText(path)) return {path.string(), std::move(*text)};
  throw std::invalid_argument(path.string() + ": cannot be read");
}

SonicConfigFile ConfigurationOf(const Scenario& scenario, const std::string& node) {
  const NodeId at = SwitchOf(scenario, node);
  const SwitchParameters& wanted = scenario.switches[at - scenario.topology.hosts];
  if (!wanted.sonic) {
    std::vector<std::string> others;
    for (size_t i = 0; i < scenario.switches.size(); ++i)
      if (scenario.switches[i].sonic)
        others.push_back(scenario.topology.nodes[scenario.topology.hosts + i].name);
    throw std::invalid_argument(
        fmt::format("--config is missing: switch {} has no configuration for its buffer; {}",
                    scenario.topology.nodes[at].name,
                    others.empty() ? "nor has another" : "those of " + SomeOf(others) + " are"));
  }
  return ReadConfiguration(wanted.sonic->config);
}

Conversion ConvertToSonic(const Scenario& scenario, const std::string& node, const SonicConfigFile& file,
                          SonicForm form) {
  const NodeId at = SwitchOf(scenario, node);
  const SwitchParameters& wanted = scenario.switches[at - scenario.topology.hosts];
  const SonicConfig config = ReadSonicConfig(file.text, file.name).config;
  const std::string other_buffer = OtherBuffer(config, wanted);
  std::string own;
  if (wanted.sonic) own = ReadConfiguration(wanted.sonic->config).text;
  const auto changes_to = [&](const SonicConfig& from) {
    std::vector<SonicChange> changes = EcnChanges(from, scenario, at), tables;
    if (wanted.sonic) {
      tables = TableChanges(from, own, wanted.sonic->tables);
      const std::vector<SonicChange> watchdogs = WatchdogChanges(from, scenario, at);
      tables.insert(tables.end(), watchdogs.begin(), watchdogs.end());
    } else if (other_buffer.empty()) {
      tables = BufferChanges(from, wanted.buffer);
    }
    for (SonicChange& c : tables) {
      const bool known = std::ranges::any_of(changes, [&](const SonicChange& o) {
        return o.table == c.table && o.key == c.key && o.field == c.field;
      });
      if (!known) changes.push_back(std::move(c));
    }
    return changes;
  };
  Conversion out;
  const std::vector<SonicChange> changes = changes_to(config);
  CheckSonicChanges(NestedSonicTables(config.json), changes);
  out.changes = changes.size();
  if (!other_buffer.empty()) out.notes.push_back(other_buffer + ": only ECN thresholds are converted");
  if (const std::string control = ControlWithTelemetry(scenario); !control.empty())
    out.notes.push_back(fmt::format(
        "not converted: telemetry for congestion_control: {}, because no field of SONiC's tables turns it on",
        control));
  const std::string changed = SonicText(file.text, changes);
  if (!changes_to(ReadSonicConfig(changed, file.name).config).empty())
    throw std::logic_error("the changed configuration does not reproduce the scenario's switch");
  if (wanted.sonic) {
    for (const std::string& difference :
         SonicDifferences(WholeConfig(changed, file.name, *wanted.sonic), scenario, at))
      out.notes.push_back("not converted: " + difference);
  } else if (!wanted.pfc.watchdogs.empty()) {
    out.notes.push_back(
        "not converted: the watchdog, because the switch has no configuration for its "
        "buffer");
  }
  out.text = TextOf(config, file.text, changes, form);
  return out;
}

}  // namespace headroom
