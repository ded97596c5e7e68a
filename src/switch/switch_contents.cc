// Part of Switch: the contents of its groups are counted while pauses are open and for some time afterwards.
// When the first pause begins, all waiting frames are counted at once. So a switch without pauses counts
// nothing.
#include <bit>

#include "switch/switch.h"

namespace headroom {

void Switch::CountContents(const TrafficClasses& classes, int tags) {
  unsigned groups = 0, queues = 0;
  for (uint32_t in = 0; in < port_count(); ++in) {
    const ClassMap& map = maps_[maps_.size() == 1 ? 0 : in];
    for (int p = 0; p < kPriorities; ++p) {
      if (classes[p].name.empty() || !buffer_->lossless(in, map.group[p])) continue;
      groups |= 1u << map.group[p];
      for (const ClassMap& out : maps_) queues |= 1u << out.queue[map.tc[p]];
    }
  }
  contents_.Setup(port_count(), static_cast<uint8_t>(groups), static_cast<uint8_t>(queues), tags);
  may_count_ = groups != 0;
  counts_ = may_count_ && chassis_;
  if (counts_) contents_.Allocate();
}

template <class Use>
void Switch::ForEachQueued(Use use) const {
  for (const Port* out : out_) {
    for (unsigned queues = queues_in_use_; queues != 0; queues &= queues - 1) {
      const int queue = std::countr_zero(queues);
      for (const Frame* f = out->queue(queue).head; f != nullptr; f = f->next)
        use(PlaceOf(f->ingress, out->index(), *f), *f);
    }
  }
}

/// After all pauses, counting stops once this many frames have arrived: kCountedAtLeast, plus
/// kCountedPerFrame for each frame that waited at the beginning. So the visit of all waiting frames, at
/// either end, costs less than the counting.
constexpr uint32_t kCountedPerFrame = 4, kCountedAtLeast = 4096;

/// A pause may begin. `arriving`, which may be null: admitted, and not yet in a queue.
[[gnu::noinline]] void Switch::CountFromNow(const Frame* arriving, const SharedBuffer::Place& at) {
  if (counts_ || !may_count_) return;
  counts_ = true;
  contents_.Allocate();
  uint32_t frames = 0;
  ForEachQueued([&](const SharedBuffer::Place& place, const Frame& frame) {
    contents_.Add(place, frame.tag, frame.charge);
    ++frames;
  });
  if (arriving != nullptr) contents_.Add(at, arriving->tag, arriving->charge);
  count_for_ = kCountedAtLeast + kCountedPerFrame * frames;
}

/// A frame is admitted, and not yet in a queue.
[[gnu::noinline]] void Switch::Count(const SharedBuffer::Place& at, const Frame& frame) {
  if (chassis_ || contents_.InSpan() || --count_for_ > 0) return contents_.Add(at, frame.tag, frame.charge);
  counts_ = false;
  ForEachQueued([&](const SharedBuffer::Place& place, const Frame& queued) {
    contents_.Remove(place, queued.tag, queued.charge);
  });
}

void Switch::BeginSpan(uint32_t port, int group) {
  CountFromNow(nullptr, {});
  contents_.Begin(port, group);
}

}  // namespace headroom
