// The headroom that a scenario's links need, term by term.
#pragma once

#include "pfc/link_headroom.h"
#include "scenario/scenario.h"

namespace headroom {

/// The bytes that can still arrive at the switch `receiver` over `link` after it paused its peer, in the
/// worst case of the scenario. A full data frame delays the pause. Then come the lossless frames that waste
/// most of a cell. A host acts on a pause after the response time set at its switch, a switch after its own
/// response time. REQUIRES: `receiver` is a switch at one end of the link.
LinkHeadroom HeadroomOfLink(const Scenario& scenario, const TopologyLink& link, NodeId receiver);

/// The input of HeadroomOfLink.
LinkHeadroomInput HeadroomInputOfLink(const Scenario& scenario, const TopologyLink& link, NodeId receiver);

/// The same for the receive buffer of a NIC, which counts bytes and not cells. REQUIRES: `host` is at one end
/// of the link, a switch at the other.
LinkHeadroomInput HeadroomInputOfNic(const Scenario& scenario, const TopologyLink& link, NodeId host);

/// Whether TCP's packets have this priority.
bool HasTcp(const Scenario& scenario, uint8_t priority);

}  // namespace headroom
