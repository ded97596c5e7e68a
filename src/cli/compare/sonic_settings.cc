#include "cli/compare/sonic_settings.h"

#include <algorithm>
#include <array>
#include <optional>

#include "files/whole_text.h"
#include "scenario/keys/switches/switch_keys.h"
#include "scenario/names.h"
#include "scenario/read/load.h"
#include "scenario/referenced_files.h"
#include "scenario/sonic/sonic_fields.h"
#include "scenario/yaml/parse_yaml.h"
#include "scenario/yaml/pattern.h"
#include "scenario/yaml/reader.h"
#include "scenario/yaml/set_path.h"
#include "sonic/edit/changes.h"
#include "switch/buffer/queues_of_class.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

Node Scalar(const std::string& text) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = text;
  return node;
}

/// The value of a key; the key is added if it is missing.
Node& At(Node& map, const std::string& key) {
  map.kind = Node::Kind::map;
  if (!map.Find(key)) map.entries.push_back({key, {}, {}});
  return *map.Find(key);
}

const Node* Find(const Node& node, const char* first, const char* second) {
  const Node* found = node.Find(first);
  return found ? found->Find(second) : nullptr;
}

/// The switch's entire configuration as {TABLE: {key: {field: value}}}.
Node TablesOf(const Node& entry) {
  const Node& sonic = *Find(entry, "buffer", "sonic");
  const Node* own = Find(entry, "buffer", "tables");
  const std::filesystem::path file = ParsePath(sonic);
  const std::string text =
      WithSonicFields(WholeText(file).value_or(""), file.filename().string(),
                      own ? ReadSonicFields(*own) : std::vector<SonicField>(), sonic.where);
  if (!ordered_json::accept(text)) throw ScenarioError(sonic.where, "no JSON");
  const ordered_json config = NestedSonicTables(ordered_json::parse(text));
  Node tables;
  for (const auto& [table, rows] : config.items()) {
    if (!rows.is_object()) continue;
    for (const auto& [key, row] : rows.items()) {
      if (!row.is_object()) continue;
      for (const auto& [field, value] : row.items())
        At(At(At(tables, table), key), field) = Scalar(SonicFieldText(value));
    }
  }
  return tables;
}

/// A switch's settings from its configuration, as keys of its entry.
Node EntryOf(const Scenario& scenario, size_t at) {
  SwitchParameters parameters = scenario.switches[at];
  parameters.sonic->own_ecn.fill(true);
  parameters.sonic->own_watchdogs = true;
  ReferencedFiles files;
  Node entry = ParseYaml(
      keys::SwitchKeys().WriteLines(&parameters, {.classes = &scenario.classes, .files = &files}), {});
  for (const TrafficClass& c : scenario.classes) {
    if (c.name.empty() || parameters.ecn[c.priority]) continue;
    const auto marks = [&](const PortQos& out) {
      return std::ranges::any_of(QueuesOf(c, parameters.qos, out),
                                 [&](uint8_t queue) { return out.ecn[queue].has_value(); });
    };
    if (std::ranges::any_of(parameters.qos, marks)) At(At(entry, "ecn"), c.name) = Scalar("differs by port");
  }
  return entry;
}

class Side {
 public:
  explicit Side(Node& root) : root_(root), switches_(root.Find("switches")) {}

  std::vector<Node>& entries() { return switches_ ? switches_->items : none_; }

  /// Copies the keys that only `other` has into `entry`.
  void Fill(Node& entry, const Node& other) {
    if (!Find(entry, "buffer", "sonic")) return;
    const Node* ecn = other.Find("ecn");
    std::vector<std::array<std::string, 2>> missing;
    if (ecn) {
      for (const Entry& c : ecn->entries)
        if (!Find(entry, "ecn", c.key.c_str())) missing.push_back({"ecn", c.key});
    }
    if (Find(other, "pfc", "watchdog") && !Find(entry, "pfc", "watchdog"))
      missing.push_back({"pfc", "watchdog"});
    if (missing.empty()) return;
    const std::optional<Node> whole = Whole(entry);
    if (!whole) return;
    for (const auto& [first, second] : missing) {
      if (const Node* value = Find(*whole, first.c_str(), second.c_str()))
        At(At(entry, first), second) = *value;
    }
  }

 private:
  /// The configuration of the first switch for which this is the last matching entry.
  std::optional<Node> Whole(const Node& entry) {
    if (!scenario_) scenario_ = LoadScenario(root_.where.file->name);
    const Topology& t = scenario_->topology;
    const auto matches = [](const Node& e, const std::string& name) {
      const auto patterns = ParseTexts(*e.Find("match"));
      return std::ranges::any_of(patterns, [&](const std::string& p) { return MatchesNode(p, name); });
    };
    for (size_t i = 0; i < scenario_->switches.size(); ++i) {
      const std::string& name = t.nodes[t.hosts + i].name;
      const auto last =
          std::find_if(entries().rbegin(), entries().rend(), [&](const Node& e) { return matches(e, name); });
      if (last != entries().rend() && &*last == &entry && scenario_->switches[i].sonic)
        return EntryOf(*scenario_, i);
    }
    return std::nullopt;
  }

  Node& root_;
  Node* switches_;  ///< nullptr if there are no entries
  std::vector<Node> none_;
  std::optional<Scenario> scenario_;
};

void SpellOut(Side& side_a, Node& a, Side& side_b, Node& b) {
  side_a.Fill(a, b);
  side_b.Fill(b, a);
  if (!Find(a, "buffer", "sonic") || !Find(b, "buffer", "sonic")) return;
  Node in_a = TablesOf(a), in_b = TablesOf(b);
  At(At(a, "buffer"), "tables") = std::move(in_a);
  At(At(b, "buffer"), "tables") = std::move(in_b);
}

}  // namespace

void SpellOutSonic(Node& a, Node& b) {
  Side side_a(a), side_b(b);
  for (Node& in_a : side_a.entries()) {
    const auto in_b = std::ranges::find_if(
        side_b.entries(), [&](const Node& item) { return StepToItem(item) == StepToItem(in_a); });
    if (in_b == side_b.entries().end()) continue;
    try {
      SpellOut(side_a, in_a, side_b, *in_b);
    } catch (const ScenarioError&) {
      // An old result, or one without its files: its own keys are compared.
    }
  }
}

}  // namespace headroom
