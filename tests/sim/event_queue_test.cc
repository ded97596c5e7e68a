#include "sim/event_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace headroom::event_queue_test {
namespace {

/// The simple form of the queue: a set of all events. A list would be searched for each event, which takes
/// minutes with sanitizers.
class NaiveQueue {
 public:
  struct Entry {
    Time time;
    uint64_t order;
    uint64_t id;
    bool operator<(const Entry& o) const { return time != o.time ? time < o.time : order < o.order; }
  };
  void Push(const Entry& e) { entries_.insert(e); }
  bool Empty() const { return entries_.empty(); }
  Entry Pop() {
    const Entry e = *entries_.begin();
    entries_.erase(entries_.begin());
    return e;
  }

 private:
  std::multiset<Entry> entries_;
};

/// Events without a lane lie less than this many picoseconds ahead.
using Spans = std::vector<uint64_t>;

/// Events that randomly create others, in lanes and without, and that run in the order of the naive queue.
class RandomLife final : public EventTarget {
 public:
  RandomLife(EventQueue& queue, uint32_t seed, int lanes, int streams, Spans spans)
      : queue_(queue), random_(seed), spans_(std::move(spans)) {
    for (int i = 0; i < 20; ++i) queue_.AddEntity(0);
    for (int i = 0; i < lanes; ++i) {
      const Time delay = Picoseconds(1 + i % 40);
      lanes_.push_back({queue_.LaneFor(static_cast<EventClass>(1 + i % 7), delay), delay});
    }
    for (int i = 0; i < streams; ++i) streams_.push_back(queue_.StreamFor(EventClass::nic_timer, i));
  }

  void OnEvent(uint64_t id) override {
    ASSERT_FALSE(naive_.Empty());
    const NaiveQueue::Entry expected = naive_.Pop();
    ASSERT_EQ(id, expected.id);
    ASSERT_EQ(queue_.now(), expected.time);
    trace_.push_back(id);
    const uint32_t children = random_() % 20 == 0 ? 10 : random_() % 3;
    for (uint32_t i = 0; i < children && next_ < 20'000; ++i) PushOne();
  }

  void PushOne() {
    const uint64_t id = next_++;
    const auto order = TimedEvent::Order(static_cast<EventClass>(1 + random_() % 7),
                                         static_cast<EntityId>(random_() % 20), id);
    Time delay = Picoseconds(random_() % spans_[random_() % spans_.size()]);
    LaneId lane = streams_.empty() ? kNoLane : streams_[random_() % streams_.size()];
    if (!lanes_.empty() && random_() % 3 != 0) {
      const auto& chosen = lanes_[random_() % lanes_.size()];
      lane = chosen.first;
      delay = chosen.second;
    }
    const Time at = queue_.now() + delay;
    naive_.Push({at, order, id});
    queue_.Push(lane, {at, order, static_cast<EventTarget*>(this), id});
  }

  bool Empty() const { return naive_.Empty(); }
  const std::vector<uint64_t>& trace() const { return trace_; }

 private:
  EventQueue& queue_;
  std::mt19937 random_;
  Spans spans_;
  NaiveQueue naive_;
  std::vector<std::pair<LaneId, Time>> lanes_;
  std::vector<LaneId> streams_;
  std::vector<uint64_t> trace_;
  uint64_t next_ = 0;
};

/// Ids in the order in which the events ran.
std::vector<uint64_t> Live(uint32_t seed, int lanes, bool lanes_allowed = true, int streams = 0,
                           const Spans& spans = {50}) {
  const auto queue = ns3::CreateObject<EventQueue>();
  if (!lanes_allowed) queue->DisableLanes();
  RandomLife life(*queue, seed, lanes, streams, spans);
  for (int i = 0; i < 200; ++i) life.PushOne();
  const bool stop = false;
  queue->RunOwn(stop, UINT64_MAX);
  EXPECT_TRUE(life.Empty());
  EXPECT_TRUE(queue->IsEmpty());
  EXPECT_EQ(queue->executed(), life.trace().size());
  return life.trace();
}

TEST(EventQueue, RunsWhatASetWouldWhateverTheLanes) {
  // There is no lane, a few, many, or more than the queue grants: the rest have none.
  for (const int lanes : {0, 3, 40, 270}) {
    for (const uint32_t seed : {1u, 2u, 3u}) {
      SCOPED_TRACE(testing::Message() << lanes << " lanes, seed " << seed);
      EXPECT_GT(Live(seed, lanes).size(), 200u);
    }
  }
}

/// Thirty events recur, every 7 ps, 28 ps, 63 ps and so on: returns which of them ran when.
std::vector<std::pair<int64_t, uint64_t>> Recurring(bool lanes) {
  const auto queue = ns3::CreateObject<EventQueue>();
  if (!lanes) queue->DisableLanes();
  struct Recurrence final : EventTarget {
    void OnEvent(uint64_t arg) override {
      trace.emplace_back(queue->now().v, arg);
      Push(arg);
    }
    void Push(uint64_t n) {
      const Time delay = Picoseconds(static_cast<int64_t>(7 * (n + 1) * (n + 1)));
      queue->Push(queue->LaneFor(EventClass::nic_timer, delay),
                  {queue->now() + delay, TimedEvent::Order(EventClass::nic_timer, static_cast<EntityId>(n)),
                   static_cast<EventTarget*>(this), n});
    }
    EventQueue* queue = nullptr;
    std::vector<std::pair<int64_t, uint64_t>> trace;
  } recurrence;
  recurrence.queue = ns3::PeekPointer(queue);
  for (uint64_t n = 0; n < 30; ++n) recurrence.Push(n);
  const bool stop = false;
  queue->RunOwn(stop, 20'000);
  return recurrence.trace;
}

TEST(EventQueue, RunsTheSameOrderWhileLanesThatAreSeldomUsedMoveAway) {
  const auto trace = Recurring(true);
  EXPECT_EQ(trace.size(), 20'000u);
  EXPECT_EQ(trace, Recurring(false));
}

TEST(EventQueue, StreamsRunTheSameOrderThoughTheirEventsComeInAny) {
  // Spans are random, from 0 to 49 ps: some events move a few places ahead, others into the wheel.
  for (const int streams : {1, 3, 12}) Live(5, 0, true, streams), Live(6, 40, true, streams);
}

TEST(EventQueue, RunsTheSameOrderHoweverFarAheadEventsLie) {
  // Times within a bucket of the wheel, within its span, around the end of that, and far beyond.
  const uint64_t bucket = uint64_t{1} << EventWheel::kWidth, span = EventWheel::kSpan;
  for (const Spans& spans :
       {Spans{bucket}, Spans{span}, Spans{2 * span}, Spans{50, bucket, span, 1000 * span}}) {
    for (const uint32_t seed : {7u, 8u}) EXPECT_GT(Live(seed, 3, true, 2, spans).size(), 200u);
  }
}

TEST(EventQueue, LanesOffRunTheSameOrder) { EXPECT_EQ(Live(4, 40), Live(4, 40, false)); }

/// An event that counts its copies.
struct Counted {
  int64_t time = 0;
  uint64_t order = 0;
  static inline uint64_t writes = 0;
  Counted() = default;
  Counted(int64_t at, uint64_t entity) : time(at), order(entity) {}
  Counted(const Counted&) = default;
  Counted& operator=(const Counted& o) {
    ++writes;
    time = o.time, order = o.order;
    return *this;
  }
};
TimedKey KeyOf(const Counted& e) { return {e.order, e.time}; }

TEST(EventLane, TakesFewStepsForEachOfThousandsThatComeInTheWorstOrder) {
  // An event before all others moves as many as the lane walks, or is refused: no event moves n others. The
  // lane stays sorted.
  constexpr uint64_t kEvents = 10'000;
  EventLane<Counted> lane(EventClass::arrival, Nanoseconds(1));
  Counted::writes = 0;
  uint64_t refused = 0;
  for (uint64_t i = kEvents; i-- > 0;)
    refused += lane.Append(Counted(1000, i)) == EventLane<Counted>::Place::refused;
  EXPECT_LE(Counted::writes, kEvents * (EventLane<Counted>::kLongestWalk + 1));
  ASSERT_EQ(lane.Size() + refused, kEvents);
  for (uint32_t i = 1; i < lane.Size(); ++i) EXPECT_LT(lane.Behind(i - 1).order, lane.Behind(i).order);
}

TEST(EventLane, TakesWhatBelongsNearItsTailAndNothingElse) {
  using Lane = EventLane<Counted>;
  for (uint32_t back = 0; back <= Lane::kLongestWalk + 1; ++back) {
    SCOPED_TRACE(back);
    Lane lane(EventClass::arrival, Nanoseconds(1));
    for (uint64_t i = 0; i < 100; ++i) lane.Append(Counted(1000, 10 * i));
    const bool taken = lane.Append(Counted(1000, 10 * (99 - back) + 5)) != Lane::Place::refused;
    EXPECT_EQ(taken, back <= Lane::kLongestWalk);
    ASSERT_EQ(lane.Size(), taken ? 101u : 100u);
    for (uint32_t i = 1; i < lane.Size(); ++i) EXPECT_LT(lane.Behind(i - 1).order, lane.Behind(i).order);
  }
}

TEST(EventWheel, HoldsAWholeSpanFromAnyNow) {
  constexpr int64_t kBucket = int64_t{1} << EventWheel::kWidth;
  const auto at = [](int64_t time) { return TimedEvent{Picoseconds(time), 0, nullptr, 0}; };
  for (const int64_t now :
       {int64_t{0}, int64_t{1}, kBucket - 1, 511 * kBucket + 7, 512 * kBucket, int64_t{1} << 50}) {
    EventWheel wheel;
    // Now and the end of the span, the edges of a bucket, and those around the 64th.
    std::vector<int64_t> ahead{EventWheel::kSpan,    0, kBucket, kBucket - 1, 63 * kBucket, 64 * kBucket,
                               EventWheel::kSpan - 1};
    for (const int64_t d : ahead) EXPECT_TRUE(wheel.Push(at(now + d)));
    std::ranges::sort(ahead);
    for (const int64_t d : ahead) {
      ASSERT_FALSE(wheel.Empty());
      EXPECT_EQ(wheel.Top().time, Picoseconds(now + d));
      wheel.Pop();
    }
    EXPECT_TRUE(wheel.Empty());
    wheel.Push(at(now + EventWheel::kSpan + 5));
    wheel.Push(at(now + EventWheel::kSpan + 1));
    EXPECT_EQ(wheel.Top().time, Picoseconds(now + EventWheel::kSpan + 1));
  }
}

/// Events of one instant that are pushed in reverse order, more of them than a lane would walk past.
class InStep final : public EventTarget {
 public:
  void OnEvent(uint64_t id) override { trace.push_back(id); }
  std::vector<uint64_t> trace;
};

TEST(EventQueue, TakesTimeInProportionForThoseOfOneInstantThatHaveNoLane) {
  // They are pushed in the order in which they run, which is the worst for a list that is sorted backwards:
  // as many moves as there are pairs would take a minute.
  const auto queue = ns3::CreateObject<EventQueue>();
  constexpr uint64_t kEvents = 400'000;
  InStep target;
  for (uint64_t i = 0; i < kEvents; ++i) {
    queue->PushTarget(Nanoseconds(5), TimedEvent::Order(EventClass::workload, queue->AddEntity(0)), &target,
                      i);
  }
  const bool stop = false;
  queue->RunOwn(stop, UINT64_MAX);
  ASSERT_EQ(target.trace.size(), kEvents);
  EXPECT_TRUE(std::ranges::is_sorted(target.trace));
}

TEST(EventQueue, RunsThousandsOfOneInstantInTheirOrderWhateverTheOrderTheyCameIn) {
  const auto queue = ns3::CreateObject<EventQueue>();
  const Time delay = Nanoseconds(5);
  const LaneId lane = queue->LaneFor(EventClass::workload, delay);
  constexpr uint64_t kEvents = 5000;
  for (uint64_t i = 0; i < kEvents; ++i) queue->AddEntity(0);
  InStep target;
  const auto push = [&](uint64_t i) {
    queue->Push(lane, {delay, TimedEvent::Order(EventClass::workload, static_cast<EntityId>(i)),
                       static_cast<EventTarget*>(&target), i});
  };
  for (uint64_t i = kEvents; i-- > kEvents / 2;) push(i);
  for (uint64_t i = 0; i < kEvents / 2; ++i) push(i);
  const bool stop = false;
  queue->RunOwn(stop, UINT64_MAX);
  ASSERT_EQ(target.trace.size(), kEvents);
  EXPECT_TRUE(std::is_sorted(target.trace.begin(), target.trace.end()));
}

TEST(EventQueue, OfNs3sNothingIsNextWhereNothingIsThere) {
  ns3::Ptr<EventQueue> queue = ns3::CreateObject<EventQueue>();
  for (int lanes = 0; lanes < 130; ++lanes) {
    EXPECT_FALSE(queue->NextIsNs3()) << lanes;
    EXPECT_TRUE(queue->IsEmpty()) << lanes;
    queue->LaneFor(EventClass::arrival, Picoseconds(1 + lanes));
  }
}

TEST(EventQueue, GrantsNoMoreLanesThanAreWorthIt) {
  const auto queue = ns3::CreateObject<EventQueue>();
  int granted = 0;
  for (int i = 0; i < 1000; ++i) granted += queue->LaneFor(EventClass::arrival, Picoseconds(i)) != kNoLane;
  EXPECT_GT(granted, 100);
  EXPECT_LT(granted, 1000);
  // A granted lane is granted again.
  EXPECT_NE(queue->LaneFor(EventClass::arrival, Picoseconds(0)), kNoLane);
  EXPECT_EQ(queue->LaneFor(EventClass::arrival, Picoseconds(999)), kNoLane);
}

class Log final : public EventTarget {
 public:
  void OnEvent(uint64_t arg) override { seen.push_back(arg); }
  std::vector<uint64_t> seen;
};

TEST(EventQueue, OrderAtOneInstantIsIntrinsic) {
  // They are pushed backwards: later classes first, then higher entities, then higher counts. They run by
  // class, entity, count.
  const auto queue = ns3::CreateObject<EventQueue>();
  for (int i = 0; i < 3; ++i) queue->AddEntity(0);
  Log log;
  std::vector<uint64_t> expected;
  uint64_t id = 0;
  for (int c = 1; c < kEventClasses; ++c) {
    for (EntityId entity = 0; entity < 3; ++entity) {
      for (uint64_t count = 0; count < 2; ++count) expected.push_back(id++);
    }
  }
  for (int c = kEventClasses - 1; c >= 1; --c) {
    for (EntityId entity = 3; entity-- > 0;) {
      for (uint64_t count = 2; count-- > 0;) {
        queue->PushTarget(Nanoseconds(5), TimedEvent::Order(static_cast<EventClass>(c), entity, count), &log,
                          --id);
      }
    }
  }
  const bool stop = false;
  queue->RunOwn(stop, UINT64_MAX);
  EXPECT_EQ(log.seen, expected);
  EXPECT_EQ(queue->now(), Nanoseconds(5));
}

TEST(EventQueue, AnEntitysContextIsTheNodeItWasAddedFor) {
  const auto queue = ns3::CreateObject<EventQueue>();
  queue->AddEntity(7);
  const EntityId second = queue->AddEntity(9);
  Log log;
  queue->PushTarget(Nanoseconds(1), TimedEvent::Order(EventClass::workload, second), &log, 0);
  const bool stop = false;
  queue->RunOwn(stop, UINT64_MAX);
  EXPECT_EQ(queue->context(), 9u);
}

TEST(EventQueue, StopsAtTheLimitAndGoesOn) {
  const auto queue = ns3::CreateObject<EventQueue>();
  queue->AddEntity(0);
  Log log;
  for (uint64_t i = 0; i < 10; ++i) {
    queue->PushTarget(Nanoseconds(static_cast<int64_t>(i)), TimedEvent::Order(EventClass::sample, 0), &log,
                      i);
  }
  const bool stop = false;
  queue->RunOwn(stop, 4);
  EXPECT_EQ(log.seen.size(), 4u);
  EXPECT_EQ(queue->now(), Nanoseconds(3));
  queue->RunOwn(stop, UINT64_MAX);
  EXPECT_EQ(log.seen.size(), 10u);
}

}  // namespace
}  // namespace headroom::event_queue_test
