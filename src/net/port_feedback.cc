// The record that a port adds to a data frame's feedback when its transmission starts.
#include <bit>

#include "net/port.h"

namespace headroom {

namespace {
/// Counts the frames in a queue that may leave; the others are still on their way through the node.
int64_t ReadyBytes(const FrameFifo& queue, Time now) {
  if (queue.Empty() || queue.tail->ready <= now) return queue.bytes;
  int64_t sum = 0;
  Time ready = queue.head_ready;
  for (const Frame* f = queue.head; ready <= now; f = f->next) {
    sum += f->charge;
    ready = f->ready_behind;
  }
  return sum;
}
}  // namespace

void Port::NoteFeedback(const Frame& frame) {
  Feedback* const f = pool_->FeedbackOf(frame);
  if (f == nullptr || frame.kind != FrameKind::data) return;
  const Time now = EventQueue::Get().now();
  if (source_ != nullptr) {
    f->sent = now;
    return;
  }
  if (f->count == f->room) return;
  Feedback::Hop& hop = f->records->hop[f->count++];
  hop.port = hot_.entity;
  hop.at = now;
  hop.rate = rate_now();
  hop.queued = hot_.owner->WaitsElsewhere(*this);
  // The sent counters include this frame.
  uint64_t bytes = 0, packets = 0;
  for (unsigned in_use = feedback_queues_; in_use != 0; in_use &= in_use - 1) {
    const Queue& q = queues_[std::countr_zero(in_use)];
    bytes += q.tx_bytes;
    packets += q.tx_packets;
    hop.queued += ReadyBytes(q.fifo, now);
  }
  hop.sent = bytes - frame.bytes + (packets - 1) * static_cast<uint64_t>(hot_.timing->gap());
}

}  // namespace headroom
