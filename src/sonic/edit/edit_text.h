// Changing single values in the text of a configuration, everything else of it byte for byte.
#pragma once

#include <string>

namespace headroom {

/// `text` with a field of a row set: its value replaced, or the field put behind the last one of the row, in
/// the style of that. Reads both layouts, {"TABLE": {"key": …}} and {"TABLE|key": …}. The last of a repeated
/// name counts, as in SONiC. Throws std::out_of_range where there is no such row. REQUIRES: `text` is valid
/// JSON.
std::string WithSonicField(const std::string& text, const std::string& table, const std::string& key,
                           const std::string& field, const std::string& value);

}  // namespace headroom
