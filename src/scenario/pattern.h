// Shell patterns (*, ?, [...]) over names.
#pragma once

#include <string>

namespace headroom {

/// Whether the whole of `name` matches.
bool Matches(const std::string& pattern, const std::string& name);
/// Whether the text has any of the characters that make it more than a plain name.
bool IsPattern(const std::string& text);

}  // namespace headroom
