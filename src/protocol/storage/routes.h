// Which hosts of a storage service ask which: its connections, before there are any.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "protocol/storage/extents/placement.h"
#include "protocol/storage/storage_parameters.h"

namespace headroom {

struct StorageRoutes {
  std::vector<std::vector<NodeId>>
      fronts;                  ///< by disk: hosts that its compute host may ask, first the one it does
  std::vector<NodeId> owners;  ///< by disk, with a back leg: its partition server
  std::set<std::pair<NodeId, NodeId>> back;  ///< from, to: two hosts each

  /// The number of connections of both legs.
  size_t connections() const;
};

/// `placement` of its extents.
StorageRoutes RoutesOf(const StorageParameters& service, const Placement& placement,
                       const Topology& topology);

}  // namespace headroom
