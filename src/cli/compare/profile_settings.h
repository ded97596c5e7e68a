// What a named buffer profile gives is a part of a scenario's settings, though a scenario says the name
// alone.
#pragma once

#include "scenario/yaml/node.h"

namespace headroom {

/// Entries of `switches:` of the same match and profile: where one says an alpha or a field of a table, the
/// other gets the profile's.
void SpellOutProfiles(Node& a, Node& b);

}  // namespace headroom
