// Makes a checked Scenario from a scenario file.
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

/// The file's own text of values that the Scenario contains only in resolved form, for writing them.
struct ScenarioSource {
  TopologySpec topology;
  /// For each entry of `switches:`, `nics:` and `hosts:`: its patterns.
  std::vector<std::vector<std::string>> switch_matches, nic_matches, host_matches;
  std::vector<ServiceSource> services;    ///< in the scenario's order
  std::vector<WorkloadSource> workloads;  ///< in the scenario's order
};

/// A checked scenario, with the experiment of its file. Only the reader makes one, and it is never changed.
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
/// a ScenarioError for the first error, in the order of the files. It never takes more memory than fits: a
/// scenario that does not fit is refused with the estimate.
Scenario LoadScenario(const std::filesystem::path& path, const std::vector<std::string>& sets = {});

/// The same with vary, seeds and expect, and with the data that WriteResolved needs.
ScenarioFile LoadScenarioFile(const std::filesystem::path& path, const std::vector<std::string>& sets = {});

/// Memory that a scenario may take, in bytes; 0: the machine's.
struct LoadLimits {
  double memory = 0;
};

/// Reads a text: messages call it `name`, and paths are relative to `directory`.
ScenarioFile LoadScenarioFileText(const std::string& text, const std::string& name,
                                  const std::filesystem::path& directory,
                                  const std::vector<std::string>& sets = {}, const LoadLimits& limits = {});
Scenario LoadScenarioText(const std::string& text, const std::string& name,
                          const std::filesystem::path& directory, const std::vector<std::string>& sets = {},
                          const LoadLimits& limits = {});

}  // namespace headroom
