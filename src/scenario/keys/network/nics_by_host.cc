// Part of topology_keys.h: numbers of NICs in the section `hosts`, which the topology needs before that
// section is read.
#include <fmt/format.h>

#include "scenario/keys/network/topology_keys.h"
#include "scenario/yaml/pattern.h"

namespace headroom::keys {

namespace {

/// The entries of `hosts` with a number of NICs.
std::vector<const Node*> EntriesWithNics(const Reading& reading) {
  std::vector<const Node*> found;
  const Node* const list = reading.document == nullptr ? nullptr : reading.document->Find("hosts");
  if (list == nullptr || !list->IsList()) return found;
  for (const Node& entry : list->items)
    if (entry.IsMap() && entry.Find("match") && entry.Find("nics")) found.push_back(&entry);
  return found;
}

}  // namespace

std::vector<int> NicsByHost(const std::function<std::vector<std::string>()>& hosts, int64_t nics,
                            const Reading& reading) {
  const std::vector<const Node*> entries = EntriesWithNics(reading);
  if (entries.empty()) return {};
  const std::vector<std::string> names = hosts();
  const MatchingNames known(names);
  std::vector<int> of(names.size(), static_cast<int>(nics));
  for (const Node* const entry : entries) {
    reading.errors.Guard([&] {
      const auto given = static_cast<int>(ParseInteger(*entry->Find("nics"), 1, kMostNics));
      for (const std::string& pattern : ParseTexts(*entry->Find("match"))) {
        if (pattern.find('/') != std::string::npos)
          throw ScenarioError(entry->Find("match")->where,
                              fmt::format("{} names NICs, but nics is a number of a host", Quote(pattern)),
                              "give a pattern over hosts");
        for (const size_t host : known.Of(pattern)) of[host] = given;
      }
    });
  }
  return of;
}

void RefuseNicsByHost(const Reading& reading) {
  for (const Node* const entry : EntriesWithNics(reading))
    reading.errors.Add(NotSupportedYet(entry->Find("nics")->where,
                                       "a number of NICs for some hosts where hosts fill leaves",
                                       "give topology: {nics: …} for all hosts, or type star or custom"));
}

}  // namespace headroom::keys
