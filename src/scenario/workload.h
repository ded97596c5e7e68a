// Workloads and services as read: their parameters, and the parts of the text that these no longer hold.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/connections/connection_parameters.h"
#include "protocol/keyvalue/key_value_parameters.h"
#include "protocol/storage/storage_parameters.h"
#include "scenario/yaml/error.h"
#include "workload/parameters.h"

namespace headroom {

/// How a block trace is written.
enum class TraceFormat { msr, alibaba };

/// The source of an entry that is read from a file of another tool. A fio file is a workload for each job.
struct RecordedSource {
  std::string name;       ///< of the entry
  size_t job = 0;         ///< of fio: this one's place in the file
  double time_scale = 0;  ///< 0: not given
  Time span;              ///< 0: not given
  Time start;
  std::optional<Time> stop;
  TraceFormat format = TraceFormat::msr;
  std::vector<std::pair<std::string, NodeId>> devices;   ///< empty: in turn
  std::vector<std::pair<std::string, std::string>> set;  ///< of ycsb: replaces values of the file
  bool operator==(const RecordedSource&) const = default;
};

/// As written.
struct WorkloadSource {
  std::vector<std::string> from, to;  ///< names and patterns; of a permutation: its hosts in `from`
  std::filesystem::path file;         ///< of sizes or flows; empty: none
  bool own_priority = false;          ///< it names its class
  bool enabled = true;                ///< else it is read and checked, and the scenario has it not
  size_t entry = 0;                   ///< its place under workloads
  RecordedSource recorded;
  Position where;
};
struct Workload {
  WorkloadParameters parameters;
  WorkloadSource source;
};

/// As written.
struct ServiceSource {
  std::vector<std::string> compute, extent_nodes;
  std::vector<std::string> front_ends, partition_servers;  ///< where they are named
  Position where;
};
struct StorageEntry {
  StorageParameters parameters;
  ServiceSource source;
};

/// As written.
struct KeyValueSource {
  std::vector<std::string> servers, clients;
  Position where;
};
struct KeyValueEntry {
  KeyValueParameters parameters;
  KeyValueSource source;
};

/// As written.
struct ConnectionSource {
  std::vector<std::string> servers, clients;
  Position where;
};
struct ConnectionEntry {
  ConnectionParameters parameters;
  ConnectionSource source;
};

struct OwnServiceEntry {
  OwnServiceParameters parameters;
  ConnectionSource source;
};

/// All entries under `services`.
struct ServiceLists {
  std::vector<StorageEntry> storage;
  std::vector<KeyValueEntry> key_values;
  std::vector<ConnectionEntry> connections;
  std::vector<OwnServiceEntry> own;  ///< of types that programs register
};

}  // namespace headroom
