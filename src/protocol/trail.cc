#include "protocol/trail.h"

#include <algorithm>

#include "nic/transport/message_times.h"
#include "sim/event_queue.h"
#include "sim/parts.h"

namespace headroom {

const Trail::Step* Trail::Find(uint64_t step) const {
  const uint64_t place = (step >> kCountBits) - 1, count = step & ((uint64_t{1} << kCountBits) - 1);
  if (place >= hosts_.size()) return nullptr;
  const OfHost& host = hosts_[place];
  if (count >= host.next || host.next - count > host.ring.size()) return nullptr;
  const bool forgotten = host.next - count > remembered_ &&
                         host.At(count + remembered_).ended + window_ <= EventQueue::Get().now();
  return forgotten ? nullptr : &host.At(count);
}

uint64_t Trail::Append(const Step& step) {
  const size_t place = headroom::Parts::Get().Acting() + uint32_t{1};
  if (shares_) news_.push_back({place, step});
  return AppendAt(place, step);
}

uint64_t Trail::AppendAt(size_t place, const Step& step) {
  if (place >= hosts_.size()) hosts_.resize(place + 1);
  OfHost& host = hosts_[place];
  MakeRoom(host, step.ended);
  host.At(host.next) = step;
  return (place + 1) << kCountBits | host.next++;
}

void Trail::Unpack(int, Unpacker& from) {
  std::vector<News> news;
  from(news);
  for (const News& n : news) AppendAt(n.place, n.step);
}

/// The place of the oldest step serves a new one if no part of the network can still know the old step;
/// otherwise the host gets more places.
void Trail::MakeRoom(OfHost& host, Time now) const {
  constexpr size_t kFirst = 64;
  if (host.ring.empty()) host.ring.resize(kFirst);
  const size_t places = host.ring.size();
  if (host.next < places) return;
  const uint64_t oldest = host.next - places;
  if (places > remembered_ && host.At(oldest + remembered_).ended + window_ + window_ <= now) return;
  std::vector<Step> ring(2 * places);
  for (uint64_t count = oldest; count < host.next; ++count) ring[count & (2 * places - 1)] = host.At(count);
  host.ring = std::move(ring);
}

static Time WokeBetween(Time arrived, const WorkDone& work) {
  return std::max(Time(0), std::min(work.begun, work.woke_to) - std::max(arrived, work.woke_from));
}

uint64_t Trail::Add(uint64_t cause, OperationPart via, Time arrived, const WorkDone& work) {
  return Append({cause,
                 0,
                 arrived,
                 work.begun,
                 EventQueue::Get().now(),
                 via,
                 {},
                 work.copied,
                 WokeBetween(arrived, work)});
}

uint64_t Trail::Add(uint64_t cause, Message message, Time arrived, const WorkDone& work) {
  return Append({cause, 0, arrived, work.begun, EventQueue::Get().now(), OperationPart::network, message,
                 work.copied, WokeBetween(arrived, work)});
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
  const Time copied = done != nullptr ? std::min(done->copied, now - begun) : Time(0);
  const Time woke = done != nullptr ? std::min(done->woke, begun - arrived) : Time(0);
  return Append({since, current_, arrived, begun, now, waited_for, {}, copied, woke});
}

/// Splits the time from the end of a message's cause to the message's completion. Returns false if it is
/// unknown.
bool Trail::SplitMessage(Message message, Time from, Time to, Parts& parts,
                         std::vector<Itinerary::Wait>* waits) const {
  if (times_ == nullptr || message.number == kNoMessage) return false;
  const MessageTimes::Span* span =
      message.received ? times_->Delivered(message.number) : times_->Ended(message.number);
  if (span == nullptr || span->posted < from || span->until > to) return false;
  const auto add = [&](OperationPart part, Time time) { parts[static_cast<size_t>(part)] += time; };
  add(OperationPart::network, span->posted - from);
  for (int i = 0; i < kMessageParts - 1; ++i) {
    const auto part = static_cast<MessagePart>(i);
    add(OperationPartOf(part), span->parts[part]);
  }
  add(OperationPartOf(MessagePart::nic), to - span->until);
  if (waits != nullptr) waits->insert(waits->end(), span->waits.begin(), span->waits.end());
  return true;
}

Trail::Parts Trail::Split(uint64_t last, Time start, std::vector<Itinerary::Wait>* waits,
                          WaitOrder order) const {
  Parts parts{};
  const auto add = [&](OperationPart part, Time from, Time to) {
    from = std::max(from, start);
    if (to > from) parts[static_cast<size_t>(part)] = parts[static_cast<size_t>(part)] + (to - from);
  };
  const size_t first = waits == nullptr ? 0 : waits->size();
  const Step* step = Find(last);
  while (step != nullptr && step->ended > start) {
    add(OperationPart::core, step->begun, step->ended - step->copied);
    add(OperationPart::copy, step->ended - step->copied, step->ended);
    add(OperationPart::wake, step->arrived, step->arrived + step->woke);
    add(OperationPart::core_queue, step->arrived + step->woke, step->begun);
    const Step* const parent = Find(step->parent);
    const bool forgotten = parent == nullptr && step->parent != 0;
    const Time from = std::max(start, parent != nullptr ? parent->ended : start);
    const size_t before = waits == nullptr ? 0 : waits->size();
    if (forgotten || !SplitMessage(step->message, from, step->arrived, parts, waits))
      add(forgotten ? OperationPart::other : step->via, from, step->arrived);
    if (waits != nullptr && order == WaitOrder::first_message_first) {
      const auto at = [&](size_t place) { return waits->begin() + static_cast<ptrdiff_t>(place); };
      std::rotate(at(first), at(before), waits->end());
    }
    step = parent;
  }
  return parts;
}

}  // namespace headroom
