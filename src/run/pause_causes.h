// Determines the causes of pauses from the contents of the groups that pause.
//
// While a node pauses its peer, its group's bytes are weighted over the paused time, by the egress queue in
// which they wait and by tag. For frames in a queue that is not paused, that queue is the cause. For frames
// in a paused queue, the cause is the pause that stops the queue, which the PFC frame names. So the search
// follows pauses along the frames' path, to queues that are not paused, receive buffers of NICs, and storms.
//
// So the share of a root in a pause is a probability. Choose a random byte of the group at an instant of the
// pause, and go to the queue in which it waits. If that queue is paused, do the same for the pause that stops
// it, until a root is reached. A walk that never ends is in a cycle.
//
// Compare: Hawkeye, SIGCOMM 2025, which infers such a graph from telemetry of switches.
#pragma once

#include <array>
#include <vector>

#include "net/topology/far_ends.h"
#include "run/deadlock.h"
#include "run/network.h"
#include "run/recording/records.h"
#include "sim/exchange.h"
#include "sim/lazy.h"

namespace headroom {

class PauseCauses final : public Freight {
 public:
  /// From now on the switches count the contents of their groups; `tags` as in Switch::CountContents.
  /// `network` outlives this. REQUIRES: nothing was sent yet.
  PauseCauses(Network& network, int tags);

  /// A port reports a pause; `pause`: its number. Rank r of n (sim/parts.h) gives the numbers r, r + n, … to
  /// its pauses.
  void OnPause(NodeId node, uint16_t port, const PauseChange& change, uint32_t pause);
  /// The queues of `cycle` wait only for each other.
  void OnDeadlock(const std::vector<PausedQueue>& cycle);
  /// The run is over.
  void Close();
  /// With several ranks (sim/parts.h): what this rank knows of its pauses. REQUIRES: Close was called.
  template <class P>
  void PackShare(P& pack) {
    pack(held_, circular_);
  }
  /// The causes of all pauses that were sent. `numbers`: of these pauses. `shares`: those of the other ranks,
  /// by rank. Call it once, on rank 0. REQUIRES: Close was called.
  std::vector<PauseCause> Resolve(const std::vector<PauseRecord>& pauses,
                                  const std::vector<uint32_t>& numbers, const std::vector<Packet>& shares);

  // To other ranks: the pauses that have begun at the far ends of their links.
  void Pack(int to_rank, Packer& to) override;
  void Unpack(int from_rank, Unpacker& from) override;

 private:
  // A holder, which stops a queue, is a pause's number or one of these values.
  static constexpr uint32_t kNobody = UINT32_MAX, kBlocked = UINT32_MAX - 1;
  /// Contents of a group: bytes × ps that waited in a queue while `holder` stopped it.
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
    std::vector<Begun> begun;                                  ///< pauses that the port sent
    std::array<uint32_t, kPriorities> stopped_by{}, holder{};  ///< indexed by priority; indexed by queue
    PortState() { stopped_by.fill(kNobody), holder.fill(kNobody); }
  };
  /// A pause that began at a port whose link leads to another rank.
  struct BegunAtCut {
    NodeId node = 0;
    uint16_t port = 0;
    Begun begun;
  };
  /// A pause that a switch is now sending.
  struct Open {
    uint32_t pause = 0;
    uint16_t in = 0;
    uint8_t group = 0;
  };
  struct NodeState {
    std::vector<Lazy<PortState>> ports;
    std::vector<Open> open;
  };

  bool IsSwitch(NodeId node) const { return node >= network_.scenario().topology.hosts; }
  void OnBlock(const Port& port);
  void Begin(NodeId node, uint16_t port, const PauseChange& change, uint32_t pause);
  void End(NodeId node, uint32_t pause);
  uint32_t PauseOf(NodeId node, uint16_t port, const PauseChange& change) const;
  void UpdateHolders(NodeId node, uint16_t port);
  void SetHolder(NodeId node, uint16_t port, int queue, uint32_t holder);
  void Join(const std::vector<PauseRecord>& pauses, const std::vector<uint32_t>& numbers,
            const std::vector<Packet>& shares);
  void Note(NodeId node, uint16_t in, uint8_t group, const GroupContents::Part& part, double weight);

  Network& network_;
  std::vector<std::vector<FarEnd>> far_ends_;
  std::vector<NodeState> nodes_;
  std::vector<NodeId> node_of_;          ///< indexed by the port's event entity
  std::vector<std::vector<Held>> held_;  ///< by the count of a pause on its rank; after Join, by its index
  struct Circular {
    uint32_t pause;
    PausedQueue first;  ///< first queue of the cycle
    uint32_t deadlock;  ///< its number
  };
  std::vector<Circular> circular_;  ///< pauses that a deadlock maintains
  uint32_t deadlocks_ = 0;
  const uint32_t ranks_;
  std::vector<std::vector<BegunAtCut>> begun_at_cuts_;  ///< by rank at the far end
};

}  // namespace headroom
