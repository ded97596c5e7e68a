// Entries of `switches:`, `nics:` and `hosts:` that two resolved scenarios can be compared by.
#pragma once

#include "scenario/yaml/node.h"

namespace headroom {

/// Gives both the same entries. If one has an entry of its own for a node that a wider entry of the other
/// matches, the wider one is divided. Entries of other nodes, or unreadable ones, stay as they are.
void GiveSameEntries(Node& a, Node& b);

}  // namespace headroom
