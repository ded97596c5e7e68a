// The text of a config_db.json as ordered JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sonic/tables/findings.h"

namespace headroom {

/// Throws SonicSyntaxError (sonic/tables/read.h) where the text is no JSON object, or one nested deeper than
/// any configuration is. A key that an object has twice is a finding; the last one holds, as where SONiC
/// loads the file.
nlohmann::ordered_json ParseSonicJson(const std::string& text, const std::string& file,
                                      SonicFindings& findings);

}  // namespace headroom
