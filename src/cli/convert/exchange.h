// Conversion from and to other tools' files: all of `convert` except SONiC's configuration. Bad input raises
// ScenarioError with file and line. A value without a counterpart in the other format raises
// std::invalid_argument.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenario/scenario.h"

namespace headroom {

/// The text of a file, and notes on the parts that it lacks.
struct Converted {
  std::string text;
  std::vector<std::string> notes;
};

// Conversion to the HPCC simulator (its formats: scenario/hpcc/hpcc_files.h). Nodes with names such as n17
// keep the id in the name; others are numbered in the order of the topology, hosts first.

Converted HpccTopologyOf(const Scenario& scenario);
/// The messages of a result as the simulator's flows, in the order of their starts.
Converted HpccFlowsOf(const std::filesystem::path& result);
/// The finished messages of a result as its fct.txt, in the order of their ends. A line is `source
/// destination source_port destination_port bytes start_ns fct_ns fct_alone_ns`, with addresses in
/// hexadecimal.
Converted HpccCompletionsOf(const std::filesystem::path& result);

// Conversion from other tools.

/// The name of a scenario that will be written to the file `out`: its stem, with a hyphen for each character
/// that a name may not have; `otherwise` if there is no file.
std::string ScenarioNameAt(const std::filesystem::path& out, const std::string& otherwise);

/// A scenario with the HPCC simulator's two files, its frames, buffer rule and reaction point. `out`: the
/// file that will contain the scenario, for its name and its paths; may be empty.
Converted ScenarioOfHpcc(const std::filesystem::path& topology, const std::filesystem::path& flows,
                         const std::filesystem::path& out);
/// Writes a result to `target` with the messages of an fct.txt, all of one workload, and their summary. The
/// result has no network data. Throws ResultError.
void ResultOfHpccCompletions(const std::filesystem::path& file, const std::string& workload,
                             const std::filesystem::path& target, bool force);

/// htsim's topology file (fat trees and leaf-spines) and connection matrix. Refuses connections that wait for
/// others (triggers), endless connections (size 0), and failures.
Converted ScenarioOfHtsim(const std::filesystem::path& topology, const std::filesystem::path& connections,
                          const std::filesystem::path& out);

/// The `workloads:` of a scenario, to include, from a CSV file with a header. Columns: src, dst, bytes and
/// one of start_ns, start_us, start_ms, start_s; workload and verb are optional. messages.csv of a result is
/// such a file.
Converted WorkloadsOfCsv(const std::filesystem::path& file);

}  // namespace headroom
