// What a port adds to the itinerary of a frame: the way to the node when the frame comes in, the wait when it
// leaves.
#include <algorithm>

#include "net/port.h"

namespace headroom {

void Port::KeepItineraries(Time transit, OwnPackets& own) {
  waits_ = std::make_unique<Waits>();
  hot_.flags |= kItineraries;
  waits_->transit = transit;
  waits_->own = &own;
}

/// The frame's transmission starts.
void Port::NoteLeaves(const Frame& frame) {
  const bool one_of_several = frame.of_several && frame.hops > 0;
  OwnPackets::Place* const own = one_of_several ? waits_->own->Find(frame.message, frame.hops) : nullptr;
  if (Itinerary* i = pool_->ItineraryOf(frame)) NoteWait(frame, *i, own != nullptr ? own->sent() : Time{});
  if (own != nullptr) own->OnSent(EventQueue::Get().now(), hot_.busy_until);
}

/// `for_own`: others of its message were sent while it waited.
void Port::NoteWait(const Frame& frame, Itinerary& i, Time for_own) {
  const Time now = EventQueue::Get().now();
  const Time ready = std::min(now, i.mark + waits_->transit);
  Itinerary::Way& way = i.way();
  way.wire += ready - i.mark;
  i.mark = now;
  if (now == ready) return;
  const Time paused = waits_->paused[frame.queue].Within(ready, now);
  Time queued = now - ready - paused;
  const Time own = std::min(queued, for_own);
  way.own += own;
  queued -= own;
  way.paused += paused;
  way.queued += queued;
  if (queued + paused > Time{}) i.waits.push_back({entity(), frame.queue, i.back, ready, queued, paused});
}

/// Its last bit is in.
void Port::NoteComes(const Frame& frame) {
  Itinerary* i = pool_->ItineraryOf(frame);
  if (i == nullptr) return;
  const Time now = EventQueue::Get().now();
  i->way().wire += now - i->mark;
  i->mark = now;
  if (frame.kind != FrameKind::data) return;
  if (OwnPackets::Place* own = waits_->own->Find(frame.message, frame.hops + 1))
    own->Await(now, now + waits_->transit);
}

Time Port::PausedWithin(int queue, Time from, Time to) const {
  return waits_ == nullptr ? Time{} : waits_->paused[queue].Within(from, to);
}

}  // namespace headroom
