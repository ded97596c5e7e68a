// Key-value services as plain data: who serves whom, and what a server's process costs.
//
// Sources: Kalia et al., HERD, SIGCOMM 2014 (HERD; Pilaf-em-OPT and FaRM-em as emulated there, section 5.1);
// Mitchell et al., Pilaf, ATC 2013; Dragojević et al., FaRM, NSDI 2014. The costs of a process: section 4.1
// and figures 7 and 13 of HERD; fields of our own say so.
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

namespace headroom {

enum class KeyValueSystem : uint8_t { herd, pilaf, farm, farm_var, echo, redis };
constexpr const char* KeyValueSystemName(KeyValueSystem system) {
  constexpr const char* names[] = {"herd", "pilaf", "farm", "farm_var", "echo", "redis"};
  return names[static_cast<size_t>(system)];
}

/// Whether its servers' processes answer GETs, which else are READs of their memory.
constexpr bool AnswersByProcesses(KeyValueSystem system) {
  return system == KeyValueSystem::herd || system == KeyValueSystem::echo || system == KeyValueSystem::redis;
}

/// What the processor of a process spends.
struct ProcessCosts {
  Time post = Nanoseconds(150);      ///< to post a work request
  Time request = Picoseconds(8700);  ///< of a server for each request, in addition to posting its answer
  Time access = Nanoseconds(90);     ///< a random access to memory that was not prefetched
  Time prefetched = Nanoseconds(4);  ///< to prefetch one of `accesses`
  int overlap = 8;                   ///< prefetched accesses under way at once
  Time poll = Nanoseconds(2);        ///< to look at a slot that is empty; ours
  bool operator==(const ProcessCosts&) const = default;
};

/// How a message of an ECHO service goes.
struct EchoWay {
  Operation verb = Operation::write;  ///< WRITE or SEND
  Transport transport = Transport::uc;
  bool inlined = true;
  int signal_every = 64;
  bool operator==(const EchoWay&) const = default;
};

struct KeyValueParameters : ServiceParameters {
  std::string name;
  KeyValueSystem system = KeyValueSystem::herd;
  std::vector<NodeId> servers, clients;
  uint8_t priority = 0;
  int processes = 6;         ///< of each server, a partition of the keys each; of redis: 1
  int client_processes = 1;  ///< of each client; of redis: its connections
  int window = 4;            ///< operations of a client's process that are open; of redis: its pipeline
  ProcessCosts costs;
  bool prefetch = true;
  int empty_polls = 100;           ///< after so many in a row a no-op moves the pipeline on
  Bytes inline_below{144};         ///< answers with so long a value or a longer one are fetched by the NIC
  int signal_every = 64;           ///< one answer of so many is signalled
  Time timeout = Milliseconds(1);  ///< of a client for an answer; then it repeats the request
  int retries = 7;                 ///< then the operation has failed
  // HERD's cache, of each process.
  Bytes log{int64_t{4} << 30};
  int64_t index_keys = int64_t{1} << 26;  ///< that the index has slots for
  // ECHO, of as many bytes as a value has, both ways.
  EchoWay request, reply;
  int accesses = 0;  ///< random accesses to memory for each request
  // Pilaf and FaRM.
  bool tables = false;  ///< real ones, else emulated as HERD's authors did: sizes and counts of READs alone
  Bytes pointer{8};     ///< FaRM with values out of its table
  RedisParameters redis;

  /// A GET returns the PUT value. Otherwise values are ignored, or are only those that come
  /// back.
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
};

/// Whether it sends by queue pairs.
inline bool OnQueuePairs(const KeyValueParameters& p) {
  return p.system != KeyValueSystem::redis || p.redis.on_queue_pairs();
}

}  // namespace headroom
