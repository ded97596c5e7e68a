// Entries with `match:` for switches and NICs.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "scenario/write/write.h"
#include "scenario/yaml/pattern.h"

namespace headroom {

namespace {

/// One past the index of the last entry that matches; 0: none does.
size_t LastMatch(const std::string& name, const std::vector<std::vector<std::string>>& matches) {
  for (size_t i = matches.size(); i > 0; --i) {
    const auto& patterns = matches[i - 1];
    if (std::any_of(patterns.begin(), patterns.end(), [&](const std::string& p) { return Matches(p, name); }))
      return i;
  }
  return 0;
}

}  // namespace

std::string WriteEntries(const std::vector<std::string>& names,
                         const std::vector<std::vector<std::string>>& matches,
                         const std::function<std::string(size_t)>& text_of) {
  // By last match, then by text: the names, in their order.
  std::map<size_t, std::map<std::string, std::vector<std::string>>> groups;
  for (size_t i = 0; i < names.size(); ++i)
    groups[LastMatch(names[i], matches)][text_of(i)].push_back(names[i]);
  std::string out;
  for (const auto& [last, texts] : groups) {
    for (const auto& [text, members] : texts) {
      const std::vector<std::string> all{"*"};
      const auto& match = texts.size() > 1 ? members : last == 0 ? all : matches[last - 1];
      out += fmt::format("  - match: {}\n{}", WriteTexts(match), text);
    }
  }
  return out;
}

}  // namespace headroom
