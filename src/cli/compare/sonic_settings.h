// Values of SONiC configurations are a part of a scenario's settings, although they are in files of their
// own.
#pragma once

#include "scenario/yaml/node.h"

namespace headroom {

/// Makes the `switches:` of two resolved scenarios comparable. Entries of the same match that both have a
/// configuration get all its fields as `buffer.tables`, below the scenario's own. If only one of two has a
/// setting (`ecn` of a class, `pfc.watchdog`), the other gets it from its configuration. An unreadable
/// configuration stays as it is.
void SpellOutSonic(Node& a, Node& b);

}  // namespace headroom
