// `resources:` of an entry of `nics:`: what a NIC's stations cost.
#pragma once

#include "nic/parameters.h"
#include "scenario/reader.h"

namespace headroom {

/// The name of a set, or a mapping with one (ideal where it is not given) and what differs from it. A set
/// brings its receive buffer along.
void ReadNicResources(const Node& node, NicParameters& nic, Errors& errors);

}  // namespace headroom
