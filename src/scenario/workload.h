// A workload as read: what it is, and what of it its resolved parameters no longer hold.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenario/yaml/error.h"
#include "workload/parameters.h"

namespace headroom {

/// As written.
struct WorkloadSource {
  std::vector<std::string> from, to;  ///< names and patterns; of a permutation: its hosts in `from`
  std::filesystem::path file;         ///< of sizes or flows; empty: none
  bool own_priority = false;          ///< it names its class
  Position where;
};
struct Workload {
  WorkloadParameters parameters;
  WorkloadSource source;
};

}  // namespace headroom
