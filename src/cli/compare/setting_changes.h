// The settings in which two scenarios differ.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scenario/yaml/node.h"

namespace headroom {

/// A key whose value differs, in the form that `--set` takes. The values are YAML on one line; "-" if a
/// scenario lacks the key.
struct SettingChange {
  std::string path, a, b;
};

/// Every key in which two resolved scenarios differ, in the order of `a`, then of `b`. Name and seed are left
/// out, because they are printed elsewhere. List items are paired by `name` or `match`, else by their place.
std::vector<SettingChange> SettingChanges(const Node& a, const Node& b);

/// The resolved scenario of a result, or of its first seed if it has several; none if the file is missing.
/// Throws ScenarioError if the file cannot be read.
std::optional<Node> ReadResolved(const std::filesystem::path& dir);

}  // namespace headroom
