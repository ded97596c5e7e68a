// The throughput that services can reach: closed forms of the protocols (analysis/bounds/services/io_cost.h)
// compared with lines, disks, cores, credits and pause thresholds.
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

/// Bytes that may reach a host at the same time over all connections of its service, and the effect at its
/// switch.
struct ServiceIncast {
  bool to_nodes = false;  ///< to an extent node, by writes; otherwise to a compute host, by reads
  std::string at;         ///< a host whose switch pauses soonest
  size_t connections = 0;
  Bytes each;      ///< maximum payload of one connection
  Bytes buffered;  ///< the total, in cells of the buffer
  Bytes xoff;      ///< limit of a group that is congested alone
  /// Payload per connection below which PFC cannot pause; none if no payload is small enough.
  Bytes each_below;
  /// If even the total does not reach the threshold of one group, PFC cannot pause for it.
  bool MayPause() const { return buffered > xoff; }
};

struct ServiceCheck {
  std::string name, protocol, traffic_class;
  size_t compute = 0, extent_nodes = 0;
  Time least_rtt, most_rtt;  ///< round trip of a request and its acknowledgement
  Bytes bdp;                 ///< for `most_rtt`, at the slower line
  double receives = 0;       ///< RECVs posted at an extent node
  Bytes receive_bytes;       ///< bytes registered for them
  Bytes data_bytes;          ///< data bytes registered by a core of an extent node, if all credits are in use
  Bytes pool;                ///< permitted size of that pool
  std::vector<ServiceIncast> incasts;
  size_t connections() const { return compute * extent_nodes; }
};

struct ServicesChecks {
  std::vector<ServiceCheck> services;
  std::vector<IoCheck> ios;
  std::vector<FailoverCheck> failovers;  ///< for services with a failover
  KeysChecks keys;                       ///< for services of keys
};

ServicesChecks CheckServices(const Fabric& fabric, const std::vector<SwitchClass>& switches,
                             Findings& findings);

}  // namespace headroom
