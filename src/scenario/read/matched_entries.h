// Lists of entries with `match:`, such as `switches:` and `nics:`. For each name the matching entries are
// applied in order, so that for each key the last match wins.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scenario/yaml/reader.h"

namespace headroom {

/// The keys of `switches:` that are replaced as a unit; all keys of NICs and hosts merge.
inline const std::vector<std::string> kWholeOfSwitches{"buffer", "ecn.*", "routing"};

/// The entries' values for one group of names: all names that the same entries match.
struct MatchedGroup {
  std::vector<size_t> members;  ///< indices into the names
  std::vector<size_t> entries;  ///< indices into the list, ascending; empty if no entry matches
  Node merged;                  ///< a mapping without `match`
};

/// Whether an entry on top of `base` has the same effect alone, because it has all keys of `base`.
bool Covers(const Node& entry, const Node& base, const std::vector<std::string>& whole);

/// Every name belongs to one group; groups are in the order of their first member. `whole`: paths of keys
/// that are replaced as a unit, as for Merge. An entry that matches no name is an error.
std::vector<MatchedGroup> MatchEntries(const Node& list, const std::vector<std::string>& names,
                                       const std::vector<std::string>& whole, Errors& errors);

}  // namespace headroom
