// Lists of entries with `match:`, as `switches:` and `nics:` are: for each name the entries that match it,
// laid one on the other in their order, so that key by key the last match wins.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scenario/yaml/reader.h"

namespace headroom {

/// The keys of `switches:` that are replaced as one thing; those of NICs and hosts all merge.
inline const std::vector<std::string> kWholeOfSwitches{"buffer", "ecn.*", "routing"};

/// The entries' values for one group of names: all those that the same entries match.
struct MatchedGroup {
  std::vector<size_t> members;  ///< indices into the names
  std::vector<size_t> entries;  ///< indices into the list, ascending; empty: no entry matches
  Node merged;                  ///< a mapping without `match`
};

/// Whether an entry on top of `base` has the same effect alone: it has all the keys of the other.
bool Covers(const Node& entry, const Node& base, const std::vector<std::string>& whole);

/// Every name is in one group; groups are in the order of their first member. `whole`: paths of keys that are
/// replaced as one thing, as for Merge. An entry that matches no name is an error.
std::vector<MatchedGroup> MatchEntries(const Node& list, const std::vector<std::string>& names,
                                       const std::vector<std::string>& whole, Errors& errors);

}  // namespace headroom
