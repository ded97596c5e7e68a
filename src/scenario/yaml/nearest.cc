#include "scenario/yaml/nearest.h"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace headroom {

int EditDistance(std::string_view a, std::string_view b) {
  // Three rows of the usual table: the current one and the two above it (the second for swaps).
  std::vector<int> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) above[j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

namespace {

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

}  // namespace

std::string Nearest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr size_t kLongest = 64;
  if (word.size() > kLongest) return {};
  const std::string lower = Lower(word);
  const std::string* best = nullptr;
  // Ranks by distance, then by equal letters in another order, then by the length of the common prefix.
  std::tuple<int, bool, int> best_rank;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongest) continue;
    const int distance = EditDistance(lower, Lower(candidate));
    const int most = std::clamp(static_cast<int>(std::max(word.size(), candidate.size()) / 3), 1, 3);
    if (distance > most || distance >= static_cast<int>(candidate.size())) continue;
    const std::string other = Lower(candidate);
    const auto same = static_cast<int>(std::ranges::mismatch(lower, other).in1 - lower.begin());
    const std::tuple rank(distance, !std::ranges::is_permutation(lower, other), -same);
    if (!best || rank < best_rank) best = &candidate, best_rank = rank;
  }
  return best ? '"' + *best + '"' : std::string();
}

std::string Join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) (text += text.empty() ? "" : ", ") += word;
  return text;
}

}  // namespace headroom
