// The table `control` of `show`: the requirements of the hosts' congestion controls on switches and NICs, and
// whether the scenario's switches meet them.
//
// The needs follow from the requests of a control to the NIC (congestion/control.h). So the table also covers
// controls that a program registers.
#pragma once

#include <ostream>

#include "cli/show/operator_tables.h"
#include "cli/show/show.h"

namespace headroom {

/// Throws std::invalid_argument if the pattern matches no host.
void ShowControls(const RunFiles& run, const ShowOptions& options, std::ostream& out);

}  // namespace headroom
