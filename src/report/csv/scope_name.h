// The distance between two ends, as in messages.csv and operations.csv.
#pragma once

#include "net/topology/topology.h"

namespace headroom {

/// The smallest scope that contains both places: rack, cluster, datacenter or region. A topology without such
/// levels is one region.
inline const char* ScopeName(const Place& a, const Place& b) {
  if (a.datacenter < 0 && a.cluster < 0 && a.rack < 0) return "region";
  if (a.datacenter != b.datacenter) return "region";
  if (a.cluster != b.cluster) return "datacenter";
  return a.rack == b.rack ? "rack" : "cluster";
}

}  // namespace headroom
