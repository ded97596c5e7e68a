// From a scenario file to a checked Scenario.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenario/experiment.h"
#include "scenario/scenario.h"
#include "scenario/topology_spec.h"
#include "scenario/workload.h"
#include "scenario/yaml/error.h"

namespace headroom {

/// The file's own text where the Scenario has only resolved values; for writing it back.
struct ScenarioSource {
  TopologySpec topology;
  /// Of each entry of `switches:`, `nics:` and `hosts:`, its patterns.
  std::vector<std::vector<std::string>> switch_matches, nic_matches, host_matches;
  std::vector<ServiceSource> services;         ///< in the order of the scenario's
  std::vector<KeyValueSource> key_values;      ///< the same
  std::vector<ConnectionSource> connections;   ///< the same
  std::vector<ConnectionSource> own_services;  ///< the same
  std::vector<WorkloadSource> workloads;       ///< in the order of the scenario's
};

/// A checked scenario, with the experiment of its file. Nothing but reading makes one, and nobody changes
/// it.
struct ScenarioFile {
  const Scenario scenario;
  const Experiment experiment;
  const ScenarioSource source;

 private:
  friend class Loader;
  ScenarioFile(Scenario s, Experiment e, ScenarioSource from)
      : scenario(std::move(s)), experiment(std::move(e)), source(std::move(from)) {}
};

/// Reads a scenario. `sets` are KEY=VALUE of --set (scenario/yaml/set_path.h), applied after includes. Throws
/// a ScenarioError that says the first thing wrong, in the order of the files. Takes no more memory than
/// fits: what would not is refused with the estimate.
Scenario LoadScenario(const std::filesystem::path& path, const std::vector<std::string>& sets = {});

/// The same with vary, seeds and expect, and with what WriteResolved needs.
ScenarioFile LoadScenarioFile(const std::filesystem::path& path, const std::vector<std::string>& sets = {});

/// Memory that a scenario may take, in bytes; 0: the machine's.
struct LoadLimits {
  double memory = 0;
};

/// For a text: `name` stands in messages, paths are relative to `directory`.
ScenarioFile LoadScenarioFileText(const std::string& text, const std::string& name,
                                  const std::filesystem::path& directory,
                                  const std::vector<std::string>& sets = {}, const LoadLimits& limits = {});
Scenario LoadScenarioText(const std::string& text, const std::string& name,
                          const std::filesystem::path& directory, const std::vector<std::string>& sets = {},
                          const LoadLimits& limits = {});

}  // namespace headroom
