// A check as text, for a person: at most 100 columns wide.
#pragma once

#include <string>

#include "analysis/check/check.h"
#include "cli/labelled_line.h"
#include "scenario/read/load.h"

namespace headroom {

/// Most lines besides findings, unless all sections are asked for.
inline constexpr size_t kBriefLines = 40;

/// Prints findings, settings as understood, and derived values. `full`: all sections; otherwise those that
/// fit into kBriefLines, the most asked for first, and the names of the others.
std::string CheckAsText(const ScenarioFile& file, const CheckReport& report, bool full);

}  // namespace headroom
