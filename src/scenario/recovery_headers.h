// What packets say of themselves where they are not taken in order.
//
// Sizes: Mittal et al., Revisiting Network Support for RDMA, SIGCOMM 2018, section 5.3 (every packet of a
// WRITE has a RETH, packets of SENDs say which RECV they take). A NACK names the packet that came, too. The
// 4 bytes of both numbers are ours.
#pragma once

#include "scenario/scenario.h"

namespace headroom {

/// Sets the scenario's frames by how its NICs recover from loss. REQUIRES: all in the same way.
void SetRecoveryHeaders(Scenario& scenario);

}  // namespace headroom
