#include "protocol/trail.h"

#include <algorithm>

#include "sim/event_queue.h"

namespace headroom {

uint64_t Trail::Append(const Step& step) {
  const uint64_t number = next_++;
  const size_t place = number % kRemembered;
  if (place >= steps_.size()) steps_.resize(place + 1);
  steps_[place] = step;
  return number;
}

uint64_t Trail::Add(uint64_t cause, OperationPart via, Time arrived, Time begun) {
  return Append({cause, 0, arrived, begun, EventQueue::Get().now(), via});
}

uint64_t Trail::Since(uint64_t since, OperationPart waited_for, Time longest) {
  if (since == current_) return since;
  const Time now = EventQueue::Get().now();
  const Step* const done = Find(current_);
  const Step* const from = Find(since);
  const Time not_before = from != nullptr ? from->ended : Time(0);
  Time arrived = std::max(done != nullptr ? done->arrived : now, not_before);
  if (longest < arrived - not_before) arrived = not_before + longest;
  const Time begun = std::max(done != nullptr ? done->begun : now, not_before);
  return Append({since, current_, arrived, begun, now, waited_for});
}

Trail::Parts Trail::Split(uint64_t last, Time start) const {
  Parts parts{};
  const auto add = [&](OperationPart part, Time from, Time to) {
    from = std::max(from, start);
    if (to > from) parts[static_cast<size_t>(part)] = parts[static_cast<size_t>(part)] + (to - from);
  };
  const Step* step = Find(last);
  while (step != nullptr && step->ended > start) {
    add(OperationPart::core, step->begun, step->ended);
    add(OperationPart::core_queue, step->arrived, step->begun);
    const Step* const parent = Find(step->parent);
    const bool forgotten = parent == nullptr && step->parent != 0;
    add(forgotten ? OperationPart::other : step->via, parent != nullptr ? parent->ended : start,
        step->arrived);
    step = parent;
  }
  return parts;
}

}  // namespace headroom
