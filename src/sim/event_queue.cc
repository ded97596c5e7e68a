#include "sim/event_queue.h"

#include <ns3/event-impl.h>

#include <stdexcept>

namespace headroom {

NS_OBJECT_ENSURE_REGISTERED(EventQueue);

EventQueue* EventQueue::current_ = nullptr;

/// What RemoveNext hands out for an own event: ns-3 invokes it and so runs the event.
class EventQueue::SharedEvent final : public ns3::EventImpl {
 public:
  explicit SharedEvent(EventQueue* queue) : queue_(queue) {}

 private:
  void Notify() override {
    const TimedEvent e = queue_->handed_out_;
    queue_->handlers_[static_cast<int>(e.Class())](e.target, e.arg);
  }
  EventQueue* queue_;
};

ns3::TypeId EventQueue::GetTypeId() {
  static ns3::TypeId tid = ns3::TypeId("headroom::EventQueue")
                               .SetParent<ns3::Scheduler>()
                               .SetGroupName("Headroom")
                               .AddConstructor<EventQueue>();
  return tid;
}

EventQueue::EventQueue() : shared_event_(new SharedEvent(this)) {
  current_ = this;
  handlers_.fill([](void* target, uint64_t arg) { static_cast<EventTarget*>(target)->OnEvent(arg); });
  prepare_.fill([](void*, uint64_t) {});
  lanes_.emplace_back(EventClass::ns3, Time{});  // the heap's place
  lanes_.emplace_back(EventClass::ns3, Time{});  // ns-3's place
  GrowTree();
}

EventQueue::~EventQueue() {
  shared_event_->Unref();
  if (current_ == this) current_ = nullptr;
}

EntityId EventQueue::AddEntity(uint32_t context) {
  if (contexts_.size() >> TimedEvent::kEntityBits) throw std::length_error("more than 2^24 event entities");
  contexts_.push_back(context);
  return static_cast<EntityId>(contexts_.size() - 1);
}

LaneId EventQueue::LaneFor(EventClass c, Time delay) { return FindLane(c, delay, EventLane<>::kLongestWalk); }

LaneId EventQueue::StreamFor(EventClass c, int number) {
  constexpr uint32_t kLongestWalk = 16;  // the heap's price
  return FindLane(c, Time(-1 - number), kLongestWalk);
}

/// A stream has a negative number for its delay.
LaneId EventQueue::FindLane(EventClass c, Time delay, uint32_t longest_walk) {
  for (size_t i = kFirstLane; i < lanes_.size(); ++i) {
    if (lanes_[i].event_class() == c && lanes_[i].delay() == delay) return static_cast<LaneId>(i);
  }
  if (static_cast<int>(lanes_.size()) - kFirstLane >= lanes_allowed_) return kHeap;
  lanes_.emplace_back(c, delay, longest_walk);
  if (lanes_.size() > leaves_) GrowTree();
  return static_cast<LaneId>(lanes_.size() - 1);
}

void EventQueue::GrowTree() {
  leaves_ = leaves_ ? leaves_ * 2 : 4;
  keys_.resize(leaves_, kNothing);
  tree_.assign(2 * leaves_, 0);
  for (uint32_t i = 0; i < leaves_; ++i) tree_[leaves_ + i] = static_cast<LaneId>(i);
  for (uint32_t n = leaves_ - 1; n >= 1; --n) {
    const LaneId l = tree_[2 * n], r = tree_[2 * n + 1];
    tree_[n] = keys_[r] < keys_[l] ? r : l;
  }
}

void EventQueue::Refresh(LaneId leaf, TimedKey key) {
  keys_[leaf] = key;
  LaneId first = leaf;
  for (uint32_t n = leaves_ + leaf; n > 1; n /= 2) {
    const LaneId other = tree_[n ^ 1];
    const bool later = keys_[other] < key;
    first = later ? other : first;
    key = later ? keys_[other] : key;
    tree_[n / 2] = first;
  }
}

/// As Refresh, for a head that is earlier than the one before it: it goes up until another is before it.
void EventQueue::Rise(LaneId leaf, TimedKey key) {
  keys_[leaf] = key;
  for (uint32_t n = (leaves_ + leaf) / 2; n >= 1; n /= 2) {
    const LaneId first = tree_[n];
    if (first == leaf) continue;
    if (!(key < keys_[first])) return;
    tree_[n] = leaf;
  }
}

TimedEvent EventQueue::PopOwn(LaneId lane) {
  if (lane == kHeap) {
    const TimedEvent e = heap_.Top();
    heap_.Pop();
    Refresh(kHeap, heap_.Empty() ? kNothing : KeyOf(heap_.Top()));
    return e;
  }
  EventLane<>& l = lanes_[lane];
  const TimedEvent e = l.Head();
  l.Pop();
  Refresh(lane, l.Empty() ? kNothing : KeyOf(l.Head()));
  return e;
}

/// Events of this lane soon to come, in two steps: their targets and arguments first, then what these lead
/// to.
void EventQueue::FetchAhead(LaneId lane) const {
  constexpr uint32_t kFar = 7, kNear = 3;
  const EventLane<>& l = lanes_[lane];
  if (l.Size() <= kFar) return;
  __builtin_prefetch(&l.Behind(2 * kFar));  // may lie past the tail: then it fetches in vain
  const TimedEvent& far = l.Behind(kFar);
  __builtin_prefetch(static_cast<const char*>(far.target) + prefetch_[static_cast<int>(far.Class())]);
  __builtin_prefetch(reinterpret_cast<const void*>(far.arg));
  const TimedEvent& near = l.Behind(kNear);
  prepare_[static_cast<int>(near.Class())](near.target, near.arg);
}

void EventQueue::RunOwn(const bool& stop, uint64_t limit) {
  const uint64_t end = executed_ + limit;
  while (!stop && executed_ != end) {
    const LaneId lane = Winner();
    if (lane == kNs3 || keys_[lane].time == kNothing.time) return;
    // Only where events are about to run: in a queue that is being emptied, what they point to may be gone.
    FetchAhead(lane);
    const TimedEvent e = PopOwn(lane);
    now_ = e.time;
    entity_ = e.Entity();
    ++executed_;
    handlers_[static_cast<int>(e.Class())](e.target, e.arg);
  }
}

void EventQueue::Insert(const Scheduler::Event& ev) {
  ns3_events_.emplace(ev.key, ev.impl);
  const auto& first = ns3_events_.begin()->first;
  Refresh(kNs3, {TimedEvent::Order(EventClass::ns3, 0, first.m_uid), static_cast<int64_t>(first.m_ts)});
}

bool EventQueue::IsEmpty() const { return keys_[Winner()].time == kNothing.time; }

ns3::Scheduler::Event EventQueue::ShownAs(const TimedEvent& e) const {
  // ns-3 takes an event of this instant for fired if its uid is not above the current one: ours repeat the
  // last.
  const auto ts = static_cast<uint64_t>(e.time.v);
  const uint32_t uid = last_ns3_time_ == ts ? last_ns3_uid_ : 0;
  return {shared_event_, {ts, uid, contexts_.empty() ? 0xffffffffu : contexts_[e.Entity()]}};
}

ns3::Scheduler::Event EventQueue::PeekNext() const {
  const LaneId lane = Winner();
  if (lane == kNs3) return {ns3_events_.begin()->second, ns3_events_.begin()->first};
  return ShownAs(lane == kHeap ? heap_.Top() : lanes_[lane].Head());
}

ns3::Scheduler::Event EventQueue::RemoveNext() {
  const LaneId lane = Winner();
  if (lane == kNs3) {
    const Scheduler::Event ev{ns3_events_.begin()->second, ns3_events_.begin()->first};
    Remove(ev);
    now_ = Time(static_cast<int64_t>(ev.key.m_ts));
    last_ns3_time_ = ev.key.m_ts;
    last_ns3_uid_ = ev.key.m_uid;
    return ev;
  }
  handed_out_ = PopOwn(lane);
  now_ = handed_out_.time;
  entity_ = handed_out_.Entity();
  ++executed_;
  shared_event_->Ref();  // the simulator drops one reference after each invocation
  return ShownAs(handed_out_);
}

void EventQueue::Remove(const Scheduler::Event& ev) {
  ns3_events_.erase(ev.key);
  if (ns3_events_.empty()) {
    Refresh(kNs3, kNothing);
    if (Winner() == kNs3) tree_[1] = kHeap;  // nothing is left: nobody is to take it for ns-3's
    return;
  }
  const auto& first = ns3_events_.begin()->first;
  Refresh(kNs3, {TimedEvent::Order(EventClass::ns3, 0, first.m_uid), static_cast<int64_t>(first.m_ts)});
}

}  // namespace headroom
