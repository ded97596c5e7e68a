// Values of SONiC configurations belong to a scenario's settings, although separate files contain them.
#pragma once

#include "scenario/yaml/node.h"

namespace headroom {

/// Makes the `switches:` of two resolved scenarios comparable. Entries with the same match that both have a
/// configuration get all its fields as `buffer.tables`, below the scenario's own. If only one of the two
/// scenarios has a setting (`ecn` of a class, `pfc.watchdog`), the other gets it from its configuration. An
/// unreadable configuration stays as it is.
void SpellOutSonic(Node& a, Node& b);

}  // namespace headroom
