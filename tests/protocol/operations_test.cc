// Operations without lines in the result: their memory does not grow with their number.
#include "protocol/operations.h"

#include <gtest/gtest.h>

#include <fstream>

#include "sim/event_queue.h"

namespace headroom::operations_test {
namespace {

/// Each takes a little more than 2 µs, one after the other.
class Driver final : public EventTarget {
 public:
  Driver(Operations& operations, uint64_t count) : operations_(operations), count_(count) {
    entity_ = EventQueue::Get().AddEntity(UINT32_MAX);
    Begin();
  }
  void OnEvent(uint64_t operation) override {
    operations_.Complete(static_cast<uint32_t>(operation), OperationStatus::ok);
    if (done_ < count_) Begin();
  }

 private:
  void Begin() {
    const uint32_t operation = operations_.Begin(0, {.kind = OperationKind::get, .bytes = 32}, false);
    const Time takes = Microseconds(2) + Time(static_cast<int64_t>(done_ * 7919 % 3'000'000));
    EventQueue::Get().PushTarget(EventQueue::Get().now() + takes,
                                 TimedEvent::Order(EventClass::workload, entity_, ++done_), this, operation);
  }
  Operations& operations_;
  const uint64_t count_;
  EntityId entity_;
  uint64_t done_ = 0;
};

int64_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  int64_t all = 0, resident = 0;
  statm >> all >> resident;
  return resident * 4096;
}

struct Ran {
  int64_t resident = 0;
  OperationTotals gets;
  int kept = 0;
};

Ran RunOf(uint64_t count, uint32_t one_in) {
  const auto queue = ns3::CreateObject<EventQueue>();
  Operations operations({{Time(0), Milliseconds(60'000), {}, false}}, 1, one_in, Time(0));
  Ran ran;
  operations.SetOnKept([&ran](const auto&, const auto&) { ++ran.kept; });
  Driver driver(operations, count);
  const bool stop = false;
  queue->RunOwn(stop, UINT64_MAX);
  ran.resident = ResidentBytes();
  ran.gets = operations.Collect(queue->now())[0][static_cast<size_t>(OperationKind::get)];
  return ran;
}

TEST(Operations, memory_does_not_grow_where_no_lines_are_kept) {
  constexpr uint64_t kMillion = 1'100'000;  // more operations than are kept
  RunOf(kMillion, 0);
  const int64_t less = RunOf(kMillion, 0).resident;
  const Ran more = RunOf(4 * kMillion, 0);
#ifndef __SANITIZE_ADDRESS__  // it keeps freed memory for a while
  EXPECT_LT(more.resident, less + (1 << 20));
#else
  static_cast<void>(less);
#endif
  EXPECT_EQ(more.gets.finished, 4 * kMillion);
  EXPECT_FALSE(more.gets.latencies.exact());
  EXPECT_EQ(more.kept, 0);
}

TEST(Operations, few_of_them_are_exact) {
  const Ran ran = RunOf(1000, 0);
  ASSERT_TRUE(ran.gets.latencies.exact());
  EXPECT_EQ(ran.gets.latencies.each().size(), 1000u);
  EXPECT_EQ(ran.gets.latencies.each().front(), Microseconds(2));
}

TEST(Operations, the_mean_of_many_is_exact) {
  constexpr uint64_t kCount = 1'200'000;
  const Ran ran = RunOf(kCount, 0);
  double sum = 0;
  for (uint64_t i = 0; i < kCount; ++i) sum += 2 + static_cast<double>(i * 7919 % 3'000'000) / 1e6;
  EXPECT_NEAR(ran.gets.latencies.buckets().Mean() * kCount / 1e6, sum, 1e-9 * sum);
}

}  // namespace
}  // namespace headroom::operations_test
