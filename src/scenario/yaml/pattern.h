// Shell patterns (*, ?, [...]) over names.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace headroom {

/// Whether the whole of `name` matches.
bool Matches(const std::string& pattern, const std::string& name);
/// Whether a pattern over nodes, or over node:port, has this port. Without a port it is about the node alone.
bool MatchesPort(const std::string& pattern, const std::string& node, const std::string& port);
/// Whether one of several such patterns does.
bool MatchesPort(const std::vector<std::string>& patterns, const std::string& node, const std::string& port);
/// Whether the text has any of the characters that make it more than a plain name.
bool IsPattern(const std::string& text);

/// Names that patterns are looked up among. A plain name costs one look-up, a pattern a pass over all names.
/// The names outlive it, and differ.
class MatchingNames {
 public:
  explicit MatchingNames(const std::vector<std::string>& names);
  /// The places of the names that the pattern matches, ascending.
  std::vector<size_t> Of(const std::string& pattern) const;

 private:
  const std::vector<std::string>& names_;
  std::unordered_map<std::string, size_t> places_;
};

}  // namespace headroom
