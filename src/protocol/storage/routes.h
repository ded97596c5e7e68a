// The calls between hosts of a storage service: its connections, before they are made.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "protocol/storage/extents/placement.h"
#include "protocol/storage/storage_parameters.h"

namespace headroom {

struct StorageRoutes {
  std::vector<std::vector<NodeId>>
      fronts;                  ///< by disk: front ends that its compute host may use, the preferred one first
  std::vector<NodeId> owners;  ///< by disk, with a back leg: its partition server
  std::set<std::pair<NodeId, NodeId>> back;  ///< pairs of a calling and a called host

  /// The number of connections of both legs.
  size_t connections() const;
};

/// `placement`: that of its extents.
StorageRoutes RoutesOf(const StorageParameters& service, const Placement& placement,
                       const Topology& topology);

}  // namespace headroom
