// The number of packets that queue pairs may have in flight, for each pair of hosts and path.
//
// Source: Mittal et al., Revisiting Network Support for RDMA, SIGCOMM 2018, section 3.2: a flow has at most
// one bandwidth-delay product in flight, counted in packets. The paper uses the product of the network's
// longest path; here each queue pair uses the product of its own path.
#pragma once

#include <vector>

#include "net/topology/routing.h"
#include "scenario/scenario.h"
#include "sim/whole_ns.h"

namespace headroom {

/// One transmission on the path.
struct IdealHop {
  Rate rate;
  Time delay;    ///< propagation and transceivers
  Time latency;  ///< of the sending node: for a switch, from last bit in to first bit out; for a host, its
                 ///< tx_latency
  bool whole_ns = false;  ///< as in FrameFormat
  /// The time of a transmission.
  Time Takes(Bytes on_wire) const {
    return whole_ns ? WholeNanoseconds(on_wire, rate) : SerializationTime(on_wire, rate);
  }
  bool operator==(const IdealHop&) const = default;
};
std::vector<IdealHop> IdealHops(const Scenario& scenario, const std::vector<PathHop>& path);

/// The time from posting a WRITE of one full packet to its completion, without other traffic. REQUIRES: at
/// least one hop in each direction.
Time BaseRoundTrip(const Scenario& scenario, NodeId sender, NodeId receiver,
                   const std::vector<IdealHop>& data, const std::vector<IdealHop>& acks);

/// The number of packets in one bandwidth-delay product of this path.
uint64_t BandwidthDelayPackets(const Scenario& scenario, NodeId sender, NodeId receiver,
                               const std::vector<IdealHop>& data, const std::vector<IdealHop>& acks);

/// Packets that a queue pair of `sender` may have in flight to `receiver`, given the hops in both directions.
/// Without hops: the part that does not depend on the path.
uint64_t WindowPackets(const Scenario& scenario, NodeId sender, NodeId receiver,
                       const std::vector<IdealHop>& data, const std::vector<IdealHop>& acks);

/// The facts that the control of a queue pair knows at its start. REQUIRES: at least one hop in each
/// direction.
ControlPath ControlPathOf(const Scenario& scenario, NodeId sender, NodeId receiver,
                          const std::vector<IdealHop>& data, const std::vector<IdealHop>& acks);
/// Whether some NIC has a congestion control other than DCQCN.
bool HasControls(const Scenario& scenario);

inline bool HasWindow(const NicParameters& nic) {
  return nic.transport.window.kind != SendWindow::Kind::none;
}
/// Whether some NIC limits the packets in flight of its queue pairs.
bool HasWindows(const Scenario& scenario);
/// Whether some switch treats a sender's first window differently.
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
