// The values of a named buffer profile are part of a scenario's settings, though a scenario has only the
// name.
#pragma once

#include "scenario/yaml/node.h"

namespace headroom {

/// Entries of `switches:` with the same match and profile: if one has an alpha or a field of a table, the
/// other gets the profile's.
void SpellOutProfiles(Node& a, Node& b);

}  // namespace headroom
