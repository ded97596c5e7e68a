// Determines where pauses come from, by the contents of the groups that pause.
//
// While a node pauses its peer, the bytes of its group are weighed over the paused time by the egress queue
// in which they wait and by tag. Frames in a queue that is not paused have their cause there. For frames in a
// paused queue it is in the pause that stops the queue, which the PFC frame names. So the search goes from
// pause to pause along the frames' path, to queues that nothing pauses, receive buffers of NICs, and storms.
//
// So the share of a root in a pause is a probability. Pick a byte of the group at an instant of the pause and
// go to the queue that it waits in. If that queue is paused, do the same at the pause that stops it, until
// the root. A walk that never ends is in a cycle.
//
// Compare: Hawkeye, SIGCOMM 2025, which infers such a graph from telemetry of switches.
#pragma once

#include <array>
#include <vector>

#include "run/deadlock.h"
#include "run/far_ends.h"
#include "run/network.h"
#include "run/records.h"

namespace headroom {

class PauseCauses {
 public:
  /// From now on the switches count the contents of their groups; `tags` as in Switch::CountContents.
  /// `network` outlives this. REQUIRES: nothing was sent yet.
  PauseCauses(Network& network, int tags);

  /// What a port notes; `pause`: its record's place.
  void OnPause(NodeId node, uint16_t port, const PauseChange& change, uint32_t pause);
  /// These queues wait for one another and for nobody else.
  void OnDeadlock(const std::vector<PausedQueue>& cycle);
  /// The causes of all pauses that were sent, once the run is over.
  std::vector<PauseCause> Resolve(const std::vector<PauseRecord>& pauses);

 private:
  // The cause that stops a queue, in place of a pause's number.
  static constexpr uint32_t kNobody = UINT32_MAX, kBlocked = UINT32_MAX - 1;
  /// What a group held: bytes × ps that waited in a queue while `holder` stopped it.
  struct Held {
    uint32_t holder = kNobody;
    uint16_t out = 0;
    uint8_t queue = 0, tag = 0;
    double weight = 0;
  };
  struct Begun {
    uint32_t number = 0, pause = 0;
    uint8_t priority = 0;
  };
  struct PortState {
    std::vector<Begun> begun;                                  ///< pauses that it sent
    std::array<uint32_t, kPriorities> stopped_by{}, holder{};  ///< by priority; by queue
    PortState() { stopped_by.fill(kNobody), holder.fill(kNobody); }
  };
  /// A pause that a switch sends now.
  struct Open {
    uint32_t pause = 0;
    uint16_t in = 0;
    uint8_t group = 0;
  };
  struct NodeState {
    std::vector<PortState> ports;
    std::vector<Open> open;
  };

  bool IsSwitch(NodeId node) const { return node >= network_.scenario().topology.hosts; }
  void OnBlock(const Port& port);
  void Begin(NodeId node, uint16_t port, const PauseChange& change, uint32_t pause);
  void End(NodeId node, uint32_t pause);
  uint32_t PauseOf(NodeId node, uint16_t port, const PauseChange& change) const;
  void UpdateHolders(NodeId node, uint16_t port);
  void SetHolder(NodeId node, uint16_t port, int queue, uint32_t holder);
  void Note(NodeId node, uint16_t in, uint8_t group, const GroupContents::Part& part, double weight);

  Network& network_;
  std::vector<std::vector<FarEnd>> far_ends_;
  std::vector<NodeState> nodes_;
  std::vector<NodeId> node_of_;          ///< by the port's event entity
  std::vector<std::vector<Held>> held_;  ///< by pause
  struct Circular {
    uint32_t pause;
    PausedQueue first;  ///< of the cycle
  };
  std::vector<Circular> circular_;  ///< pauses that a deadlock holds
};

}  // namespace headroom
