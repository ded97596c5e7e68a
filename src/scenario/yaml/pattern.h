// Shell patterns (*, ?, [...]) over names.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace headroom {

/// Whether the whole of `name` matches.
bool Matches(const std::string& pattern, const std::string& name);
/// Whether a pattern over nodes matches this one. A pattern without a slash is about hosts: it matches all
/// NICs and devices of a host that it matches. With a slash, as h*/n0, it is about these.
bool MatchesNode(const std::string& pattern, const std::string& node);
/// Whether a pattern over nodes, or over node:port, matches this port. A pattern without a port concerns only
/// the node.
bool MatchesPort(const std::string& pattern, const std::string& node, const std::string& port);
/// Whether one of several such patterns matches.
bool MatchesPort(const std::vector<std::string>& patterns, const std::string& node, const std::string& port);
/// Whether the text contains any of the characters that make it a pattern.
bool IsPattern(const std::string& text);

/// A set of names in which patterns are searched. A plain name costs one look-up, a pattern a pass over all
/// names. The names must outlive it, and be unique; those of a host's NICs are neighbours.
class MatchingNames {
 public:
  explicit MatchingNames(const std::vector<std::string>& names);
  /// The indices of the names that the pattern matches, as MatchesNode does, ascending.
  std::vector<size_t> Of(const std::string& pattern) const;

 private:
  const std::vector<std::string>& names_;
  std::unordered_map<std::string, size_t> places_;
};

}  // namespace headroom
