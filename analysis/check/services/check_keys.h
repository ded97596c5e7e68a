// The throughput that a service of keys can reach: closed forms of its parameters that no run beats.
#pragma once

#include <string>
#include <vector>

#include "analysis/bounds/fabric.h"
#include "sim/finding.h"

namespace headroom {

/// A workload of type kv or ycsb, as if it were alone.
struct KeysCheck {
  enum class Limit { windows, posts, processes, client_out, client_in, server_in, server_out, target };
  struct Bound {
    Limit limit;
    double a_second;  ///< operations of all clients together
  };
  std::string workload, service;
  const char* system = "";
  int64_t open = 0;    ///< in a closed loop
  double rate = 0;     ///< asked for; 0: closed loop
  double granted = 0;  ///< of `rate`: the part that the windows of each client let through
  /// An operation's time while nothing else is open or under way; mean of the draws. From the nearest client
  /// to its nearest server, and from the farthest to its farthest.
  Time alone, farthest;
  bool exact = true;          ///< `alone` and `farthest` are all that it takes; else it may take longer
  std::vector<Bound> bounds;  ///< by Little's law, processors and lines
  const Bound& Least() const;
  const Bound* Find(Limit limit) const;
};
const char* LimitName(KeysCheck::Limit limit);

struct KeyServiceCheck {
  std::string name;
  const char* system = "";
  std::string traffic_class;
  size_t servers = 0, clients = 0;
  int processes = 0, client_processes = 0;  ///< of each
  Bytes cache;                              ///< memory of a server: logs and indices; 0: none
};

struct KeysChecks {
  std::vector<KeyServiceCheck> services;
  std::vector<KeysCheck> workloads;
};

KeysChecks CheckKeys(const Fabric& fabric, Findings& findings);

}  // namespace headroom
