#include "cli/compare/setting_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "scenario/yaml/document.h"
#include "scenario/yaml/set_path.h"

namespace headroom {

namespace {

/// The names of all items, if each has one and they differ.
std::optional<std::vector<std::string>> ItemNames(const Node& list) {
  std::vector<std::string> names;
  for (const Node& item : list.items) names.push_back(StepToItem(item));
  const std::set<std::string> distinct(names.begin(), names.end());
  if (distinct.size() != names.size() || distinct.contains("")) return std::nullopt;
  return names;
}

class Walk {
 public:
  void Compare(const Node* a, const Node* b, const std::string& path) {
    // A mapping that one side lacks is shown key by key; a list item (Named, below) that one side lacks is
    // shown as a whole.
    static const Node nothing{Node::Kind::map, {}, {}, {}, {}};
    const bool maps = (!a || a->IsMap()) && (!b || b->IsMap());
    if (maps && (HasKeys(a) || HasKeys(b))) return Maps(a ? *a : nothing, b ? *b : nothing, path);
    if (a && b && a->IsList() && b->IsList() && Lists(*a, *b, path)) return;
    const std::string in_a = a ? ToFlow(*a) : "-", in_b = b ? ToFlow(*b) : "-";
    if (in_a != in_b) changes.push_back({path, in_a, in_b});
  }

  std::vector<SettingChange> changes;

 private:
  static bool HasKeys(const Node* node) { return node && node->IsMap() && !node->entries.empty(); }

  static std::string Below(const std::string& path, const std::string& key) {
    return path.empty() ? key : path + '.' + key;
  }

  void Maps(const Node& a, const Node& b, const std::string& path) {
    for (const Entry& entry : a.entries) Key(&entry.value, b.Find(entry.key), path, entry.key);
    for (const Entry& entry : b.entries) {
      if (!a.Find(entry.key)) Key(nullptr, &entry.value, path, entry.key);
    }
  }

  void Key(const Node* a, const Node* b, const std::string& path, const std::string& key) {
    if (path.empty() && (key == "name" || key == "seed")) return;
    Compare(a, b, Below(path, StepToKey(key)));
  }

  /// Returns false if the items cannot be paired: then the lists differ as a whole.
  bool Lists(const Node& a, const Node& b, const std::string& path) {
    const auto names_a = ItemNames(a), names_b = ItemNames(b);
    if (names_a && names_b && !names_a->empty() && !names_b->empty()) {
      Named(a, *names_a, b, *names_b, path);
      return true;
    }
    if (a.items.size() != b.items.size()) return false;
    const bool scalars = std::all_of(a.items.begin(), a.items.end(), [](auto& n) { return n.IsScalar(); });
    if (scalars) return false;
    for (size_t i = 0; i < a.items.size(); ++i) {
      Compare(&a.items[i], &b.items[i], Below(path, std::to_string(i)));
    }
    return true;
  }

  void Named(const Node& a, const std::vector<std::string>& names_a, const Node& b,
             const std::vector<std::string>& names_b, const std::string& path) {
    const auto item = [](const Node& list, const std::vector<std::string>& names, const std::string& name) {
      const auto at = std::find(names.begin(), names.end(), name);
      return at == names.end() ? nullptr : &list.items[static_cast<size_t>(at - names.begin())];
    };
    for (const std::string& name : names_a) {
      if (const Node* other = item(b, names_b, name)) {
        Compare(item(a, names_a, name), other, Below(path, name));
      } else {
        changes.push_back({Below(path, name), ToFlow(*item(a, names_a, name)), "-"});
      }
    }
    for (const std::string& name : names_b) {
      if (!item(a, names_a, name))
        changes.push_back({Below(path, name), "-", ToFlow(*item(b, names_b, name))});
    }
  }
};

}  // namespace

std::vector<SettingChange> SettingChanges(const Node& a, const Node& b) {
  Walk walk;
  walk.Compare(&a, &b, "");
  return std::move(walk.changes);
}

std::optional<Node> ReadResolved(const std::filesystem::path& dir) {
  std::vector<std::filesystem::path> seeds;
  std::error_code error;
  for (std::filesystem::directory_iterator at(dir, error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename().string().starts_with("seed-")) seeds.push_back(at->path() / "resolved.yaml");
  }
  std::sort(seeds.begin(), seeds.end());
  seeds.insert(seeds.begin(), dir / "resolved.yaml");
  for (const auto& path : seeds) {
    if (!std::filesystem::is_regular_file(path, error)) continue;
    Node root = ReadDocument(path, {});
    for (const char* key : {"name", "duration", "topology", "workloads"})
      if (!root.Find(key))
        throw ScenarioError(root.where, fmt::format("there is no {}", key),
                            "every result has this file; run the scenario again");
    return root;
  }
  return std::nullopt;
}

}  // namespace headroom
