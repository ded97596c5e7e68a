// The completion time of a reliable message that is alone in the network, which slowdowns refer to.
//
// Model: The message is cut into frames of `mtu` payload bytes, the first with a RETH, the last shorter.
// Other verbs have other extended headers. Frames leave the sender back to back at line rate, the first after
// the host's latency. Each hop stores and forwards in order. A frame starts on a hop when the node's latency
// has passed since its last bit arrived, and the previous frame has left. The receiver sends an ACK for every
// `ack_every`-th frame and for the last; ACKs queue behind each other on their own path back. The message is
// complete when the last ACK has taken effect at the sender. A READ begins with a request on the path of the
// ACKs. Its responses are not acknowledged, and it is complete when the last response has taken effect at the
// receiver.
//
// The start times obey start(i, j) = max(end(i-1, j), end(i, j-1) + constants): the answer is the heaviest
// monotone path through a grid of frames × hops. Frames between the first and the last are equal, so a path
// has a closed form: m equal frames through hops with costs c weigh Σc + (m−1)·max c. The time is quadratic
// in hops and does not depend on the message's size; the result is exact to the picosecond.
//
// A message with more packets than the sender's `transport.window` has no closed form: a packet waits for the
// ACK that opens the window, and starts a tx_latency later. It is computed packet by packet, with the same
// exactness.
#pragma once

#include <vector>

#include "net/frame_format.h"
#include "nic/transport/psn.h"
#include "scenario/send_windows.h"

namespace headroom {

/// The connection of a pair of hosts.
struct IdealPath {
  std::vector<IdealHop> data;  ///< sender to receiver
  std::vector<IdealHop> acks;  ///< receiver to sender
  Time receiver_rx_latency;
  Time sender_rx_latency;
  int64_t mtu = 1024;
  FrameFormat frames;
  int ack_every = 1;
  int64_t window = static_cast<int64_t>(
      kPsnWindow);    ///< packets of the sender that may be in flight; READ responses have no limit
  bool asks = false;  ///< the sender requests a context before it sends a message
};

/// The time from posting to completion. REQUIRES: at least one hop each way, rates > 0, mtu > 0, ack_every >
/// 0, size ≥ 0 (no payload is one frame); a verb that a workload may have.
Time IdealCompletion(const IdealPath& path, Bytes size, Operation verb = Operation::write);

/// The time from posting until the last frame has taken effect at the receiver: one direction, without ACKs.
Time IdealArrival(const IdealPath& path, Bytes size, Operation operation);

}  // namespace headroom
