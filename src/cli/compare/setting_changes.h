// Which settings two scenarios differ in.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scenario/yaml/node.h"

namespace headroom {

/// A key, as `--set` takes it, whose value differs. The values are YAML on one line; "-" where the key is not
/// there.
struct SettingChange {
  std::string path, a, b;
};

/// Every key in which two resolved scenarios differ, in the order of `a`, then of `b`; without name and seed,
/// which are printed elsewhere. Items of lists are paired by `name` or `match`, else by their place.
std::vector<SettingChange> SettingChanges(const Node& a, const Node& b);

/// The resolved scenario of a result, of its first seed if it has several; none if it is missing. Throws
/// ScenarioError where it cannot be read.
std::optional<Node> ReadResolved(const std::filesystem::path& dir);

}  // namespace headroom
