// Dimension-order routing on a torus: a frame first goes to its destination's place in the first dimension,
// by the shorter direction, then in the next.
//
// If both directions are equally long, both are next hops, and the hash chooses. The route to a destination
// is fixed, so a link that is down is not avoided.
//
// Deadlock: The links of a ring wait for each other in a cycle once their buffers are full. With a dateline,
// which is the link between the last and the first switch of each ring, frames enter a ring with one
// priority. From the dateline on they continue with another priority, so no priority covers the entire cycle.
// A frame that turns into the next dimension, or to its host, has the first priority again. Sources: Dally
// and Seitz, Deadlock-free message routing in multiprocessor interconnection networks, IEEE Transactions on
// Computers 1987; Dally and Towles, Principles and practices of interconnection networks, sections 8.4
// and 14.2.3.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "net/topology/topology.h"

namespace headroom {

/// The links of the ports of a torus. REQUIRES of the topology: `torus` is not empty.
class TorusPorts {
 public:
  struct Exit {
    int dimension = -1;  ///< −1: to a host
    bool up = false;     ///< leads to the next switch of the ring
    bool down =
        false;  ///< leads to the previous switch; a ring of two switches has one link for both directions
    bool dateline = false;
  };
  explicit TorusPorts(const Topology& topology);

  /// For each port of this switch.
  const std::vector<Exit>& Of(NodeId node) const { return exits_[node - hosts_]; }
  /// The ports of a switch for frames to this host, ascending. `down`: not 0 for links to leave out (empty:
  /// all are up).
  std::vector<uint16_t> NextHops(NodeId node, NodeId host, const std::vector<int>& down) const;

 private:
  std::vector<int> dims_;
  uint32_t hosts_;
  std::vector<std::vector<Exit>> exits_;      ///< indexed by switch and port
  std::vector<std::vector<uint32_t>> links_;  ///< for the same port: index of the link in the topology
};

/// The change of a frame's priority in a switch of a torus.
class Dateline {
 public:
  /// `exits`: for each port of the switch.
  Dateline(std::pair<uint8_t, uint8_t> priorities, std::vector<TorusPorts::Exit> exits)
      : before_(priorities.first), behind_(priorities.second), exits_(std::move(exits)) {}
  uint8_t PriorityAfter(uint16_t in, uint16_t out, uint8_t priority) const {
    if (priority != before_ && priority != behind_) return priority;
    if (exits_[out].dateline) return behind_;
    return exits_[in].dimension == exits_[out].dimension ? priority : before_;
  }

 private:
  uint8_t before_, behind_;
  std::vector<TorusPorts::Exit> exits_;
};

}  // namespace headroom
