// Input files of the HPCC simulator and of simulators derived from it.
//
// Topology: line 1 `nodes switches links`, then the switches' ids, then a link a line, `src dst rate delay
// error_rate`. Line 1 of other simulators: `nodes switches tors links`, possibly followed by two capacities
// (ns3-datacenter and its successors); or `nodes gpus_per_server nvswitches switches links gpu_type`,
// possibly followed by a number (SimAI; the ids of NVSwitches come first).
// In SimAI's topologies a GPU is its own NIC, with a link to a leaf and one to its server's NVSwitch. Here
// these are two nodes: n0, which sends to other servers, and n0/gpu, which sends to GPUs of the same one.
// Rates and delays are in ns-3's format: a bare number is in bit/s, or in seconds.
//
// Flows: line 1 is their number, then one flow per line, `src dst priority_group dst_port size_bytes
// start_s`, or without dst_port (ConWeave). Lines beyond the announced number are ignored, as in the
// simulators. Node i is named n<i>. Errors are ScenarioErrors that name the file and the line.
#pragma once

#include <filesystem>
#include <map>
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

/// Where a flow between two nodes of such a topology begins or ends: at n0/gpu if both are at one NVSwitch,
/// otherwise at n0.
class SimaiEnds {
 public:
  explicit SimaiEnds(const Topology& topology);
  bool SameServer(const std::string& a, const std::string& b) const;

 private:
  std::map<std::string, NodeId> nvswitch_;  ///< by the name of the GPU's NIC
};

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
