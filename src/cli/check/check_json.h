// A check as JSON, for programs. Units stand in the keys; what has no value is null.
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/check/check.h"
#include "scenario/read/load.h"

namespace headroom {

nlohmann::ordered_json FindingsAsJson(const Findings& findings);

nlohmann::ordered_json CheckAsJson(const ScenarioFile& file, const CheckReport& report);

const char* SeverityName(Finding::Severity severity);

}  // namespace headroom
