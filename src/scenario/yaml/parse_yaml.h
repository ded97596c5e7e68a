// Converts YAML text to a tree, with yaml-cpp's parser.
//
// It refuses, with their position: tags (`!!str`), duplicate keys, keys that are not text, more than one
// document, nesting deeper than kDeepest. It also refuses mappings of more than 4096 keys, files of more
// than kMostNodes values, and aliases that add more than kMostOfAliases. `<<` merges a mapping or a list of
// mappings.
#pragma once

#include <memory>
#include <string>

#include "scenario/yaml/node.h"

namespace headroom {

inline constexpr int kDeepest = 64;
inline constexpr size_t kMostNodes = 5'000'000, kMostOfAliases = 1'000'000;

/// `column_offset` is added to the columns of the first line, for text that is part of a longer line. Errors:
/// ScenarioError.
Node ParseYaml(const std::string& text, std::shared_ptr<const SourceFile> file, int column_offset = 0);

}  // namespace headroom
