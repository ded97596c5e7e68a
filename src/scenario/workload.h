// Workloads and services as read: what they are, and what of it their resolved parameters no longer hold.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "protocol/storage/storage_parameters.h"
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

/// As written.
struct ServiceSource {
  std::vector<std::string> compute, extent_nodes;
  Position where;
};
struct Service {
  StorageParameters parameters;
  ServiceSource source;
};

}  // namespace headroom
