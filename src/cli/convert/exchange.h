// Files of other tools, in and out: all of `convert` except SONiC's configuration. Bad input is a
// ScenarioError with file and line; a value without a counterpart in the other form is a
// std::invalid_argument.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenario/scenario.h"

namespace headroom {

/// A text for a file, and what is not in it.
struct Converted {
  std::string text;
  std::vector<std::string> notes;
};

// To the HPCC simulator (its formats: scenario/hpcc_files.h). Nodes keep the ids that names such as n17 give
// them; others are numbered in the order of the topology, hosts first.

Converted HpccTopologyOf(const Scenario& scenario);
/// The messages of a result as its flows, in the order of their starts.
Converted HpccFlowsOf(const std::filesystem::path& result);
/// The finished messages of a result as its fct.txt, in the order of their ends: a line is `source
/// destination source_port destination_port bytes start_ns fct_ns fct_alone_ns`, addresses in hexadecimal.
Converted HpccCompletionsOf(const std::filesystem::path& result);

// From other tools.

/// The name of a scenario that will be in the file `out`: its stem, other characters than a name's as
/// hyphens; `otherwise` where there is no file.
std::string ScenarioNameAt(const std::filesystem::path& out, const std::string& otherwise);

/// A scenario with the HPCC simulator's two files, its frames, buffer rule and reaction point. `out`: the
/// file in which the scenario will be, for its name and the paths in it; may be empty.
Converted ScenarioOfHpcc(const std::filesystem::path& topology, const std::filesystem::path& flows,
                         const std::filesystem::path& out);
/// A result at `target` with the messages of an fct.txt, all of one workload, and their summary, and nothing
/// of a network. Throws ResultError.
void ResultOfHpccCompletions(const std::filesystem::path& file, const std::string& workload,
                             const std::filesystem::path& target, bool force);

/// htsim's topology file (fat trees and leaf-spines) and connection matrix. Connections that wait for others
/// (triggers), endless ones (size 0) and failures are refused.
Converted ScenarioOfHtsim(const std::filesystem::path& topology, const std::filesystem::path& connections,
                          const std::filesystem::path& out);

/// The `workloads:` of a scenario, to include, from a CSV file with a header: src, dst, bytes and one of
/// start_ns, start_us, start_ms, start_s; workload and verb are optional. messages.csv of a result is such a
/// file.
Converted WorkloadsOfCsv(const std::filesystem::path& file);

}  // namespace headroom
