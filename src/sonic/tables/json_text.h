// Parses the text of a config_db.json as ordered JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sonic/tables/findings.h"

namespace headroom {

/// Throws SonicSyntaxError (sonic/tables/read.h) if the text is not a JSON object, or has deeper nesting than
/// any configuration. A repeated key of an object is a finding; the last one counts, as when SONiC loads the
/// file.
nlohmann::ordered_json ParseSonicJson(const std::string& text, const std::string& file,
                                      SonicFindings& findings);

}  // namespace headroom
