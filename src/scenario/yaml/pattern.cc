#include "scenario/yaml/pattern.h"

#include <fnmatch.h>

#include <algorithm>

namespace headroom {

bool Matches(const std::string& pattern, const std::string& name) {
  return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

namespace {

/// The part of a node's name that the pattern is about.
std::string About(const std::string& pattern, const std::string& node) {
  return pattern.find('/') == std::string::npos ? node.substr(0, node.find('/')) : node;
}

}  // namespace

bool MatchesNode(const std::string& pattern, const std::string& node) {
  return Matches(pattern, About(pattern, node));
}

bool MatchesPort(const std::string& pattern, const std::string& node, const std::string& port) {
  const std::string about = About(pattern, node);
  return Matches(pattern, about) || (!port.empty() && Matches(pattern, about + ':' + port));
}

bool MatchesPort(const std::vector<std::string>& patterns, const std::string& node, const std::string& port) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& p) { return MatchesPort(p, node, port); });
}

std::vector<size_t> MatchingNames::Of(const std::string& pattern) const {
  std::vector<size_t> found;
  if (!IsPattern(pattern)) {
    const auto at = places_.find(pattern);
    for (size_t n = at == places_.end() ? names_.size() : at->second;
         n < names_.size() && MatchesNode(pattern, names_[n]); ++n)
      found.push_back(n);
    return found;
  }
  for (size_t n = 0; n < names_.size(); ++n)
    if (MatchesNode(pattern, names_[n])) found.push_back(n);
  return found;
}

MatchingNames::MatchingNames(const std::vector<std::string>& names) : names_(names) {
  for (size_t n = 0; n < names.size(); ++n) {
    places_.emplace(names[n], n);
    if (const size_t slash = names[n].find('/'); slash != std::string::npos)
      places_.emplace(names[n].substr(0, slash), n);
  }
}

bool IsPattern(const std::string& text) { return text.find_first_of("*?[\\") != std::string::npos; }

}  // namespace headroom
