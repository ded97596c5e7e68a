// Operations on keys of a service, as plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "net/topology/topology.h"
#include "sim/units.h"
#include "workload/arrivals.h"

namespace headroom {

/// Which key the next operation is of.
enum class KeyChoice : uint8_t { uniform, zipf, scrambled_zipf, latest, hotspot, sequential, exponential };
/// Operations on keys of a service, from processes of its clients: each asks for the next when one ends, or
/// at a rate.
struct KeyValueArrivals {
  uint32_t service = 0;          ///< index into the scenario's key-value services
  std::vector<NodeId> from, to;  ///< its clients and its servers
  int processes = 1;             ///< of each client
  int window = 1;            ///< operations that a process has open: all of them, always, in a closed loop
  int64_t keys = 1'000'000;  ///< that there are at the beginning
  Bytes key{16}, value{32};
  double puts = 0.05;  ///< shares of the operations; the others are GETs
  double inserts = 0, modifies = 0;
  KeyChoice choice = KeyChoice::uniform;
  double theta = 0.99;                          ///< of both Zipf distributions and of latest
  double hot_keys = 0.2, hot_operations = 0.8;  ///< hotspot: shares
  /// exponential: this share of the operations goes to this share of the keys, the last ones; YCSB's.
  double exponential_operations = 0.95, exponential_keys = 0.8571428571;
  double rate = 0;         ///< open loop: operations a second of a process; 0: closed
  double target = 0;       ///< closed loop: operations a second of all together at most; 0: any number
  int64_t threads = 0;     ///< closed loop: operations that all together have open; 0: all windows
  int64_t operations = 0;  ///< of all processes together at most; 0: any number
  Time start;
  std::optional<Time> stop;
  bool operator==(const KeyValueArrivals&) const = default;
};

/// Arrivals of type kv.
std::unique_ptr<Arrivals> ArrivalsFrom(KeyValueArrivals a);

}  // namespace headroom
