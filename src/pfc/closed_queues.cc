#include "pfc/closed_queues.h"

#include <algorithm>

namespace headroom {

ClosedQueues::ClosedQueues(PortOwner* owner, std::vector<Port*> ports, bool drains)
    : owner_(owner), ports_(std::move(ports)), drains_(drains), states_(ports_.size()) {}

void ClosedQueues::SetOwner(PortOwner* owner) {
  owner_ = owner;
  Install();
}

void ClosedQueues::Install() {
  const bool needed = route_late_ || deaf_ ||
                      std::any_of(states_.begin(), states_.end(),
                                  [](const PortState& s) { return (s.queues | s.groups) != 0 || s.down; });
  for (Port* port : ports_) port->SetOwner(needed ? this : owner_);
}

void ClosedQueues::Close(Port& port, int queue, int group) {
  PortState& s = states_[port.index()];
  s.queues |= static_cast<uint8_t>(1u << queue);
  s.groups |= static_cast<uint8_t>(1u << group);
  Install();
  // Drops come first, before any frame may leave: they make room, and further frames may arrive.
  if (drains_) port.SetDiscarding(s.queues);
  s.out[queue] += port.Flush(queue, DropReason::watchdog);
}

void ClosedQueues::Open(Port& port, int queue, int group) {
  PortState& s = states_[port.index()];
  s.queues &= static_cast<uint8_t>(~(1u << queue));
  s.groups &= static_cast<uint8_t>(~(1u << group));
  if (drains_) port.SetDiscarding(s.queues);
  Install();
}

void ClosedQueues::SetLinkUp(Port& port, bool up) {
  states_[port.index()].down = !up;
  Install();
  // A NIC makes frames only when it sends them, so its port stops.
  port.SetLinkUp(up, drains_ && !port.has_source());
  for (int q = 0; !up && q < kPriorities; ++q) port.Flush(q, DropReason::link_loss);
}

void ClosedQueues::SetDeaf(bool deaf) {
  deaf_ = deaf;
  Install();
}

void ClosedQueues::RouteLate() {
  route_late_ = true;
  Install();
}

void ClosedQueues::Drop(Port& port, Frame* frame, const DropCause& cause) {
  port.CountDrop(cause, *frame);
  port.pool().Give(frame);
}

void ClosedQueues::Receive(Port& port, Frame* frame) {
  if (deaf_) return Drop(port, frame, {DropReason::restart});
  if (route_late_) frame->egress = Frame::kNoEgress;
  const uint8_t came_with =
      frame->priority;  // the priority on arrival, which a switch may change before the egress
  if (frame->egress == Frame::kNoEgress) owner_->FindPath(port, *frame);
  const bool forwarded = frame->egress != Frame::kNoEgress;
  // A host has a group for each priority; so has a frame for which a switch has no path.
  const int group = forwarded ? frame->group : frame->priority;
  PortState& in = states_[port.index()];
  if (((in.groups >> group) & 1) != 0) {
    ++in.in[group];
    frame->priority = came_with;
    return Drop(port, frame, {DropReason::watchdog, group});
  }
  if (forwarded) {
    PortState& out = states_[frame->egress];
    if (out.down) return Drop(*ports_[frame->egress], frame, {DropReason::link_loss, frame->queue});
    if (((out.queues >> frame->queue) & 1) != 0) {
      ++out.out[frame->queue];
      return Drop(*ports_[frame->egress], frame, {DropReason::watchdog, frame->queue});
    }
  }
  owner_->Receive(port, frame);
}

void ClosedQueues::Prepare(const Port& port, Frame& frame) const {
  if (!route_late_) owner_->Prepare(port, frame);
}

uint64_t ClosedQueues::dropped_out(const Port& port, int queue) const {
  return states_[port.index()].out[queue] + port.discarded(queue);
}

uint64_t ClosedQueues::dropped_in(const Port& port, int group) const {
  return states_[port.index()].in[group];
}

}  // namespace headroom
