// Runs with `results: stream`.
#pragma once

#include <filesystem>
#include <memory>

#include "run/stream/streamed_records.h"
#include "sim/exchange.h"
#include "support/random_scenario.h"

namespace headroom {

/// Some runs on disk of even a short log.
inline constexpr size_t kSmallBuffer = 20'000;

/// For RunOptions::ended: null unless the scenario has `results: stream`, and this is rank 0. `exchange`:
/// null without ranks.
inline std::shared_ptr<EndedRecords> EndedFor(const Scenario& scenario, const std::filesystem::path& folder,
                                              const Exchange* exchange = nullptr,
                                              size_t buffer = kSmallBuffer) {
  if (scenario.results != Results::stream || (exchange != nullptr && exchange->rank() > 0)) return nullptr;
  return std::make_shared<StreamedRecords>(folder, buffer);
}

/// A random scenario without observations. `results`: memory or stream.
inline ScenarioFile LoadRandomScenarioFor(const std::string& results, uint64_t seed,
                                          RandomScenarioKinds kinds = {}) {
  kinds.observations = false;
  return LoadScenarioFileText(RandomScenarioText(seed, kinds) + "observe: {causes: false}\n", "random.yaml",
                              RandomScenarioFolder(), {"results=" + results});
}

}  // namespace headroom
