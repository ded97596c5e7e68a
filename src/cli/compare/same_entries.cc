#include "cli/compare/same_entries.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "scenario/read/load.h"
#include "scenario/yaml/pattern.h"
#include "scenario/yaml/reader.h"
#include "scenario/yaml/set_path.h"

namespace headroom {

namespace {

std::vector<std::string> MatchesOf(const Node& entry) {
  const Node* match = entry.Find("match");
  return match ? ParseTexts(*match) : std::vector<std::string>();
}

/// The last entry that matches each node; none if some node has no entry.
std::optional<std::vector<size_t>> LastEntries(const Node& list, const std::vector<std::string>& nodes) {
  std::vector<size_t> last(nodes.size(), list.items.size());
  for (size_t i = 0; i < list.items.size(); ++i) {
    const std::vector<std::string> patterns = MatchesOf(list.items[i]);
    for (size_t n = 0; n < nodes.size(); ++n)
      if (std::ranges::any_of(patterns, [&](const std::string& p) { return MatchesNode(p, nodes[n]); }))
        last[n] = i;
  }
  if (std::ranges::count(last, list.items.size()) > 0) return std::nullopt;
  return last;
}

std::vector<std::string> NamesOf(const Node& list) {
  std::vector<std::string> names;
  for (const Node& item : list.items) names.push_back(StepToItem(item));
  return names;
}

std::vector<std::string> NodesOf(const Node& root, bool hosts) {
  const Topology topology = LoadScenario(root.where.file->name).topology;
  std::vector<std::string> names;
  for (size_t n = hosts ? 0 : topology.hosts; n < (hosts ? topology.hosts : topology.nodes.size()); ++n)
    names.push_back(topology.nodes[n].name);
  return names;
}

/// A copy of the entry that matches only some nodes.
Node EntryFor(Node entry, const Node& match) {
  *entry.Find("match") = match;
  return entry;
}

/// Whether the patterns match all these nodes, and no node that an earlier entry matches.
bool Fits(const Node& match, const std::vector<std::string>& nodes, const std::vector<size_t>& entry_of,
          size_t entry) {
  const MatchingNames known(nodes);
  size_t members = 0;
  std::set<size_t> matched;
  for (const std::string& pattern : ParseTexts(match))
    for (const size_t n : known.Of(pattern)) matched.insert(n);
  for (const size_t n : matched) {
    if (entry_of[n] < entry) return false;
    members += entry_of[n] == entry;
  }
  return members == static_cast<size_t>(std::ranges::count(entry_of, entry));
}

void Divide(Node& a, Node& b, const std::vector<std::string>& nodes) {
  const auto in_a = LastEntries(a, nodes), in_b = LastEntries(b, nodes);
  if (!in_a || !in_b) return;
  std::map<std::pair<size_t, size_t>, std::vector<std::string>> groups;  // keys are in the order of entries
  for (size_t n = 0; n < nodes.size(); ++n) groups[{(*in_a)[n], (*in_b)[n]}].push_back(nodes[n]);
  std::vector<size_t> entry_of(nodes.size());
  for (size_t n = 0; n < nodes.size(); ++n)
    entry_of[n] =
        static_cast<size_t>(std::distance(groups.begin(), groups.find(std::pair((*in_a)[n], (*in_b)[n]))));
  Node divided_a = a, divided_b = b;
  divided_a.items.clear();
  divided_b.items.clear();
  for (const auto& [at, members] : groups) {
    // An entry that is not divided keeps its name.
    const Node &of_a = *a.items[at.first].Find("match"), &of_b = *b.items[at.second].Find("match");
    const size_t entry = divided_a.items.size();
    const Node match = Fits(of_a, nodes, entry_of, entry)   ? of_a
                       : Fits(of_b, nodes, entry_of, entry) ? of_b
                                                            : NodeOfTexts(members);
    divided_a.items.push_back(EntryFor(a.items[at.first], match));
    divided_b.items.push_back(EntryFor(b.items[at.second], match));
  }
  a = std::move(divided_a);
  b = std::move(divided_b);
}

}  // namespace

void GiveSameEntries(Node& a, Node& b) {
  for (const char* key : {"switches", "nics", "hosts"}) {
    Node *in_a = a.Find(key), *in_b = b.Find(key);
    if (!in_a || !in_b || NamesOf(*in_a) == NamesOf(*in_b)) continue;
    try {
      const bool hosts = std::string(key) != "switches";
      const std::vector<std::string> nodes = NodesOf(a, hosts);
      if (nodes == NodesOf(b, hosts)) Divide(*in_a, *in_b, nodes);
    } catch (const ScenarioError&) {
      // An old result, or one without its files: its entries are compared as written.
    }
  }
}

}  // namespace headroom
