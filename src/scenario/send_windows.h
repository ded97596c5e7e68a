// How many packets queue pairs may have on their way, of each pair of hosts and path.
//
// Source: Mittal et al., Revisiting Network Support for RDMA, SIGCOMM 2018, section 3.2: a flow has at most
// one bandwidth-delay product in flight, counted in packets. There it is the product of the longest path of
// the network; here that of the queue pair's own path.
#pragma once

#include <vector>

#include "net/topology/routing.h"
#include "scenario/scenario.h"
#include "sim/whole_ns.h"

namespace headroom {

/// One transmission on the way.
struct IdealHop {
  Rate rate;
  Time delay;    ///< propagation and transceivers
  Time latency;  ///< of the node that sends: a switch's, from last bit in to first bit out, or the host's
                 ///< tx_latency
  bool whole_ns = false;  ///< as FrameFormat
  /// The time of a transmission.
  Time Takes(Bytes on_wire) const {
    return whole_ns ? WholeNanoseconds(on_wire, rate) : SerializationTime(on_wire, rate);
  }
  bool operator==(const IdealHop&) const = default;
};
std::vector<IdealHop> IdealHops(const Scenario& scenario, const std::vector<PathHop>& way);

/// From posting a WRITE of one full packet to its completion, alone. REQUIRES: a hop each way.
Time BaseRoundTrip(const Scenario& scenario, NodeId sender, NodeId receiver,
                   const std::vector<IdealHop>& data, const std::vector<IdealHop>& acks);

/// Packets of one bandwidth-delay product of this path.
uint64_t BandwidthDelayPackets(const Scenario& scenario, NodeId sender, NodeId receiver,
                               const std::vector<IdealHop>& data, const std::vector<IdealHop>& acks);

/// Packets that a queue pair of `sender` may have in flight to `receiver`, by hops there and back. Without
/// any: the part that does not depend on the path.
uint64_t WindowPackets(const Scenario& scenario, NodeId sender, NodeId receiver,
                       const std::vector<IdealHop>& data, const std::vector<IdealHop>& acks);

/// What the control of a queue pair knows beforehand. REQUIRES: a hop each way.
ControlPath ControlPathOf(const Scenario& scenario, NodeId sender, NodeId receiver,
                          const std::vector<IdealHop>& data, const std::vector<IdealHop>& acks);
/// Whether some NIC has another congestion control than DCQCN or none.
bool HasControls(const Scenario& scenario);
/// Whether switches write records into the frames of one.
bool HasRecords(const Scenario& scenario);

inline bool HasWindow(const NicParameters& nic) {
  return nic.transport.window.kind != SendWindow::Kind::none;
}
/// Whether some NIC limits what its queue pairs have on their way.
bool HasWindows(const Scenario& scenario);
/// Whether some switch treats the first window of a sender apart.
bool MarksFirstWindows(const Scenario& scenario);
/// Whether queue pairs to a peer share a buffer, in which each packet stays until its ACK.
inline bool HasPeerBuffers(const Scenario& scenario) {
  using Type = RecoveryParameters::Type;
  return !scenario.nics.empty() && scenario.nics.front().transport.recovery.type == Type::sender_window;
}
/// Whether messages need a context at their receiver.
inline bool HasContexts(const Scenario& scenario) {
  return !scenario.nics.empty() && scenario.nics.front().transport.recovery.HasContexts();
}

}  // namespace headroom
