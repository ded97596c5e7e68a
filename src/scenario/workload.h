// Workloads and services as read: their parameters, and the parts of the text that the parameters do not
// contain.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/service_parameters.h"
#include "scenario/yaml/error.h"
#include "workload/parameters.h"

namespace headroom {

/// The format of a block trace.
enum class TraceFormat { msr, alibaba };

/// The source of an entry that refers to a file of another tool. A fio file gives one workload per job.
struct RecordedSource {
  std::string name;       ///< name of the entry
  size_t job = 0;         ///< for fio: index of this job in the file
  double time_scale = 0;  ///< 0: not given
  Time span;              ///< 0: not given
  Time start;
  std::optional<Time> stop;
  TraceFormat format = TraceFormat::msr;
  std::vector<std::pair<std::string, NodeId>> devices;   ///< empty: in round-robin order
  std::vector<std::pair<std::string, std::string>> set;  ///< for ycsb: replaces values of the file
  bool operator==(const RecordedSource&) const = default;
};

/// A workload as written.
struct WorkloadSource {
  std::vector<std::string> from, to;  ///< names and patterns; for a permutation: its hosts are in `from`
  std::filesystem::path file;         ///< file with sizes or flows; empty: none
  bool own_priority = false;          ///< the entry names its class
  bool enabled = true;  ///< false: the entry is read and checked, but the scenario does not contain it
  size_t entry = 0;     ///< index of its entry under workloads
  RecordedSource recorded;
  Position where;
};
struct Workload {
  WorkloadParameters parameters;
  WorkloadSource source;
};

/// A service as written.
struct ServiceSource {
  std::vector<std::string> servers, clients;               ///< of storage: extent nodes, and compute hosts
  std::vector<std::string> front_ends, partition_servers;  ///< of storage: set if the scenario names them
  Position where;
};
struct ServiceEntry {
  AnyService parameters;
  ServiceSource source;
};

}  // namespace headroom
