#include "scenario/read/matched_entries.h"

#include <algorithm>
#include <map>

#include "scenario/yaml/nearest.h"
#include "scenario/yaml/pattern.h"

namespace headroom {

namespace {

Node WithoutMatch(const Node& entry) {
  Node keys = entry;
  std::erase_if(keys.entries, [](const Entry& e) { return e.key == "match"; });
  return keys;
}

/// The entries that match each name.
std::vector<std::vector<size_t>> Matching(const Node& list, const std::vector<std::string>& names,
                                          Errors& errors) {
  std::vector<std::vector<size_t>> matching(names.size());
  const MatchingNames known(names);
  for (size_t i = 0; i < list.items.size(); ++i) {
    errors.Guard([&] {
      const Node& entry = list.items[i];
      MapReader map(entry, errors);
      map.Need({"match"});
      const Node* match = entry.Find("match");
      map.FinishMissing();
      if (!match) return;
      for (const std::string& pattern : ParseTexts(*match)) {
        const std::vector<size_t> found = known.Of(pattern);
        for (const size_t n : found)
          if (matching[n].empty() || matching[n].back() != i) matching[n].push_back(i);
        if (found.empty())
          throw ScenarioError(match->where, Quote(pattern) + " matches nothing here", {},
                              Nearest(pattern, names));
      }
    });
  }
  return matching;
}

size_t KeysIn(const Node& node) {
  size_t count = node.entries.size();
  for (const Entry& entry : node.entries) count += KeysIn(entry.value);
  return count;
}

}  // namespace

bool Covers(const Node& entry, const Node& base, const std::vector<std::string>& whole) {
  return KeysIn(Merge(base, entry, whole)) == KeysIn(entry);
}

std::vector<MatchedGroup> MatchEntries(const Node& list, const std::vector<std::string>& names,
                                       const std::vector<std::string>& whole, Errors& errors) {
  ParseList(list);
  const auto matching = Matching(list, names, errors);
  std::vector<MatchedGroup> groups;
  std::map<std::vector<size_t>, size_t> group_of;
  for (size_t n = 0; n < names.size(); ++n) {
    const auto [found, is_new] = group_of.emplace(matching[n], groups.size());
    if (is_new) {
      MatchedGroup group;
      group.entries = matching[n];
      group.merged.kind = Node::Kind::map;
      group.merged.where = list.where;
      for (const size_t entry : matching[n])
        group.merged = Merge(group.merged, WithoutMatch(list.items[entry]), whole);
      groups.push_back(std::move(group));
    }
    groups[found->second].members.push_back(n);
  }
  return groups;
}

}  // namespace headroom
