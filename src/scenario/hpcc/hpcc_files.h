// Input files of the HPCC simulator and of simulators derived from it.
//
// Topology: line 1 `nodes switches links`, then the switches' ids, then a link a line, `src dst rate delay
// error_rate`. Line 1 of other simulators: `nodes switches tors links`, possibly followed by two capacities
// (ns3-datacenter and its successors); or `nodes gpus_per_server nvswitches switches links gpu_type`,
// possibly followed by a number (SimAI). SimAI's NVSwitches would be second links of hosts and are refused.
// Rates and delays are in ns-3's format: a bare number is in bit/s, or in seconds.
//
// Flows: line 1 is their number, then one flow per line, `src dst priority_group dst_port size_bytes
// start_s`, or without dst_port (ConWeave). Lines beyond the announced number are ignored, as in the
// simulators. Node i is named n<i>. Errors are ScenarioErrors that name the file and the line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenario/topology_spec.h"
#include "scenario/yaml/error.h"

namespace headroom {

/// Parts of a file that Headroom ignores, in words: lines, and values of line 1.
using HpccLeftOut = std::vector<std::string>;

/// Errors about the file as a whole are reported at `where`.
CustomSpec ReadHpccTopology(const std::filesystem::path& file, const Position& where,
                            HpccLeftOut* left_out = nullptr);

/// Indexed by node: its number in the simulators' files. Nodes named n0, n1, … keep their number; otherwise
/// it is the index in the topology.
std::vector<int64_t> HpccIdsOf(const Topology& topology);

struct HpccFlow {
  Position where;
  std::string src, dst;  ///< names of nodes
  int priority = 0;
  uint16_t dst_port = 0;
  Bytes size;
  Time start;  ///< offset from the earliest start in the file
};
std::vector<HpccFlow> ReadHpccFlows(const std::filesystem::path& file, const Position& where,
                                    HpccLeftOut* left_out = nullptr);

}  // namespace headroom
