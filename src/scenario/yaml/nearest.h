// The likely fix of a misspelt name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// Insertions, deletions, substitutions and swaps of neighbours that make `b` of `a` (optimal string
/// alignment).
int EditDistance(std::string_view a, std::string_view b);

/// The candidate nearest to `word`, in double quotes; the first of equals. Empty if none is near enough: more
/// than a third of the letters, or more than three, would have to change.
std::string Nearest(std::string_view word, const std::vector<std::string>& candidates);

/// "a, b, c"
std::string Join(const std::vector<std::string>& words);

}  // namespace headroom
