// Makes the `switches:`, `nics:` and `hosts:` of two resolved scenarios comparable entry by entry.
#pragma once

#include "scenario/yaml/node.h"

namespace headroom {

/// Gives both scenarios the same entries. If a wider entry of one scenario matches a node for which the other
/// has its own entry, the wider entry is divided. Entries of other nodes, and unreadable entries, do not
/// change.
void GiveSameEntries(Node& a, Node& b);

}  // namespace headroom
