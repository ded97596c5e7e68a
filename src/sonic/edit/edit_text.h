// Changes single values in the text of a configuration and keeps all other bytes.
#pragma once

#include <string>

namespace headroom {

/// `text` with a field of a row set: its value is replaced, or the field is added behind the row's last one,
/// in the same style. Reads both layouts, {"TABLE": {"key": …}} and {"TABLE|key": …}. If a name is repeated,
/// the last one counts, as in SONiC. Throws std::out_of_range if there is no such row. REQUIRES: `text` is
/// valid JSON.
std::string WithSonicField(const std::string& text, const std::string& table, const std::string& key,
                           const std::string& field, const std::string& value);

}  // namespace headroom
