// YAML text to a tree, through yaml-cpp's parser.
//
// Refused, with their place: tags (`!!str`), duplicated keys, keys that are not text, more than one document,
// nesting deeper than kDeepest. Also mappings of more than 4096 keys, and trees of more than kMostNodes
// values, aliases expanded. `<<` merges a mapping or a list of them.
#pragma once

#include <memory>
#include <string>

#include "scenario/yaml/node.h"

namespace headroom {

inline constexpr int kDeepest = 64;
inline constexpr size_t kMostNodes = 1'000'000;

/// `column_offset` is added to the columns of the first line, for text that is part of a longer one.
/// Errors: ScenarioError.
Node ParseYaml(const std::string& text, std::shared_ptr<const SourceFile> file, int column_offset = 0);

}  // namespace headroom
