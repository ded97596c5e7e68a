// Key-value services as plain data: clients, servers, and the costs of a server's process.
//
// Sources: Kalia et al., HERD, SIGCOMM 2014 (HERD; Pilaf-em-OPT and FaRM-em as emulated there, section 5.1);
// Mitchell et al., Pilaf, ATC 2013; Dragojević et al., FaRM, NSDI 2014. The costs of a process: section 4.1
// and figures 7 and 13 of HERD; our own fields say so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "net/opcode.h"
#include "net/topology/topology.h"
#include "protocol/keyvalue/redis_parameters.h"
#include "protocol/service_parameters.h"
#include "sim/units.h"
#include "workload/operation_kind.h"

namespace headroom {

class TrafficSink;

enum class KeyValueSystem : uint8_t { herd, pilaf, farm, farm_var, echo, redis };
constexpr const char* KeyValueSystemName(KeyValueSystem system) {
  constexpr const char* names[] = {"herd", "pilaf", "farm", "farm_var", "echo", "redis"};
  return names[static_cast<size_t>(system)];
}

/// Whether its servers' processes answer GETs; otherwise GETs are READs of their memory.
constexpr bool AnswersByProcesses(KeyValueSystem system) {
  return system == KeyValueSystem::herd || system == KeyValueSystem::echo || system == KeyValueSystem::redis;
}

/// The processor costs of a process.
struct ProcessCosts {
  Time post = Nanoseconds(150);      ///< cost to post a work request to a send queue
  Time recv = Nanoseconds(150);      ///< cost to post a RECV; HERD prints one figure for a work request
  Time request = Picoseconds(8700);  ///< a server's cost for each request, in addition to posting its answer
  Time access = Nanoseconds(90);     ///< a random access to memory that was not prefetched
  Time prefetched = Nanoseconds(4);  ///< cost to prefetch one of `accesses`
  int overlap = 8;                   ///< prefetched accesses in progress at the same time
  Time poll = Nanoseconds(2);        ///< cost to check an empty slot; ours
  bool operator==(const ProcessCosts&) const = default;
};

/// The transport and verb of an ECHO service's messages.
struct SendMethod {
  Operation verb = Operation::write;  ///< WRITE or SEND
  Transport transport = Transport::uc;
  bool inlined = true;
  int signal_every = 64;
  bool operator==(const SendMethod&) const = default;
};

struct KeyValueParameters final : ServiceParametersOf<KeyValueParameters> {
  KeyValueSystem system = KeyValueSystem::herd;
  int processes = 6;         ///< per server, each with a partition of the keys; redis: 1
  int client_processes = 1;  ///< per client; redis: number of its connections
  int window = 4;            ///< open operations of a client's process; redis: its pipeline
  ProcessCosts costs;
  bool prefetch = true;
  int empty_polls = 100;           ///< after this many successive empty polls a no-op advances the pipeline
  Bytes inline_below{144};         ///< the NIC fetches answers whose value has at least this length
  int signal_every = 64;           ///< one answer in this many is signalled
  Time timeout = Milliseconds(1);  ///< a client's timeout for an answer, after which it repeats the request
  int retries = 7;                 ///< repetitions until the operation fails
  // size of HERD's cache per process
  Bytes log{int64_t{4} << 30};
  int64_t index_keys = int64_t{1} << 26;  ///< number of keys for which the index has slots
  // for ECHO, with messages as long as a value, in both directions
  SendMethod request, reply;
  int accesses = 0;  ///< random accesses to memory per request
  // For Pilaf and FaRM:
  bool tables =
      false;  ///< real tables; otherwise emulated as HERD's authors did: only sizes and counts of READs
  Bytes pointer{8};  ///< for FaRM with values outside its table
  RedisParameters redis;

  /// A GET returns the PUT value. Otherwise values are ignored, or are only returned.
  bool keeps_values() const {
    return system == KeyValueSystem::herd || system == KeyValueSystem::redis ||
           (tables && system != KeyValueSystem::echo);
  }
  uint32_t server_processes() const {
    return static_cast<uint32_t>(servers.size()) * static_cast<uint32_t>(processes);
  }
  uint32_t clients_in_all() const {
    return static_cast<uint32_t>(clients.size()) * static_cast<uint32_t>(client_processes);
  }
  bool operator==(const KeyValueParameters&) const = default;

  std::optional<uint8_t> TcpClass() const override;
  bool OnQueuePairs() const override { return !IsApplication() || redis.on_queue_pairs(); }
  bool Acknowledged() const override;
  bool IsApplication() const override { return system == KeyValueSystem::redis; }
  ServiceDivision Division() const override;
  UnusedKeys Unused() const override;
  void ForEachPort(const Topology& topology, const UsePort& use) const override;
  std::optional<Forecast> Footprint(const Topology& topology, const ServiceLoad& load,
                                    const ServiceDemand& demand) const override;
  std::string MemoryOf() const override;
  std::string LessMemory() const override;

  // Limits for workloads:
  /// Whether it has keys. Otherwise its servers return requests.
  bool HasKeys() const { return system != KeyValueSystem::echo; }
  /// The longest value; none if there is no limit.
  std::optional<Bytes> LongestValue() const;
  /// Whether a datagram carries a value, in one MTU.
  bool SendsValuesInDatagrams() const;
  /// Whether some of its messages have no acknowledgements.
  bool HasUnacknowledged() const;

  // Bounds of its throughput:
  /// Whether its servers' processes answer GETs; otherwise GETs are READs of their memory.
  bool AnswersGets() const { return AnswersByProcesses(system); }
  /// Mean number of round trips of an operation.
  double RoundTrips() const;
  /// The minimum time of a client's thread for an operation, and the number of a client's threads.
  Time PostedIn() const;
  int ThreadsOfClient() const { return IsApplication() ? redis.client_threads : client_processes; }
  /// The minimum time of a server's thread for an operation, if one thread executes all operations.
  Time ServedIn() const;
  /// Time of a server to open each connection, one after the other; 0 if they exist from the beginning.
  Time OpenedIn() const;

  /// Memory of a server's logs and indices; 0 without them.
  Bytes CacheOfServer() const;
  /// Adds an operation of a client, with an equal share for each server: a GET that finds its key, or a PUT,
  /// or both. The number of READs of a table's GET is a mean.
  void AddTraffic(NodeId client, OperationKind kind, Bytes key, Bytes value, double times,
                  TrafficSink& sink) const;
};

}  // namespace headroom
