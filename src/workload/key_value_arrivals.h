// Operations on keys of a service, as plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "net/topology/topology.h"
#include "sim/units.h"
#include "workload/arrivals.h"

namespace headroom {

/// The choice of the next operation's key.
enum class KeyChoice : uint8_t { uniform, zipf, scrambled_zipf, latest, hotspot, sequential, exponential };
/// Operations on keys of a service, from processes of its clients: each process starts the next operation
/// when one ends, or at a rate.
struct KeyValueArrivals {
  uint32_t service = 0;          ///< index into the scenario's key-value services
  std::vector<NodeId> from, to;  ///< its clients and its servers
  int processes = 1;             ///< per client
  int window = 1;                ///< open operations of a process: in a closed loop always this many
  int64_t keys = 1'000'000;      ///< number of keys at the beginning
  Bytes key{16}, value{32};
  double puts = 0.05;  ///< shares of the operations; the rest are GETs
  double inserts = 0, modifies = 0;
  KeyChoice choice = KeyChoice::uniform;
  double theta = 0.99;                          ///< for both Zipf distributions and for latest
  double hot_keys = 0.2, hot_operations = 0.8;  ///< hotspot: shares
  /// exponential: this share of the operations uses this share of the keys, the last ones; as in YCSB.
  double exponential_operations = 0.95, exponential_keys = 0.8571428571;
  double rate = 0;    ///< open loop: operations per second of a process; 0: closed
  double target = 0;  ///< closed loop: maximum operations per second of all processes together; 0: no limit
  /// Closed loop: a process starts its next operations together, when all its open ones have ended. So does
  /// the client of HERD's authors (rdma_bench, herd/client.c).
  bool batch = false;
  int64_t threads = 0;     ///< closed loop: open operations of all processes together; 0: all windows
  int64_t operations = 0;  ///< maximum of all processes together; 0: no limit
  Time start;
  std::optional<Time> stop;
  bool operator==(const KeyValueArrivals&) const = default;
};

/// Arrivals of type kv.
std::unique_ptr<Arrivals> ArrivalsFrom(KeyValueArrivals a);

}  // namespace headroom
