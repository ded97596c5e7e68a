// The command `fluid`: the fluid model's answer for a scenario, as text, as JSON, and in time for a plot.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analysis/check/check_fluid.h"
#include "scenario/read/load.h"

namespace headroom {

struct FluidAnswer {
  ScenarioFile file;
  FluidChecks checks;
};

/// Throws ScenarioError, or std::invalid_argument with the reasons if the model applies to no queue. If a
/// scenario has no bottleneck, that is an answer, too.
FluidAnswer AnswerFluid(const std::filesystem::path& file, const std::vector<std::string>& sets);

std::string FluidAnswerAsText(const FluidAnswer& answer);
nlohmann::ordered_json FluidAnswerAsJson(const FluidAnswer& answer);
/// With `runs`, it also solves the equations in time at each bottleneck, from flows at line rate and an empty
/// queue.
nlohmann::ordered_json FluidRunsAsJson(const FluidAnswer& answer);

/// One of "stable", "low margin", "oscillates", "over sooner", "at Kmax".
std::string VerdictText(const FluidCheck& check);

}  // namespace headroom
