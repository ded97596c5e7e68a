// A lower bound for a lone message over TCP.
//
// The sender's core works for each piece of up to 64 KiB and gives it to the socket, which cuts it into
// segments; these leave back to back. The receiver's core works for received bytes, for the whole message in
// total, and not before its first segment arrives. So a message of one piece takes
//
//   core(sent) + max(arrival of the first segment + core(received), arrival of the last)
//
// A message of several pieces takes at least the larger of two sums. The first sum is the core's time for the
// first piece and all bytes on the slowest hop. The second is the core's time for all pieces and the last
// piece on that hop.
//
// The bound omits windows (slow start, a receiver's closed window), waits for ACKs, losses and
// retransmissions, and the handshake. If the window is open, the bound is the time of a short message.
#pragma once

#include "analysis/bounds/ideal_time.h"
#include "protocol/channel/leg_parameters.h"
#include "protocol/core_costs.h"
#include "scenario/scenario.h"

namespace headroom {

/// This path, with TCP's segments and headers.
IdealPath OverTcp(const IdealPath& rdma, int64_t ip_mtu);

/// The time from the call until the receiver has the message, with this many bytes of data behind its header.
/// `way`: a result of OverTcp.
Time TcpMessageTakes(const StorageLeg& leg, int64_t data, const IdealPath& path, const CoreCosts& sender,
                     const CoreCosts& receiver);

/// The message's cost to the cores: exact if nothing is retransmitted.
Time OfTcpSender(const StorageLeg& leg, int64_t data, const CoreCosts& core);
Time OfTcpReceiver(const StorageLeg& leg, int64_t data, const CoreCosts& core);

/// Payload of a full segment, and its frame's other bytes, with FCS.
int64_t TcpSegment(int64_t ip_mtu);
int64_t TcpOverhead(int64_t ip_mtu);

/// Minimum bytes on a wire for this many bytes of a stream.
double TcpOnWire(double bytes, const FrameFormat& frames, int64_t ip_mtu);

/// Whether TCP carries the workload's data from its hosts to the service that it names.
bool IsOverTcp(const Scenario& scenario, const WorkloadParameters& workload);

}  // namespace headroom
