#include "protocol/keyvalue/server_process.h"

#include <algorithm>
#include <bit>

namespace headroom {

namespace {

constexpr uint32_t kStages = 2;

}  // namespace

ServerProcess::ServerProcess(uint32_t number, uint32_t context, uint32_t slots, const Parameters& parameters,
                             SlotServer& server)
    : CoreThread(EventQueue::Get().AddEntity(context), parameters.warmup,
                 EventQueue::Get().StreamFor(EventClass::workload, kServing)),
      number_(number),
      p_(parameters),
      server_(server),
      slots_(slots),
      ready_((slots + 63) / 64),
      taken_up_(slots),
      times_(slots) {}

/// The first slot with a request from `from` on, wrapping around the end. REQUIRES: a slot has a request.
uint32_t ServerProcess::FirstReady(uint32_t from) const {
  uint32_t word = from / 64;
  uint64_t bits = ready_[word] & (~uint64_t{0} << (from % 64));
  for (size_t i = 0; i <= ready_.size(); ++i) {
    if (bits != 0) return word * 64 + static_cast<uint32_t>(std::countr_zero(bits));
    word = word + 1 == ready_.size() ? 0 : word + 1;
    bits = ready_[word];
  }
  return kNone;
}

/// The number of successive empty slots checked until now. Checks that take no time are not counted.
int64_t ServerProcess::LooksUntil(Time now) const {
  return p_.costs.poll.v == 0 ? 0 : (now - idle_since_).v / p_.costs.poll.v;
}

/// The slot that it checks next. REQUIRES: the process is idle.
uint32_t ServerProcess::Position(Time now) const {
  return static_cast<uint32_t>((position_ + static_cast<uint64_t>(LooksUntil(now))) % slots_);
}

bool ServerProcess::Ready(uint32_t slot) {
  const uint64_t bit = uint64_t{1} << (slot % 64);
  if ((ready_[slot / 64] & bit) != 0 || taken_up_[slot]) return false;
  ready_[slot / 64] |= bit;
  ++ready_count_;
  times_[slot].ready = EventQueue::Get().now();
  if (state() != State::working) Look(false);
  return true;
}

/// Finds the next slot with a request, or the end of its patience, whichever comes first. `due`: it has
/// reached its target, and takes the request there.
void ServerProcess::Look(bool due) {
  const Time now = EventQueue::Get().now();
  const Time poll = p_.costs.poll;
  if (ready_count_ > 0) {
    const uint32_t position = Position(now);
    const uint32_t slot = FirstReady(position);
    const uint32_t distance = slot >= position ? slot - position : slot + slots_ - position;
    const int64_t looks = LooksUntil(now) + distance;
    const Time at = std::max(now, idle_since_ + poll * looks);
    if (pipeline_.Empty() || looks < p_.empty_polls || (due && distance == 0))
      return at == now ? Take(slot) : WakeAt(at);
  }
  if (pipeline_.Empty()) return;
  const Time at = std::max(now, idle_since_ + poll * p_.empty_polls);
  at == now ? PushNoop() : WakeAt(at);
}

Time ServerProcess::CostOf(uint32_t slot) {
  const ProcessCosts& c = p_.costs;
  const int accesses = server_.AccessesOf(number_, slot);
  if (!p_.prefetch) return c.post + c.request + c.access * accesses;
  const Time fetched = Time(c.access.v * accesses / c.overlap);
  return std::max(c.post, fetched) + c.request + c.prefetched * accesses;
}

void ServerProcess::Take(uint32_t slot) {
  ready_[slot / 64] &= ~(uint64_t{1} << (slot % 64));
  --ready_count_;
  taken_up_[slot] = true;
  position_ = slot + 1 == slots_ ? 0 : slot + 1;
  taken_ = slot;
  Times& t = times_[slot];
  t.taken = EventQueue::Get().now();
  t.worked = CostOf(slot);
  Begin(t.worked);
}

/// Answers the oldest request of the pipeline although no request followed it.
void ServerProcess::PushNoop() {
  position_ = Position(EventQueue::Get().now());
  taken_ = kNone;
  ++record_.noops;
  Begin(p_.costs.post);
}

void ServerProcess::Answer(uint32_t slot) {
  times_[slot].executed = EventQueue::Get().now();
  ++record_.requests;
  if (!noted_ && EventQueue::Get().now() > p_.warmup) ++record_.counted;
  taken_up_[slot] = false;
  server_.Execute(number_, slot);
}

void ServerProcess::Finished() {
  const uint32_t done = taken_;
  idle_since_ = EventQueue::Get().now();
  if (!p_.prefetch) return Answer(done);
  if (done != kNone) pipeline_.PushBack(done);
  if (pipeline_.Size() <= kStages && done != kNone) return;
  const uint32_t oldest = pipeline_.Front();
  pipeline_.PopFront();
  Answer(oldest);
}

void ServerProcess::Note() {
  if (noted_) return;
  noted_ = true;
  static_cast<CoreUse&>(record_) = use();
}

ServerProcessRecord ServerProcess::Record() {
  Note();
  return record_;
}

}  // namespace headroom
