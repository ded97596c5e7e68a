// The two ports of a NIC that share its address: the ends of a link aggregation group (IEEE 802.1AX) whose
// other end are one switch or two.
//
// A five-tuple is hashed to one of the ports, as conversations are (IEEE 802.1AX-2020, 6.2.4). The NIC leaves
// out ports that do not work, and ports from which no route leads to the destination. A port counts as
// working or not once its link has kept its state for `detection`.
#pragma once

#include <array>
#include <cstdint>

#include "net/topology/routing.h"
#include "pfc/pause_receiver.h"
#include "pfc/pause_sender.h"

namespace headroom {

struct Bond {
  static constexpr uint32_t kPorts = 2;

  RouteTable routes;     ///< of the host
  uint8_t left_out = 0;  ///< a bit for each own port that the routes leave out because its link is down
  uint32_t seed = 0;     ///< of the hash
  Time detection;
  // Of the second port; the NIC has those of the first.
  PauseReceiver pause_receiver;
  PauseSender pause_sender;
  uint8_t working = 3;                 ///< a bit for each port
  std::array<Time, kPorts> changed{};  ///< when the port's link last went down or came up

  /// The port for this five-tuple.
  uint32_t PortTo(NodeId host, uint32_t flow_hash) const {
    uint8_t leads = left_out;
    for (const uint16_t port : routes.NextHops(host)) leads |= static_cast<uint8_t>(1u << port);
    return Choose((leads & working) != 0 ? leads & working : working, flow_hash);
  }
  /// The same for datagrams, whose queue pair has no single destination.
  uint32_t PortFor(uint32_t hash) const { return Choose(working, hash); }

 private:
  /// If no port works, the hash still chooses one, which waits for its link.
  uint32_t Choose(uint32_t among, uint32_t hash) const {
    return among == 1 ? 0 : among == 2 ? 1 : EcmpChoice(hash, seed, kPorts);
  }
};

}  // namespace headroom
