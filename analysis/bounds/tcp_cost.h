// A message over TCP that is alone, from below.
//
// The sender's core works for each piece of up to 64 KiB and gives it to the socket, which cuts it into
// segments; these leave back to back. The receiver's core works for received bytes, for the whole message in
// all, and not before its first segment arrives. So a message of one piece takes
//
//   core(sent) + max(arrival of the first segment + core(received), arrival of the last)
//
// and one of several pieces at least the core's time for the first and all bytes on the slowest hop, or the
// core's for all and the last on that hop.
//
// Left out, and so it is a bound: windows (slow start, a receiver's that is closed), waiting for ACKs, what
// is lost and sent again, and the handshake. With a window that is open it is what a short message takes.
#pragma once

#include "analysis/bounds/ideal_time.h"
#include "protocol/channel/leg_parameters.h"
#include "protocol/core_costs.h"

namespace headroom {

/// This way, with TCP's segments and headers.
IdealPath OverTcp(const IdealPath& way, int64_t ip_mtu);

/// From the call until the receiver has the message, with so many bytes of data behind its header. `way`: as
/// of OverTcp.
Time TcpMessageTakes(const StorageLeg& leg, int64_t data, const IdealPath& way, const CoreCosts& sender,
                     const CoreCosts& receiver);

/// Its cost to the cores: exact if nothing is sent twice.
Time OfTcpSender(const StorageLeg& leg, int64_t data, const CoreCosts& core);
Time OfTcpReceiver(const StorageLeg& leg, int64_t data, const CoreCosts& core);

/// Payload of a full segment, and its frame's other bytes, with FCS.
int64_t TcpSegment(int64_t ip_mtu);
int64_t TcpOverhead(int64_t ip_mtu);

/// Bytes on a wire for so many of a stream, at least.
double TcpOnWire(double bytes, const FrameFormat& frames, int64_t ip_mtu);

}  // namespace headroom
