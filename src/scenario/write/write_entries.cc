// Writes entries with `match:` for switches, NICs and hosts.
#include <fmt/format.h>

#include <map>
#include <set>

#include "scenario/read/matched_entries.h"
#include "scenario/write/write.h"
#include "scenario/yaml/parse_yaml.h"
#include "scenario/yaml/pattern.h"

namespace headroom {

namespace {

/// Names that have the same text and the same last entry as read.
struct Group {
  size_t last = 0;  ///< one past the index of that entry; 0: no entry matches them
  std::string text;
  std::vector<size_t> members;
  bool listed = false;  ///< the names are written; otherwise the patterns of the entry, or "*"
};

/// Groups by last entry, then by text. Names often share a value, and its text is made once.
std::vector<Group> GroupsOf(const std::vector<size_t>& last, const std::vector<const void*>& values,
                            const std::function<std::string(const void*)>& text_of) {
  std::map<const void*, std::string> known;
  std::map<size_t, std::map<std::string, std::vector<size_t>>> names;
  for (size_t n = 0; n < last.size(); ++n) {
    const auto [text, added] = known.try_emplace(values[n]);
    if (added) text->second = text_of(values[n]);
    names[last[n]][text->second].push_back(n);
  }
  std::vector<Group> groups;
  for (const auto& [entry, texts] : names)
    for (const auto& [text, members] : texts) groups.push_back({entry, text, members, texts.size() > 1});
  return groups;
}

Node EntryOf(const Group& group) { return ParseYaml("  - match: a\n" + group.text, {}).items.front(); }

}  // namespace

std::string WriteEntries(const std::vector<std::string>& names,
                         const std::vector<std::vector<std::string>>& matches,
                         const std::vector<std::string>& whole, const std::vector<const void*>& values,
                         const std::function<std::string(const void*)>& text_of) {
  const MatchingNames known(names);
  std::vector<size_t> last(names.size());
  std::vector<std::vector<size_t>> matched(matches.size() + 1);
  for (size_t n = 0; n < names.size(); ++n) matched[0].push_back(n);
  for (size_t entry = 1; entry <= matches.size(); ++entry) {
    for (const std::string& pattern : matches[entry - 1]) {
      for (const size_t n : known.Of(pattern)) {
        last[n] = entry;
        matched[entry].push_back(n);
      }
    }
  }
  std::vector<Group> groups = GroupsOf(last, values, text_of);
  std::vector<size_t> group_of(names.size());
  for (size_t g = 0; g < groups.size(); ++g)
    for (const size_t n : groups[g].members) group_of[n] = g;
  std::string out;
  for (size_t g = 0; g < groups.size(); ++g) {
    Group& group = groups[g];
    std::set<size_t> others;
    for (const size_t n : matched[group.last])
      if (group_of[n] != g) others.insert(group_of[n]);
    const Node entry = others.empty() ? Node() : EntryOf(group);
    for (const size_t other : others)
      if (!group.listed) group.listed = !Covers(EntryOf(groups[other]), entry, whole);
    std::vector<std::string> match{"*"};
    if (group.last > 0) match = matches[group.last - 1];
    if (group.listed) match.clear();
    for (size_t i = 0; group.listed && i < group.members.size(); ++i)
      match.push_back(names[group.members[i]]);
    out += fmt::format("  - match: {}\n{}", WriteTexts(match), group.text);
  }
  return out;
}

}  // namespace headroom
