// The `topology:` section.
#pragma once

#include "scenario/topology_spec.h"
#include "scenario/yaml/reader.h"

namespace headroom {

/// Keys: type, and those of the type. Errors go to `errors`; what is read then is not to be built.
TopologySpec ReadTopology(const Node& node, Errors& errors);

/// The key `hosts`, `switches` or `links` of type custom. Every name once, every end a node, every port once.
CustomSpec ReadCustomTopology(MapReader& map);

/// Checks that every host has exactly one link; errors at `where`.
void CheckHostLinks(const CustomSpec& spec, const Position& where);

}  // namespace headroom
