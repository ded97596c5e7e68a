// Inserted between the ports of a node and the node while some queue is closed. Frames for a closed queue,
// and frames of a closed group, are dropped on arrival.
//
// With nothing closed the ports call the node itself, so a frame's path has no trace of this.
#pragma once

#include <array>
#include <vector>

#include "net/port.h"

namespace headroom {

class ClosedQueues final : public PortOwner {
 public:
  /// `owner` is the node behind these ports, which are its own in the order of their indices. Both outlive
  /// this. `drains`: frames wait elsewhere than in the queues of the ports, and are dropped as they go out.
  ClosedQueues(PortOwner* owner, std::vector<Port*> ports, bool drains);
  /// Another owner in its place.
  void SetOwner(PortOwner* owner);

  /// The watchdog's: what waits in the queue is dropped, what comes for it, and what comes in at the port in
  /// this group.
  void Close(Port& port, int queue, int group);
  void Open(Port& port, int queue, int group);
  /// The link at this port is down, or up again: the same with all its queues.
  void SetLinkUp(Port& port, bool up);
  /// The node takes nothing in, PFC frames included.
  void SetDeaf(bool deaf);
  /// The egress of a frame is looked up as it comes in from now on, and not ahead of time: routes change.
  void RouteLate();

  /// Packets that the watchdog dropped on their way out by a queue, and as they came in in a group.
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
  void Drop(Port& port, Frame* frame, DropReason reason);

  PortOwner* owner_;
  std::vector<Port*> ports_;
  bool drains_;
  std::vector<PortState> states_;
  bool route_late_ = false;
  bool deaf_ = false;
};

}  // namespace headroom
