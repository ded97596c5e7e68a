// Shell patterns (*, ?, [...]) over names.
#pragma once

#include <string>
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

}  // namespace headroom
