// A filter between a node and its ports while some queue is closed. Frames for a closed queue, and frames of
// a closed group, are dropped on arrival.
//
// If nothing is closed, the ports call the node directly, so the filter costs a frame nothing.
#pragma once

#include <array>
#include <vector>

#include "net/port.h"

namespace headroom {

class ClosedQueues final : public PortOwner {
 public:
  /// `owner` is the node behind these ports, which are the node's own in the order of their indices. The node
  /// and the ports must outlive this object. `drains`: frames wait elsewhere than in the queues of the ports,
  /// and are dropped when they leave.
  ClosedQueues(PortOwner* owner, std::vector<Port*> ports, bool drains);
  /// Replaces the owner.
  void SetOwner(PortOwner* owner);

  /// For the watchdog: drops the frames that wait in the queue, the frames that arrive for it, and the frames
  /// that arrive at the port in this group.
  void Close(Port& port, int queue, int group);
  void Open(Port& port, int queue, int group);
  /// The link at this port goes down, or comes up: closes or opens all its queues in the same way.
  void SetLinkUp(Port& port, bool up);
  /// The node receives nothing, PFC frames included.
  void SetDeaf(bool deaf);
  /// From now on the egress of a frame is looked up when it arrives, not in advance, because routes change.
  void RouteLate();

  /// The numbers of packets that the watchdog dropped when they left a queue, and when they arrived in a
  /// group.
  uint64_t dropped_out(const Port& port, int queue) const;
  uint64_t dropped_in(const Port& port, int group) const;

  void Receive(Port& port, Frame* frame) override;
  void Prepare(const Port& port, Frame& frame) const override;
  void ReceivePfc(Port& port, const Frame& frame) override {
    if (!deaf_) owner_->ReceivePfc(port, frame);
  }
  void Dequeued(Port& port, Frame& frame, int64_t left) override { owner_->Dequeued(port, frame, left); }
  void Discarded(Port& port, Frame& frame) override { owner_->Discarded(port, frame); }

 private:
  struct PortState {
    uint8_t queues = 0, groups = 0;  ///< closed by the watchdog
    bool down = false;
    std::array<uint64_t, kPriorities> out{}, in{};
  };
  void Install();
  void Drop(Port& port, Frame* frame, const DropCause& cause);

  PortOwner* owner_;
  std::vector<Port*> ports_;
  bool drains_;
  std::vector<PortState> states_;
  bool route_late_ = false;
  bool deaf_ = false;
};

}  // namespace headroom
