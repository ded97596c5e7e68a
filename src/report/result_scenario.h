// The scenario of a result: every reader of its resolved.yaml uses this function.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenario/scenario.h"

namespace headroom {

/// The scenario of the run in `dir`, with `sets` applied as by --set. Throws ScenarioError if resolved.yaml
/// cannot be read, and ResultError if it does not describe the run. In earlier versions an entry for several
/// switches could replace values that a SONiC configuration gives one of them.
Scenario ReadScenarioOfResult(const std::filesystem::path& dir, const std::vector<std::string>& sets = {});

}  // namespace headroom
