// Whether replicas and fragments of extents can be in separate failure domains.
#pragma once

#include "net/topology/topology.h"
#include "protocol/storage/storage_parameters.h"
#include "sim/finding.h"

namespace headroom {

void CheckPlacement(const StorageParameters& service, const Topology& topology, Findings& findings);

}  // namespace headroom
