// The throughput that services can reach: closed forms of the protocols (analysis/bounds/services/io_cost.h)
// against lines, disks, cores, credits and pause thresholds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/bounds/switch_classes.h"
#include "analysis/check/services/check_failover.h"
#include "analysis/check/services/check_keys.h"
#include "analysis/check/services/io_workload.h"
#include "sim/finding.h"

namespace headroom {

/// Bytes that may reach a host at once over all connections of its service, and the effect at its switch.
struct ServiceIncast {
  bool to_nodes = false;  ///< to an extent node, by writes; else to a compute host, by reads
  std::string at;         ///< a host whose switch pauses soonest
  size_t connections = 0;
  Bytes each;      ///< payload of one connection, at most
  Bytes buffered;  ///< all of it, in the cells of the buffer
  Bytes xoff;      ///< of a group that is congested alone
  /// Payload of one connection with which PFC cannot fire; none: no payload is small enough.
  Bytes each_below;
  /// Where not even all of it reaches the threshold of one group, PFC cannot fire for it.
  bool MayPause() const { return buffered > xoff; }
};

struct ServiceCheck {
  std::string name, protocol, traffic_class;
  size_t compute = 0, extent_nodes = 0;
  Time least_rtt, most_rtt;  ///< of a request and its acknowledgement
  Bytes bdp;                 ///< at the longest of them, of the slower line
  double receives = 0;       ///< that wait at an extent node
  Bytes receive_bytes;       ///< registered for them
  Bytes data_bytes;          ///< of a core of an extent node, registered for data if all credits are in use
  Bytes pool;                ///< allowed bytes of it
  std::vector<ServiceIncast> incasts;
  size_t connections() const { return compute * extent_nodes; }
};

struct ServicesChecks {
  std::vector<ServiceCheck> services;
  std::vector<IoCheck> ios;
  std::vector<FailoverCheck> failovers;  ///< of services that have one
  KeysChecks keys;                       ///< of services of keys
};

ServicesChecks CheckServices(const Fabric& fabric, const std::vector<SwitchClass>& switches,
                             Findings& findings);

}  // namespace headroom
