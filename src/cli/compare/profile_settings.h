// The values of a named buffer profile belong to a scenario's settings, although the scenario has only the
// profile's name.
#pragma once

#include "scenario/yaml/node.h"

namespace headroom {

/// Entries of `switches:` are paired by match and profile. If one entry has an alpha or a field of a table,
/// the other gets the profile's value.
void SpellOutProfiles(Node& a, Node& b);

}  // namespace headroom
