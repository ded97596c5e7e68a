// A port under faults of its own or of its link: closed queues, dropped queues, a link that is down,
// unreadable PFC frames.
#include "net/port.h"

namespace headroom {

uint8_t Port::blocked() const {
  uint8_t mask = 0;
  for (int p = 0; p < kPriorities; ++p) mask |= static_cast<uint8_t>((blocks_[p] > 0) << p);
  return mask;
}

/// The reopened queues may start a frame.
void Port::UpdateStopped() {
  const auto stopped = static_cast<uint8_t>(paused_ | blocked());
  const auto freed = static_cast<uint8_t>(hot_.stopped & ~stopped);
  hot_.stopped = stopped;
  if (((hot_.nonempty | hot_.pullable) & freed) != 0) Kick(EventQueue::Get().now());
}

void Port::Block(uint8_t mask) {
  for (int p = 0; p < kPriorities; ++p) blocks_[p] = static_cast<uint8_t>(blocks_[p] + ((mask >> p) & 1));
  block_(*this);
  UpdateStopped();
}

void Port::Unblock(uint8_t mask) {
  for (int p = 0; p < kPriorities; ++p) blocks_[p] = static_cast<uint8_t>(blocks_[p] - ((mask >> p) & 1));
  block_(*this);
  UpdateStopped();
}

void Port::SetLinkUp(bool up, bool drains) {
  if (link_up_ == up) return;
  link_up_ = up;
  if (drains) {
    link_->SetLosing(*out_, !up);
  } else if (up) {
    Unblock(0xff);
  } else {
    Block(0xff);
  }
  ForgetPfc();
}

void Port::SetSilent(bool silent) {
  silent_ = silent;
  silent ? Block(0xff) : Unblock(0xff);
  ForgetPfc();
}

void Port::ForgetPfc() {
  if (pfc_requests_.made()) pfc_requests_.Make().Clear();
  hot_.flags &= static_cast<uint8_t>(~kPfcWaits);
}

uint64_t Port::Flush(int queue, DropReason reason) {
  Queue& q = queues_[queue];
  uint64_t frames = 0;
  for (; !q.fifo.Empty(); ++frames) {
    Frame* frame = q.fifo.Pop();
    hot_.owner->Discarded(*this, *frame);
    NoteWaitsNoMore(*frame);
    CountDrop({reason, queue}, *frame);
    pool_->Give(frame);
  }
  hot_.nonempty &= static_cast<uint8_t>(~(1u << queue));
  if (deficit_[queue] > 0) deficit_[queue] = 0;
  return frames;
}

void Port::SetDiscarding(uint8_t mask) { link_->SetDiscarding(*out_, mask); }

uint64_t Port::discarded(int queue) const { return link_ ? link_->discarded(*out_, queue) : 0; }

}  // namespace headroom
