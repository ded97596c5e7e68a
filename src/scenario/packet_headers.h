// Header fields of packets that may be taken out of order, and header fields for their sender's congestion
// control.
//
// Sizes: Mittal et al., Revisiting Network Support for RDMA, SIGCOMM 2018, section 5.3 (every packet of a
// WRITE has a RETH, packets of SENDs name the RECV that they use). A NACK also names the packet that arrived.
// The 4 bytes of both numbers are ours.
//
// Wang et al., A fast RDMA method for unreliable networks, names the fields of packets, but not their sizes.
// Ours are 12 bits of context, 20 of the message's number and 32 of the packet's index. They are on data,
// READ requests, requests for a context, their answers and retransmission requests. With counter, 32 bits
// identify the try, and 32 the index; with sender_window, an ACK names a packet that arrived before its turn
// in 4 bytes.
#pragma once

#include "scenario/scenario.h"

namespace headroom {

/// Sets the scenario's frames according to its NICs' loss recovery and congestion control. REQUIRES: all NICs
/// use the same recovery. If their controls differ, `feedback` is the largest.
void SetPacketHeaders(Scenario& scenario);

/// The frames of this host's data, and of their ACKs.
FrameFormat FramesOf(const Scenario& scenario, NodeId sender);
/// The share of payload in the wire bytes of full packets of the sender's connections.
double PayloadShareOf(const Scenario& scenario, NodeId sender);
/// Whether the sender gets ACKs for its READ responses, for its congestion control.
bool HearsOfResponses(const Scenario& scenario, NodeId sender);

}  // namespace headroom
