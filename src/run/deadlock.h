// Finds lossless traffic that stalls for good: paused queues that wait only for one another.
//
// A paused queue waits for the group at the far end of its link to go XON, and so for frames of that
// group to leave. It waits in vain if every queue with frames of the group does. One that still drains
// resumes it sooner or later, however many others are stuck. A *closed set* is a set of paused queues
// that holds, with each of its members, all queues the member waits for. A queue of a closed set goes on
// only
//
// - if a frame or an XON that is on the way when one looks changes something, or
// - if its pause runs out, because it is not refreshed in time.
//
// Both show in the course of `interval`. So a closed set is a deadlock once its queues have sent nothing, and
// have been sent no XON, since they were last seen in a closed set an interval ago. (Left out: that the link
// loses refreshes, one after the other, until a pause runs out.)
//
// Source: the cyclic buffer dependency of Hu et al., Deadlocks in Datacenter Networks, HotNets 2016.
#pragma once

#include <string>
#include <vector>

#include "run/far_ends.h"
#include "run/network.h"

namespace headroom {

/// An egress queue that is paused while it holds frames.
struct PausedQueue {
  NodeId node = 0;
  uint16_t port = 0;
  uint8_t priority = 0;  ///< number of the queue
  auto operator<=>(const PausedQueue&) const = default;
};

class DeadlockWatch {
 public:
  /// `network` outlives this.
  explicit DeadlockWatch(Network& network);
  /// Time to leave between two looks: more than the longest pause lasts unrefreshed and any frame is on the
  /// way between two switches; 1 ms at least.
  Time interval() const { return interval_; }
  /// Looks for a closed set. True once a deadlock is certain.
  bool Look();
  /// After Look has returned true: a cycle of queues, each of which waits for the next.
  const std::vector<PausedQueue>& cycle() const { return cycle_; }
  /// The cycle, node by node: "s0:p1 (priority 3) waits for s1:p0 …".
  std::string Describe() const;

 private:
  /// A queue and the queues that hold what it waits for. None: it waits for nothing.
  struct Waiting {
    PausedQueue queue;
    std::vector<PausedQueue> holders;
  };
  /// A member of a closed set, and what had been sent when it was seen.
  struct Seen {
    PausedQueue queue;
    uint64_t packets = 0;  ///< by the queue
    uint64_t resumes = 0;  ///< to it
    bool operator==(const Seen&) const = default;
  };

  Seen Observe(const PausedQueue& q) const;
  std::vector<PausedQueue> Paused() const;
  std::vector<Waiting> ClosedSetWithin(const std::vector<PausedQueue>& queues) const;

  Network& network_;
  std::vector<std::vector<FarEnd>> far_ends_;  ///< by node and port
  Time interval_;
  std::vector<Seen> seen_;  ///< the closed set at the last look
  std::vector<PausedQueue> cycle_;
};

}  // namespace headroom
