// Values set from outside: by `--set KEY=VALUE` and `vary`.
//
// KEY is a path of keys with dots between; a key that has dots stands in double quotes. An item of a list is
// named by its index, its `name` or its `match`, with several patterns as [a,b]. `*` is the item with the
// match "*", or all items if there is none. Keys and mappings that are not there are made, so are items of
// `switches`, `nics` and `hosts`, last in the list, and are checked with everything else. VALUE is YAML.
#pragma once

#include <string>
#include <vector>

#include "scenario/yaml/node.h"

namespace headroom {

/// Several paths with commas between, "A, B", take a list with a value for each.
///
/// Errors, all at `where`: ScenarioError where a path leads into a value without keys or to no item of a
/// list, and where the list has another length.
void SetPath(Node& root, const std::string& path, const Node& value, const Position& where);

/// "KEY=VALUE"; its place in messages is `--set KEY=VALUE`, paths in it are relative to `directory`.
void ApplySet(Node& root, const std::string& assignment, const std::filesystem::path& directory, int order);

/// "A, B" as A and B: at commas outside brackets and quotes.
std::vector<std::string> PathsOf(const std::string& paths);

/// The step of a path that leads to a key of a mapping.
std::string StepToKey(const std::string& key);
/// The step that leads to an item of a list; empty where the item has neither `name` nor `match`.
std::string StepToItem(const Node& item);

}  // namespace headroom
