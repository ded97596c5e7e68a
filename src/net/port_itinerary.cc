// A port adds two times to a frame's itinerary: the time to the node when the frame arrives, the wait when it
// leaves.
#include <algorithm>

#include "net/port.h"

namespace headroom {

void Port::KeepItineraries(Time transit) {
  waits_ = std::make_unique<Waits>();
  hot_.flags |= kItineraries;
  waits_->transit = transit;
}

/// Whether other packets of the frame's message may cause part of its wait in this switch.
bool Port::WaitsForOwn(const Frame& frame) const {
  return frame.data.of_several && frame.kind == FrameKind::data && frame.hops > 0 &&
         pool_->ItineraryOf(frame) != nullptr;
}

void Port::NoteWaits(const Frame& frame) {
  if (!WaitsForOwn(frame)) return;
  hot_.flags |= kOwnWait;
  const Time now = EventQueue::Get().now();
  const bool sends_own = hot_.last_kind == FrameKind::data && hot_.last_message == frame.message;
  waits_->own.Await(frame.message, now, now + waits_->transit, sends_own ? hot_.busy_until : Time{});
}

/// The frame leaves or is dropped.
void Port::NoteWaitsNoMore(const Frame& frame) {
  if (waits_ == nullptr || !WaitsForOwn(frame)) return;
  waits_->own.Leave(frame.message);
  if (waits_->own.empty()) hot_.flags &= static_cast<uint8_t>(~kOwnWait);
}

/// The frame's transmission starts.
void Port::NoteLeaves(const Frame& frame) {
  const bool one_of_several = (hot_.flags & kOwnWait) != 0 && frame.data.of_several && frame.hops > 0;
  if (Itinerary* const i = pool_->ItineraryOf(frame)) {
    NoteWait(frame, *i, one_of_several ? waits_->own.Sent(frame.message) : Time{});
    NoteWaitsNoMore(frame);
  }
  if (one_of_several) waits_->own.OnSent(frame.message, EventQueue::Get().now(), hot_.busy_until);
}

/// `for_own`: part of the wait in which the port sent other packets of the frame's message.
void Port::NoteWait(const Frame& frame, Itinerary& i, Time for_own) {
  const Time now = EventQueue::Get().now();
  const Time ready = std::min(now, i.mark + waits_->transit);
  Itinerary::Direction& direction = i.direction();
  direction.wire += ready - i.mark;
  i.mark = now;
  if (now == ready) return;
  const Time paused = (*waits_->paused)[frame.queue].Within(ready, now);
  Time queued = now - ready - paused;
  const Time own = std::min(queued, for_own);
  direction.own += own;
  queued -= own;
  direction.paused += paused;
  direction.queued += queued;
  if (queued + paused > Time{}) i.waits.push_back({entity(), frame.queue, i.back, ready, queued, paused});
}

/// The last bit of the frame has arrived.
void Port::NoteComes(const Frame& frame) {
  Itinerary* i = pool_->ItineraryOf(frame);
  if (i == nullptr) return;
  const Time now = EventQueue::Get().now();
  i->direction().wire += now - i->mark;
  i->mark = now;
}

Time Port::PausedWithin(int queue, Time from, Time to) const {
  return waits_ == nullptr ? Time{} : (*waits_->paused)[queue].Within(from, to);
}

}  // namespace headroom
