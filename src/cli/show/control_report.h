// The table `control` of `show`: what the congestion controls of hosts need of switches and NICs, and whether
// the scenario's switches give it.
//
// The needs follow from what a control asks of the NIC (congestion/control.h), so those of a program's own
// have them too.
#pragma once

#include <ostream>

#include "cli/show/operator_tables.h"
#include "cli/show/show.h"

namespace headroom {

/// Throws std::invalid_argument where the pattern matches no host.
void ShowControls(const RunFiles& run, const ShowOptions& options, std::ostream& out);

}  // namespace headroom
