// The HPCC simulator's input files.
//
// Topology: line 1 `nodes switches links`, line 2 the switches' ids, then a link a line, `src dst rate delay
// error_rate`. Flows: line 1 their number, then a flow a line, `src dst priority_group dst_port size_bytes
// start_s`. Node i is named n<i>. Errors are ScenarioErrors that name the file and the line.
#pragma once

#include <filesystem>
#include <vector>

#include "scenario/topology_spec.h"
#include "scenario/yaml/error.h"

namespace headroom {

/// Errors about the file as a whole are reported at `where`.
CustomSpec ReadHpccTopology(const std::filesystem::path& file, const Position& where);

struct HpccFlow {
  Position where;
  std::string src, dst;  ///< names of nodes
  int priority = 0;
  Bytes size;
  Time start;  ///< from the earliest start in the file
};
std::vector<HpccFlow> ReadHpccFlows(const std::filesystem::path& file, const Position& where);

}  // namespace headroom
