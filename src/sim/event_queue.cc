#include "sim/event_queue.h"

#include <ns3/event-impl.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <stdexcept>

namespace headroom {

NS_OBJECT_ENSURE_REGISTERED(EventQueue);

EventQueue* EventQueue::current_ = nullptr;

/// The event that RemoveNext returns for one of Headroom's events: ns-3 invokes it and so runs the event.
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
  for (LaneId i = 0; i < kFirstLane; ++i) lanes_.emplace_back(EventClass::ns3, Time{});
  ShapeTree();
}

EventQueue::~EventQueue() {
  shared_event_->Unref();
  if (current_ == this) current_ = nullptr;
}

EntityId EventQueue::AddEntity(uint32_t context) {
  const EntityId entity = AddEntities(1);
  entities_->contexts[entity] = context;
  return entity;
}

EntityId EventQueue::AddEntities(size_t count) {
  if (entities_->sealed) throw std::logic_error("an event entity is created during the run");
  const size_t first = entities_->contexts.size();
  if (first + count > size_t{1} << TimedEvent::kEntityBits)
    throw std::length_error("more than 2^24 event entities");
  entities_->contexts.resize(first + count, UINT32_MAX);
  return static_cast<EntityId>(first);
}

void EventQueue::BecomePartOf(const EventQueue& whole) {
  of_part_ = true;
  entities_ = whole.entities_;
  handlers_ = whole.handlers_;
  prefetch_ = whole.prefetch_;
  prepare_ = whole.prepare_;
  lanes_allowed_ = whole.lanes_allowed_;
}

void EventQueue::SetEnd(TimedKey end) {
  end_ = end;
  RefreshNs3();
}

/// The end stands in for a later event of ns-3's.
void EventQueue::RefreshNs3() {
  const TimedKey first = ns3_events_.empty() ? kNothing : KeyOfNs3(ns3_events_.begin()->first);
  Refresh(kNs3, std::min(first, end_));
}

std::vector<TimedEvent> EventQueue::TakeAll() {
  std::vector<TimedEvent> all;
  const TimedKey of_ns3 = lanes_[kNs3].key;
  Refresh(kNs3, kNothing);
  while (Head().time != kNothing.time) {
    const LaneId first = Winner();
    all.push_back(first <= kWheel ? PopElsewhere(first) : PopLane(lanes_[first]));
  }
  Refresh(kNs3, of_ns3);
  return all;
}

std::vector<ns3::Scheduler::Event> EventQueue::TakeAllOfNs3() {
  std::vector<Scheduler::Event> all;
  for (const auto& [key, event] : ns3_events_) all.push_back({event, key});
  ns3_events_.clear();
  RefreshNs3();
  return all;
}

LaneId EventQueue::LaneFor(EventClass c, Time delay) {
  for (size_t i = kFirstLane; i < lanes_.size(); ++i) {
    if (lanes_[i].event_class() == c && lanes_[i].delay() == delay) return static_cast<LaneId>(i);
  }
  if (static_cast<int>(lanes_.size()) - kFirstLane >= lanes_allowed_) return kNoLane;
  lanes_.emplace_back(c, delay);
  ShapeTree();
  return static_cast<LaneId>(lanes_.size() - 1);
}

/// The lane with the first head; `a` if both are the same. Both results are equally likely, so the code has
/// no branch.
[[gnu::always_inline]] inline EventLane<>* EventQueue::Earlier(EventLane<>* a, EventLane<>* b) {
  EventLane<>* first = b->key < a->key ? b : a;
  asm("" : "+r"(first));  // otherwise the compiler would branch, to keep the key in registers
  return first;
}

/// Weights the lanes by the number of events taken from them.
void EventQueue::ShapeTree() {
  struct Node {
    size_t left = 0, right = 0;  ///< indices of the nodes above the lanes
    uint16_t place = 1;
  };
  std::vector<Node> nodes(lanes_.size());
  using Weighed = std::pair<uint64_t, size_t>;  ///< the node's number makes the order deterministic
  std::priority_queue<Weighed, std::vector<Weighed>, std::greater<>> roots;
  uint64_t total = 0;
  for (const EventLane<>& lane : lanes_) total += lane.taken();
  for (size_t i = 0; i < lanes_.size(); ++i) {
    // No weight is below 1/64 of the sum, so no lane is deeper than a place has bits.
    roots.emplace(std::max<uint64_t>(lanes_[i].taken(), total / 64 + 1), i);
  }
  while (roots.size() > 1) {
    const auto [left_weight, left] = roots.top();
    roots.pop();
    const auto [right_weight, right] = roots.top();
    roots.pop();
    nodes.push_back({left, right});
    roots.emplace(left_weight + right_weight, nodes.size() - 1);
  }
  uint16_t last = 1;
  for (size_t i = nodes.size(); i-- > lanes_.size();) {
    const auto below = static_cast<uint16_t>(2 * nodes[i].place);
    nodes[nodes[i].left].place = below;
    nodes[nodes[i].right].place = last = static_cast<uint16_t>(below + 1);
    tree_.resize(std::max<size_t>(tree_.size(), last + 1u));
  }
  std::ranges::fill(tree_, nullptr);
  for (size_t i = 0; i < lanes_.size(); ++i) {
    lanes_[i].place = nodes[i].place;
    tree_[nodes[i].place] = &lanes_[i];
  }
  for (size_t i = lanes_.size(); i < nodes.size(); ++i) {
    const size_t n = nodes[i].place;
    tree_[n] = Earlier(tree_[2 * n], tree_[2 * n + 1]);
  }
}

[[gnu::always_inline]] inline void EventQueue::Refresh(EventLane<>& leaf, TimedKey key) {
  leaf.key = key;
  EventLane<>* first = &leaf;
  EventLane<>** tree = tree_.data();
  for (size_t n = leaf.place; n > 1; n /= 2) {
    first = Earlier(first, tree[n ^ 1]);
    tree[n / 2] = first;
  }
}

/// Like Refresh, for a head that is earlier than the previous one: it moves up until another head precedes
/// it.
void EventQueue::Rise(LaneId leaf, TimedKey key) {
  EventLane<>* risen = &lanes_[leaf];
  risen->key = key;
  for (size_t n = risen->place / 2u; n >= 1; n /= 2) {
    const EventLane<>* first = tree_[n];
    if (first == risen) continue;
    if (!(key < first->key)) return;
    tree_[n] = risen;
  }
}

/// Pushes an event that does not become the last of a lane with events.
void EventQueue::PushElsewhere(LaneId lane, TimedEvent e) {
  if (lane != kNoLane) {
    const auto place = lanes_[lane].Append(e);
    if (place == EventLane<>::Place::behind) return;
    if (place == EventLane<>::Place::head) return Rise(lane, KeyOf(e));
  }
  const bool turns = (e.time - now_).v <= EventWheel::kSpan && wheel_.Push(e);
  if (!turns) heap_.Push(e);
  const LaneId there = turns ? kWheel : kHeap;
  if (KeyOf(e) < lanes_[there].key) Rise(there, KeyOf(e));
}

const TimedEvent& EventQueue::HeadOf(LaneId lane) const {
  return lane == kHeap ? heap_.Top() : lane == kWheel ? wheel_.Top() : lanes_[lane].Head();
}

/// Takes an event from the wheel or the heap. A separate function, because otherwise RunSome would save
/// registers for it.
[[gnu::noinline]] TimedEvent EventQueue::PopElsewhere(LaneId leaf) {
  const TimedEvent e = HeadOf(leaf);
  leaf == kWheel ? wheel_.Pop() : heap_.Pop();
  lanes_[leaf].Pass();
  const bool empty = leaf == kWheel ? wheel_.Empty() : heap_.Empty();
  Refresh(leaf, empty ? kNothing : KeyOf(HeadOf(leaf)));
  return e;
}

[[gnu::always_inline]] inline TimedEvent EventQueue::PopLane(EventLane<>& lane) {
  const TimedEvent e = lane.Head();
  lane.Pop();
  Refresh(lane, lane.Empty() ? kNothing : KeyOf(lane.Head()));
  return e;
}

/// Prefetches this lane's next events in two steps: their targets and arguments first, then the memory that
/// these point to. REQUIRES: the lane has more than kFar events.
[[gnu::always_inline]] inline void EventQueue::FetchAhead(const EventLane<>& l) const {
  __builtin_prefetch(&l.Behind(2 * kFar));  // may lie past the tail: then the prefetch is useless
  const auto event_class = static_cast<size_t>(l.event_class());
  const TimedEvent& far = l.Behind(kFar);
  __builtin_prefetch(static_cast<const char*>(far.target) + prefetch_[event_class]);
  __builtin_prefetch(reinterpret_cast<const void*>(far.arg));
  const TimedEvent& near = l.Behind(kNear);
  // A lane may contain events of other classes, for example PFC frames among arrivals.
  prepare_[static_cast<size_t>(near.Class())](near.target, near.arg);
}

void EventQueue::RunOwn(const bool& stop, uint64_t limit) {
  const uint64_t end = executed_ + limit;
  while (!stop && executed_ != end) {
    if (executed_ >= shape_next_) {
      shape_next_ = executed_ * 4;
      ShapeTree();
    }
    const uint64_t most = std::min(end - executed_, shape_next_ - executed_);
    if (!(of_part_ ? RunSome<true>(stop, most) : RunSome<false>(stop, most))) return;
  }
}

/// Returns false if the next event is not one of Headroom's.
template <bool kOfPart>
bool EventQueue::RunSome(const bool& stop, uint64_t limit) {
  const uint64_t end = executed_ + limit;
  while (!stop && executed_ != end) {
    EventLane<>* lane = tree_[1];
    TimedEvent e;
    if (lane <= &lanes_[kWheel]) [[unlikely]] {
      if (lane->key.time == kNothing.time) return false;  // no event is left
      e = PopElsewhere(static_cast<LaneId>(lane - lanes_.data()));
    } else {
      const uint32_t n = lane->Size();
      if (n == 0) return false;  // the next event is ns-3's, or none is left
      // Only if events will run: while a queue is being emptied, their targets may no longer exist.
      if (n > kFar) FetchAhead(*lane);
      e = PopLane(*lane);
    }
    now_ = e.time;
    order_ = e.order;
    if constexpr (kOfPart) reached_ = std::max(reached_, KeyOf(e));
    ++executed_;
    handlers_[static_cast<int>(e.Class())](e.target, e.arg);
  }
  return true;
}

void EventQueue::Insert(const Scheduler::Event& ev) {
  ns3_events_.emplace(ev.key, ev.impl);
  RefreshNs3();
}

bool EventQueue::IsEmpty() const { return tree_[1]->key.time == kNothing.time; }

ns3::Scheduler::Event EventQueue::ShownAs(const TimedEvent& e) const {
  // ns-3 regards an event of this instant as fired if its uid is not above the current one: Headroom's events
  // repeat the last uid.
  const auto ts = static_cast<uint64_t>(e.time.v);
  const uint32_t uid = last_ns3_time_ == ts ? last_ns3_uid_ : 0;
  return {shared_event_, {ts, uid, entities_->contexts.empty() ? 0xffffffffu : ContextOf(e.Entity())}};
}

ns3::Scheduler::Event EventQueue::PeekNext() const {
  const LaneId lane = Winner();
  if (lane == kNs3) return {ns3_events_.begin()->second, ns3_events_.begin()->first};
  return ShownAs(HeadOf(lane));
}

ns3::Scheduler::Event EventQueue::RemoveNext() {
  const LaneId lane = Winner();
  if (lane == kNs3) {
    const Scheduler::Event ev{ns3_events_.begin()->second, ns3_events_.begin()->first};
    Remove(ev);
    now_ = Time(static_cast<int64_t>(ev.key.m_ts));
    last_ns3_time_ = ev.key.m_ts;
    last_ns3_uid_ = ev.key.m_uid;
    if (of_part_) reached_ = std::max(reached_, KeyOfNs3(ev.key));
    return ev;
  }
  handed_out_ = lane <= kWheel ? PopElsewhere(lane) : PopLane(lanes_[lane]);
  now_ = handed_out_.time;
  order_ = handed_out_.order;
  ++executed_;
  shared_event_->Ref();  // the simulator drops one reference after each invocation
  return ShownAs(handed_out_);
}

void EventQueue::Remove(const Scheduler::Event& ev) {
  ns3_events_.erase(ev.key);
  RefreshNs3();
}

}  // namespace headroom
