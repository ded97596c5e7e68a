#include "report/result_scenario.h"

#include <fmt/format.h>

#include <algorithm>

#include "files/staged_directory.h"
#include "scenario/read/load.h"
#include "scenario/read/matched_entries.h"
#include "scenario/yaml/document.h"
#include "scenario/yaml/pattern.h"

namespace headroom {

namespace {

/// A switch with a SONiC configuration and several entries whose last entry lacks values of an earlier one;
/// empty if there is none. In written results, each entry has all values.
std::string SwitchOfSeveralEntries(const Node& switches, const Scenario& s) {
  for (size_t n = 0; n < s.switches.size(); ++n) {
    const std::string& name = s.topology.nodes[s.topology.hosts + n].name;
    if (!s.switches[n].sonic) continue;
    std::vector<const Node*> entries;
    for (const Node& entry : switches.items) {
      const std::vector<std::string> patterns = ParseTexts(*entry.Find("match"));
      if (std::ranges::any_of(patterns, [&](const std::string& p) { return MatchesNode(p, name); }))
        entries.push_back(&entry);
    }
    for (const Node* entry : entries)
      if (!Covers(*entries.back(), *entry, kWholeOfSwitches)) return name;
  }
  return {};
}

}  // namespace

Scenario ReadScenarioOfResult(const std::filesystem::path& dir, const std::vector<std::string>& sets) {
  const std::filesystem::path path = dir / "resolved.yaml";
  Scenario scenario = LoadScenario(path);
  if (std::ranges::any_of(scenario.switches, [](const SwitchParameters& s) { return s.sonic.has_value(); })) {
    const std::string name = SwitchOfSeveralEntries(*ReadDocument(path, {}).Find("switches"), scenario);
    if (!name.empty())
      throw ResultError(
          fmt::format("{}: was written by an earlier version, which did not keep the values of switch {} "
                      "from its SONiC configuration; run the scenario again",
                      path.string(), name));
  }
  return sets.empty() ? scenario : LoadScenario(path, sets);
}

}  // namespace headroom
