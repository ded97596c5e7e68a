#include "cli/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "scenario/nearest.h"
#include "scenario/sonic_changes.h"
#include "switch/sonic/read.h"

namespace headroom {

namespace {

NodeId SwitchOf(const Scenario& scenario, const std::string& name) {
  std::vector<std::string> names;
  for (NodeId n = scenario.topology.hosts; n < scenario.topology.nodes.size(); ++n) {
    names.push_back(scenario.topology.nodes[n].name);
    if (names.back() == name) return n;
  }
  if (name.empty() && names.size() == 1) return scenario.topology.hosts;
  if (name.empty())
    throw std::invalid_argument(
        fmt::format("--switch is missing: the scenario has {} switches", names.size()));
  const std::string near = Nearest(name, names);
  throw std::invalid_argument(
      fmt::format("there is no switch \"{}\"{}", name, near.empty() ? "" : "; did you mean " + near + "?"));
}

/// Why the buffer of a switch has nothing to do with a configuration's; empty where it has.
std::string OtherBuffer(const SonicConfig& config, const BufferParameters& buffer) {
  if (!buffer.profile.empty())
    return fmt::format("the buffer is the built-in {}, not that of {}", buffer.profile, config.file);
  const bool shares =
      std::any_of(buffer.profiles.begin(), buffer.profiles.end(),
                  [&](const BufferProfile& p) { return config.FindProfile(p.name) != nullptr; });
  return shares ? "" : config.file + " has none of the scenario's buffer profiles";
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

Conversion ConvertToSonic(const Scenario& scenario, const std::string& node, const std::string& text,
                          const std::string& file, SonicForm form) {
  const NodeId at = SwitchOf(scenario, node);
  const BufferParameters& buffer = scenario.switches[at - scenario.topology.hosts].buffer;
  const SonicConfig config = ReadSonicConfig(text, file).config;
  const std::string other_buffer = OtherBuffer(config, buffer);
  const auto changes_to = [&](const SonicConfig& from) {
    std::vector<SonicChange> changes = EcnChanges(from, scenario, at);
    if (!other_buffer.empty()) return changes;
    for (SonicChange& change : BufferChanges(from, buffer)) changes.push_back(std::move(change));
    return changes;
  };
  Conversion out;
  const std::vector<SonicChange> changes = changes_to(config);
  out.changes = changes.size();
  if (!other_buffer.empty()) out.notes.push_back(other_buffer + ": only ECN is converted");
  if (!changes_to(ReadSonicConfig(SonicText(text, changes), file).config).empty())
    throw std::logic_error("the changed configuration does not read as the scenario");
  out.text = TextOf(config, text, changes, form);
  return out;
}

}  // namespace headroom
