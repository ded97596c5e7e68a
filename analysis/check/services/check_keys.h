// The throughput that a service of keys can reach: closed forms of its parameters that no run exceeds.
#pragma once

#include <string>
#include <vector>

#include "analysis/bounds/fabric.h"
#include "sim/finding.h"

namespace headroom {

/// A workload of type kv or ycsb, evaluated without others.
struct KeysCheck {
  enum class Limit { windows, posts, processes, client_out, client_in, server_in, server_out, target };
  struct Bound {
    Limit limit;
    double a_second;  ///< operations per second of all clients together
  };
  std::string workload, service;
  const char* system = "";
  int64_t open = 0;    ///< open operations in a closed loop
  double rate = 0;     ///< requested rate; 0: closed loop
  double granted = 0;  ///< the part of `rate` that each client's windows permit
  /// An operation's time while nothing else is open or in progress; mean of the random cases. From the
  /// nearest client to its nearest server, and from the farthest client to its farthest server.
  Time alone, farthest;
  bool exact = true;          ///< `alone` and `farthest` are the exact times; otherwise they are lower bounds
  std::vector<Bound> bounds;  ///< from Little's law, processors and lines
  const Bound& Least() const;
  const Bound* Find(Limit limit) const;
};
const char* LimitName(KeysCheck::Limit limit);

struct KeyServiceCheck {
  std::string name;
  const char* system = "";
  std::string traffic_class;
  size_t servers = 0, clients = 0;
  int processes = 0, client_processes = 0;  ///< processes of each server, and of each client
  Bytes cache;                              ///< memory of a server's logs and indices; 0: none
};

struct KeysChecks {
  std::vector<KeyServiceCheck> services;
  std::vector<KeysCheck> workloads;
};

KeysChecks CheckKeys(const Fabric& fabric, Findings& findings);

}  // namespace headroom
