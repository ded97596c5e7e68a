// Finds lossless traffic that has stopped for good: paused queues that wait only for each other.
//
// A paused queue waits until the group at the far end of its link is XON, and so until frames of that group
// leave. It waits for ever if every queue with frames of the group does. A queue that still drains resumes it
// at some time, even if other queues are stuck. A *closed set* is a set of paused queues that contains, for
// each member, all queues for which the member waits. A queue of a closed set continues only
//
// - if a frame or an XON in flight at the time of the check changes something, or
// - if its pause expires, because it is not refreshed in time.
//
// Both happen within `interval`. So a closed set is a deadlock if its queues have sent nothing, and have
// received no XON, since they were last seen in a closed set an interval ago. (The check omits that the link
// may lose refreshes, one after the other, until a pause expires.)
//
// Source: the cyclic buffer dependency of Hu et al., Deadlocks in Datacenter Networks, HotNets 2016.
#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "net/topology/far_ends.h"
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
  /// `network` must outlive this object.
  explicit DeadlockWatch(Network& network);
  /// The time between two checks: more than the longest unrefreshed pause and than any frame's time between
  /// two switches; at least 1 ms.
  Time interval() const { return interval_; }
  /// Checks for a closed set. Returns true once a deadlock is certain.
  bool Look();
  /// After Look has returned true: a cycle of queues, each of which waits for the next.
  const std::vector<PausedQueue>& cycle() const { return cycle_; }
  /// After Look has returned true: whether a watchdog will end a pause of the cycle.
  bool breaks() const { return breaks_; }
  /// The cycle, node by node: "s0:p1 (priority 3) waits for s1:p0 …".
  std::string Describe() const;

 private:
  /// A queue, and the queues for which it waits. It waits for nothing if there are none.
  struct Waiting {
    PausedQueue queue;
    std::vector<PausedQueue> holders;
  };
  /// A member of a closed set, and its counters when it was seen.
  struct Seen {
    PausedQueue queue;
    uint64_t packets = 0;  ///< packets sent by the queue
    uint64_t resumes = 0;  ///< XONs sent to the queue
    bool operator==(const Seen&) const = default;
  };

  /// What a check needs of a link with a paused port. With several ranks (sim/parts.h), each end may be on a
  /// rank of its own, and every rank gets all.
  struct PausedLink {
    // At the paused port:
    NodeId node = 0;
    uint16_t port = 0;
    uint8_t waiting = 0;  ///< queues, one bit each, that are paused while they hold frames
    std::array<uint64_t, kPriorities> sent{};  ///< packets, by queue
    std::array<uint8_t, kPriorities>
        stopped_by{};  ///< by queue: priorities, one bit each, whose pause stops it
    // At the far end, if it is a switch:
    uint8_t xoff = 0;                             ///< groups, one bit each
    std::array<uint8_t, kPriorities> pauses{};    ///< by group: the priorities, one bit each, that it pauses
    std::array<uint64_t, kPriorities> resumes{};  ///< XONs, by priority
    std::array<std::vector<PausedQueue>, kPriorities> holders{};  ///< by group that is XOFF
    template <class P>
    void Pack(P& pack) {
      pack(node, port, waiting, sent, stopped_by, xoff, pauses, resumes);
      for (auto& of_group : holders) pack(of_group);
    }
  };
  void LookAtLinks();
  std::vector<PausedLink> PausedHere() const;
  void LookAtFarEnds(std::vector<PausedLink>& links) const;
  Seen Observe(const PausedQueue& q) const;
  std::vector<PausedQueue> Paused() const;
  std::vector<Waiting> ClosedSetWithin(const std::vector<PausedQueue>& queues) const;

  Network& network_;
  std::vector<std::vector<FarEnd>> far_ends_;  ///< indexed by node and port
  Time interval_;
  std::map<std::pair<NodeId, uint16_t>, PausedLink> links_;  ///< of this check
  std::vector<Seen> seen_;                                   ///< the closed set at the last check
  std::vector<PausedQueue> cycle_;
  bool breaks_ = false;
};

}  // namespace headroom
