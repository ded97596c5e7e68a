#include "cli/fluid/fluid.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ns3/rng-seed-manager.h>

#include <algorithm>
#include <stdexcept>

namespace headroom {
namespace {

/// The reason why the model has no answer; empty if it has one.
std::string Refusal(const FluidChecks& checks) {
  const SharedFlows& shared = checks.shared;
  if (shared.too_many) return "there are too many flows to compute their shares one by one";
  if (shared.flows.empty()) {
    return fmt::format(
        "no workload has lasting flows{}; the fluid model covers incast, permutation, stream and list",
        shared.at_a_rate.empty()
            ? ""
            : fmt::format(" (the workload {} sends at a given rate)", fmt::join(shared.at_a_rate, ", ")));
  }
  if (checks.bottlenecks.empty()) return "";
  std::string reasons;
  for (const FluidCheck& check : checks.bottlenecks) {
    if (check.Applies()) return "";
    reasons += fmt::format("\n  {}: {}", check.at, check.model.refusal);
  }
  return "the fluid model applies to none of the scenario's bottlenecks:" + reasons;
}

}  // namespace

FluidAnswer AnswerFluid(const std::filesystem::path& file, const std::vector<std::string>& sets) {
  FluidAnswer answer{LoadScenarioFile(file, sets), {}};
  const Scenario& s = answer.file.scenario;
  ns3::RngSeedManager::SetRun(s.seed);
  Findings elsewhere;  // findings that `check` prints instead
  answer.checks = CheckFluid(Fabric(s), elsewhere);
  const std::string refusal = Refusal(answer.checks);
  if (!refusal.empty()) throw std::invalid_argument(s.file + ": " + refusal);
  return answer;
}

}  // namespace headroom
