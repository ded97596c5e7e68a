// The `workloads:` section.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "net/traffic_class.h"
#include "nic/parameters.h"
#include "scenario/names.h"
#include "scenario/yaml/reader.h"
#include "workload/parameters.h"

namespace headroom {

/// What of a workload its resolved parameters no longer hold, as written.
struct WorkloadSource {
  std::vector<std::string> from, to;  ///< names and patterns; of a permutation: its hosts in `from`
  std::filesystem::path file;         ///< of sizes or flows; empty: none
  Position where;
};
struct Workload {
  WorkloadParameters parameters;
  WorkloadSource source;
};

/// What a workload's keys may refer to.
struct WorkloadContext {
  const NodeNames& names;
  const Topology& topology;
  const TrafficClasses& classes;
  const std::vector<NicParameters>& nics;
  int64_t mtu = 1024;
};

std::vector<Workload> ReadWorkloads(const Node& list, const WorkloadContext& context, Errors& errors);

/// The keys of each type beyond those that all have; `workload` has its defaults. Hosts as resolved: a
/// pattern leaves out the only target.
void ReadPoisson(MapReader& map, const WorkloadContext& context, Workload& workload);
void ReadIncast(MapReader& map, const WorkloadContext& context, Workload& workload);
void ReadPermutation(MapReader& map, const WorkloadContext& context, Workload& workload);
void ReadStream(MapReader& map, const WorkloadContext& context, Workload& workload);
void ReadList(MapReader& map, const WorkloadContext& context, Workload& workload);
void ReadPosting(MapReader& map, const WorkloadContext& context, Workload& workload);
void ReadHpccFlowFile(MapReader& map, const WorkloadContext& context, Workload& workload);

/// from and to; a pattern leaves the only target out. `loopback`: a host alone may send to itself.
void ReadEndpoints(MapReader& map, const WorkloadContext& context, std::vector<NodeId>& from,
                   std::vector<NodeId>& to, WorkloadSource& source, bool loopback = false);

/// Every sender needs somebody else to send to, within its scope and with a way there.
void CheckTargets(const std::vector<Workload>& workloads, const Topology& topology, Errors& errors);

/// What is not acknowledged comes to no NIC that tells of marks by its ACKs alone.
void CheckAckFlags(const std::vector<Workload>& workloads, const Topology& topology,
                   const std::vector<NicParameters>& nics, Errors& errors);

}  // namespace headroom
