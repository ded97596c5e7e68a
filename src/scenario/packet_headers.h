// Header fields of packets that may be taken out of order, and those for the congestion control of their
// sender.
//
// Sizes: Mittal et al., Revisiting Network Support for RDMA, SIGCOMM 2018, section 5.3 (every packet of a
// WRITE has a RETH, packets of SENDs say which RECV they take). A NACK names the packet that came, too. The
// 4 bytes of both numbers are ours.
//
// Wang et al., A fast RDMA method for unreliable networks, names the fields of packets, not the bytes. Ours
// are 12 bits of context, 20 of the message's number and 32 of the packet's index. They are on data, READ
// requests, requests for a context, their answers and requests to send again. With counter 32 bits say which
// try it is, and 32 the index; with sender_window an ACK names a packet that came before its turn in 4 bytes.
#pragma once

#include "scenario/scenario.h"

namespace headroom {

/// Sets the scenario's frames by how its NICs recover from loss and control congestion. REQUIRES: all recover
/// in the same way. Where their controls differ, `feedback` is the largest of them.
void SetPacketHeaders(Scenario& scenario);

/// Data of this host, and their ACKs.
FrameFormat FramesOf(const Scenario& scenario, NodeId sender);
/// The share of payload in the wire bytes of full packets of the sender's connections.
double PayloadShareOf(const Scenario& scenario, NodeId sender);
/// Whether ACKs come for its READ responses, for its congestion control.
bool HearsOfResponses(const Scenario& scenario, NodeId sender);

}  // namespace headroom
