// The fabric between the ports of a chassis: virtual output queues on the ingress line cards, and credits
// from the egress ports.
//
// A virtual output queue requests credit for every frame. An egress port grants requests: strict queues
// first, then by deficit-weighted round robin; the line cards of one queue are served in round-robin order.
// The queue sends its first frame as long as it has credit. If a frame is longer than the credit, the next
// grant pays the rest. Requests, grants and frames each take the latency of the fabric, so a lone frame takes
// three. A port grants slightly faster than it sends, and grants each queue only as much as it has room for.
// So a paused queue delays its own virtual output queues and no others.
//
// Identity, for each virtual output queue: bytes queued = requests in flight + requests at the egress port +
// grants in flight + credit in hand.
#pragma once

#include <vector>

#include "net/port.h"
#include "sim/event_queue.h"
#include "switch/buffer/qos_maps.h"
#include "switch/chassis_parameters.h"
#include "switch/deep_memory.h"

namespace headroom {

class VoqFabric final : public EventTarget {
 public:
  /// The switch, which is called when a frame leaves its ingress line card.
  class Owner {
   public:
    /// `left` bytes remain for the same queue of the same port on all line cards.
    virtual void LeftVirtualQueue(Port& out, Frame& frame, int64_t left) = 0;

   protected:
    ~Owner() = default;
  };

  struct EgressPort {
    Port* port = nullptr;
    std::array<QueueScheduling, kPriorities> scheduling{};  ///< WRR shares by bytes here, like DWRR
  };

  /// `pipeline`: time in a line card until a frame is in its virtual output queue. `node`: the ns-3 node
  /// under which events run.
  VoqFabric(const ChassisParameters& parameters, Owner* owner, const std::vector<EgressPort>& ports,
            Time pipeline, EntityId entity);

  /// Whether the line card of port `in` has room for `bytes`.
  bool HasRoom(uint32_t in, int64_t bytes) const;
  /// The cause of a drop when it has none.
  DropCause Full(uint32_t in) const;
  /// Takes a frame that arrived at `in` for `queue` of port `out`; it does not leave before frame->ready.
  /// REQUIRES: HasRoom(in, frame->charge).
  void Accept(uint32_t in, uint32_t out, int queue, Frame* frame);
  /// A frame left `queue` of port `out`, so there may be room for more.
  void Sent(uint32_t out, int queue);

  /// Bytes in the virtual output queues of `queue` of port `out`, on all line cards.
  int64_t Waiting(uint32_t out, int queue) const { return egress_[out].queues[queue].waiting; }
  int64_t PeakWaiting(uint32_t out, int queue) const { return egress_[out].queues[queue].peak; }
  /// The frames on one line card.
  const FrameFifo& frames(uint32_t out, int queue, int line_card) const {
    return voqs_[At(out, queue, static_cast<uint32_t>(line_card))].frames;
  }
  const DeepMemory& memory(int line_card) const { return memories_[line_card]; }
  int line_cards() const { return static_cast<int>(memories_.size()); }
  void ResetPeaks();
  /// Whether the identity at the head of this file holds for every queue.
  bool Consistent() const;

  void OnEvent(uint64_t arg) override;

 private:
  enum class What : uint8_t { request, grant, tick };
  struct VirtualQueue {
    FrameFifo frames;
    QueueParts parts;
    int64_t asked = 0, wanted = 0, granted = 0, credit = 0;
  };
  struct EgressQueue {
    int64_t waiting = 0;      ///< bytes in its virtual output queues
    int64_t peak = 0;         ///< maximum of `waiting`
    int64_t outstanding = 0;  ///< granted bytes that are in flight
    int64_t wanted = 0;       ///< Σ over its virtual output queues
    int64_t deficit = 0;
    int64_t quantum = 0;     ///< quantum of its turns; 0: strict
    uint32_t last_card = 0;  ///< the last line card that was granted something
    Time last_ready;         ///< frames become ready in order
  };
  struct Egress {
    Port* port = nullptr;
    uint32_t card = 0;  ///< line card of the port
    int64_t room = 0;   ///< room of each queue
    std::array<EgressQueue, kPriorities> queues;
    uint8_t turn = 0;
    bool ticking = false;
    Time next_grant;
  };

  size_t At(uint32_t out, int queue, uint32_t card) const {
    return (size_t{out} * kPriorities + static_cast<size_t>(queue)) * memories_.size() + card;
  }
  uint32_t CardOf(uint32_t port) const { return egress_[port].card; }
  void OnRequest(size_t voq, int64_t bytes);
  void OnGrant(size_t voq, int64_t bytes);
  void Kick(uint32_t out);
  void Grant(uint32_t out);
  int PickQueue(Egress& e) const;
  /// Sends a message or frame across the fabric.
  void Send(What what, uint64_t voq, int64_t bytes);

  int64_t credit_;
  double speedup_;
  Time latency_;
  Owner* owner_;
  std::vector<DeepMemory> memories_;
  std::vector<Egress> egress_;
  std::vector<VirtualQueue> voqs_;
  EntityId entity_;
  uint64_t events_ = 0;
  Time request_latency_;
  LaneId lane_, request_lane_;  ///< lanes of frames and requests that cross the fabric
};

}  // namespace headroom
