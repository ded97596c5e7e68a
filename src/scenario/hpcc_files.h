// Input files of the HPCC simulator and of simulators derived from it.
//
// Topology: line 1 `nodes switches links`, then the switches' ids, then a link a line, `src dst rate delay
// error_rate`. Line 1 of others: `nodes switches tors links`, perhaps with two capacities behind
// (ns3-datacenter and its heirs); `nodes gpus_per_server nvswitches switches links gpu_type`, perhaps with
// another number (SimAI), whose NVSwitches would be second links of hosts and are refused. Rates and delays
// are ns-3's: a bare number is in bit/s, or in seconds.
//
// Flows: line 1 their number, then a flow a line, `src dst priority_group dst_port size_bytes start_s`, or
// without dst_port (ConWeave). Lines below the announced ones are left out, as there. Node i is named n<i>.
// Errors are ScenarioErrors that name the file and the line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenario/topology_spec.h"
#include "scenario/yaml/error.h"

namespace headroom {

/// Parts of a file without meaning here, in words: ignored lines, and values of line 1.
using HpccLeftOut = std::vector<std::string>;

/// Errors about the file as a whole are reported at `where`.
CustomSpec ReadHpccTopology(const std::filesystem::path& file, const Position& where,
                            HpccLeftOut* left_out = nullptr);

/// By node: its number in their files. Nodes named n0, n1, … keep theirs; else it is the place in the
/// topology.
std::vector<int64_t> HpccIdsOf(const Topology& topology);

struct HpccFlow {
  Position where;
  std::string src, dst;  ///< names of nodes
  int priority = 0;
  uint16_t dst_port = 0;
  Bytes size;
  Time start;  ///< from the earliest start in the file
};
std::vector<HpccFlow> ReadHpccFlows(const std::filesystem::path& file, const Position& where,
                                    HpccLeftOut* left_out = nullptr);

}  // namespace headroom
