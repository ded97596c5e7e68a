// Entries of `switches:`, `nics:` and `hosts:` that two resolved scenarios can be compared by.
#pragma once

#include "scenario/yaml/node.h"

namespace headroom {

/// Gives both the same entries: where one says in an entry of its own what the other has in a wider one, the
/// wider is divided. Entries of other nodes, or unreadable ones, stay as they are.
void GiveSameEntries(Node& a, Node& b);

}  // namespace headroom
