// The probable correction of a misspelt name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// Number of insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b` (optimal
/// string alignment).
int EditDistance(std::string_view a, std::string_view b);

/// The candidate most similar to `word`, in double quotes; the first among equals. Empty if none is similar
/// enough: more than a third of the letters, or more than three, would have to change.
std::string Nearest(std::string_view word, const std::vector<std::string>& candidates);

/// For example "a, b, c".
std::string Join(const std::vector<std::string>& words);

}  // namespace headroom
