#include "scenario/yaml/pattern.h"

#include <fnmatch.h>

#include <algorithm>

namespace headroom {

bool Matches(const std::string& pattern, const std::string& name) {
  return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

bool MatchesPort(const std::string& pattern, const std::string& node, const std::string& port) {
  return Matches(pattern, node) || (!port.empty() && Matches(pattern, node + ':' + port));
}

bool MatchesPort(const std::vector<std::string>& patterns, const std::string& node, const std::string& port) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& p) { return MatchesPort(p, node, port); });
}

std::vector<size_t> MatchingNames::Of(const std::string& pattern) const {
  std::vector<size_t> found;
  if (!IsPattern(pattern)) {
    const auto at = places_.find(pattern);
    if (at != places_.end()) found.push_back(at->second);
    return found;
  }
  for (size_t n = 0; n < names_.size(); ++n)
    if (Matches(pattern, names_[n])) found.push_back(n);
  return found;
}

MatchingNames::MatchingNames(const std::vector<std::string>& names) : names_(names) {
  for (size_t n = 0; n < names.size(); ++n) places_.emplace(names[n], n);
}

bool IsPattern(const std::string& text) { return text.find_first_of("*?[\\") != std::string::npos; }

}  // namespace headroom
