// Finds out when lossless traffic stands still for good: a cycle of ports each of which is paused because of the
// next.
//
// Source: the cyclic buffer dependency of Hu et al., Deadlocks in Datacenter Networks, HotNets 2016.
#pragma once

#include <string>
#include <vector>

#include "scenario/network.h"

namespace headroom {

/// An egress queue that is paused while it holds frames.
struct PausedQueue {
  NodeId node = 0;
  uint16_t port = 0;
  uint8_t priority = 0;
  bool operator==(const PausedQueue&) const = default;
};

/// A cycle of paused queues in which each waits for the next: the frames of the next, at the far end of its link,
/// hold the group that pauses it. Empty: there is none now.
std::vector<PausedQueue> FindPauseCycle(Network& network);

/// Looks for a cycle from time to time; one whose ports sent nothing between two looks is a deadlock.
class DeadlockWatch {
 public:
  explicit DeadlockWatch(Network& network) : network_(network) {}
  /// True once a deadlock is certain.
  bool Look();
  /// The cycle, node by node: "s0:p1 (priority 3) waits for s1:p0 …".
  std::string Describe() const;
  const std::vector<PausedQueue>& cycle() const { return cycle_; }

 private:
  uint64_t Sent() const;
  Network& network_;
  std::vector<PausedQueue> cycle_;
  uint64_t sent_ = 0;
};

}  // namespace headroom
