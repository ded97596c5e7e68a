// A check as JSON, for programs. Keys name units; a missing value is null.
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/check/check.h"
#include "scenario/read/load.h"

namespace headroom {

/// `remedy`: the first one; `change`: the same as options. KeepProven leaves only what is true.
nlohmann::ordered_json FindingsAsJson(const Findings& findings);

nlohmann::ordered_json CheckAsJson(const ScenarioFile& file, const CheckReport& report);

const char* SeverityName(Finding::Severity severity);

}  // namespace headroom
