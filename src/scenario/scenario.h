// A typed, validated and immutable scenario: everything that a run needs, with all defaults.
//
// LoadScenario (scenario/read/load.h) makes it from YAML or throws a ScenarioError; later code does not check
// it again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dcqcn/parameters.h"
#include "ip/parameters.h"
#include "net/frame_format.h"
#include "net/routing/routing_parameters.h"
#include "net/topology/topology.h"
#include "net/traffic_class.h"
#include "nic/parameters.h"
#include "pfc/parameters.h"
#include "protocol/core_costs.h"
#include "protocol/service_parameters.h"
#include "scenario/fault_parameters.h"
#include "sim/finding.h"
#include "sim/shared_list.h"
#include "sonic/tables/source.h"
#include "switch/buffer/buffer_parameters.h"
#include "switch/buffer/qos_maps.h"
#include "switch/chassis_parameters.h"
#include "workload/parameters.h"

namespace headroom {

inline constexpr int64_t kLargestSeed = 1'000'000'000'000;

struct SwitchParameters {
  Time latency = Nanoseconds(500);  ///< from the last bit in to the first possible bit out; for a chassis,
                                    ///< into the fabric
  BufferParameters buffer;
  /// Indexed by priority; none: the class is not marked.
  std::array<std::optional<EcnParameters>, kPriorities> ecn;
  PfcParameters pfc;
  OscillatorParameters oscillator;
  /// Indexed by port of the switch, in the order of its links; empty: every port follows the classes and
  /// `ecn`.
  std::vector<PortQos> qos;
  /// The SONiC configuration that buffer, qos and watchdogs come from; none: they are the scenario's own.
  std::optional<SonicSource> sonic;
  std::optional<ChassisParameters> chassis;  ///< none: an output-queued switch
  RoutingParameters routing;
  /// From the last bit in to the first possible bit out, for a lone frame: in a chassis after a request, a
  /// credit and its own time through the fabric.
  Time transit() const { return chassis ? latency + chassis->fabric_latency * 3 : latency; }
  bool operator==(const SwitchParameters&) const = default;
};

/// A sampled series: its interval, and its nodes or node:port (shell patterns).
struct Observation {
  Time every;
  std::vector<std::string> match = {"*"};
  bool operator==(const Observation&) const = default;
};

/// Which operations have a line.
struct Sampling {
  uint32_t one_in = 1;  ///< one operation in this many; 0: none
  bool operator==(const Sampling&) const = default;
};

struct Observations {
  std::optional<Observation> queues, groups, rates, goodput;
  std::optional<Observation> estats;  ///< histograms with this interval, for the matching hosts
  Sampling messages, operations;      ///< lines of messages.csv and of operations.csv
  bool causes = true;                 ///< record the causes of pauses
  std::optional<std::vector<std::string>> cnps, drops;  ///< all events of the matching hosts or ports
  bool parts = true;                                    ///< record the parts of messages' time
  bool operator==(const Observations&) const = default;
};

/// The place of records of messages, operations and pauses that have ended, until the run is over.
enum class Results { memory, stream };

struct Scenario {
  std::string name;
  std::string file;  ///< the path of the scenario file
  uint64_t seed = 1;
  Time duration;
  Time deadline;
  Time warmup;
  int64_t mtu = 1024;
  int64_t ip_mtu = 1500;
  TcpParameters::AfterIdle tcp_after_idle = TcpParameters::AfterIdle::halved;
  FrameFormat frames;
  Topology topology;
  TrafficClasses classes;
  uint8_t cnp_priority = 6;
  SharedList<SwitchParameters> switches;  ///< indexed by switch: node id − topology.hosts
  Findings switch_findings;           ///< findings in the switches' configuration files, except read errors
  SharedList<NicParameters> nics;     ///< indexed by host
  std::vector<HostParameters> hosts;  ///< indexed by host
  std::vector<AnyService> services;   ///< in the order of the file; indexed by the service's number
  std::vector<WorkloadParameters> workloads;
  std::vector<Fault> faults;
  Observations observe;
  Results results = Results::memory;
  bool operator==(const Scenario&) const = default;
};

/// Whether some service is an application with threads that copy and sleep.
inline bool HasApplications(const Scenario& s) {
  return std::ranges::any_of(s.services, [](const AnyService& p) { return p->IsApplication(); });
}
/// The number of the service that a workload uses. REQUIRES: OffersOperations(workload).
inline size_t ServiceOf(const WorkloadParameters& workload) { return workload.arrivals->Asks()->service; }

}  // namespace headroom
