// Values set from outside: by `--set KEY=VALUE` and `vary`.
//
// KEY is a path of keys separated by dots; a key that contains dots must be in double quotes. A list item is
// named by its index, its `name` or its `match`; several patterns are written as [a,b]. `*` means the item
// with the match "*", or all items if there is none. Missing keys and mappings are added. So are items of
// `switches`, `nics` and `hosts`, at the end of the list. All are checked with everything else. VALUE is
// YAML.
#pragma once

#include <string>
#include <vector>

#include "scenario/yaml/node.h"

namespace headroom {

/// Several paths separated by commas, "A, B", take a list with a value for each path.
///
/// Errors, all at `where`: ScenarioError if a path leads into a value without keys or to no item of a list,
/// or if the list has another length.
void SetPath(Node& root, const std::string& path, const Node& value, const Position& where);

/// Applies "KEY=VALUE"; messages call its position `--set KEY=VALUE`, and its paths are relative to
/// `directory`.
void ApplySet(Node& root, const std::string& assignment, const std::filesystem::path& directory, int order);

/// Splits "A, B" into A and B at commas outside brackets and quotes.
std::vector<std::string> PathsOf(const std::string& paths);

/// The step of a path that leads to a key of a mapping.
std::string StepToKey(const std::string& key);
/// The step that leads to a list item; empty if the item has neither `name` nor `match`.
std::string StepToItem(const Node& item);

}  // namespace headroom
