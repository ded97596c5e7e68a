#include "protocol/connections/core.h"

#include <gtest/gtest.h>
#include <ns3/simulator.h>

#include <deque>
#include <vector>

#include "sim/simulator.h"
#include "support/in_child.h"

namespace headroom::core_test {
namespace {

TEST(Core, a_lock_is_handed_over_in_order_and_each_that_waits_costs_time) {
  // Three threads start at 0, each with a section of 150 ns. A hand-over costs 100 ns for each waiting
  // thread, including the next holder. They end at 150, 150 + (150 + 2 · 100) = 500, 500 + (150 + 100) = 750.
  InChild([] {
    StartSimulator(1);
    std::deque<Core> cores;
    SpinLock lock;
    lock.hand_over = Nanoseconds(100);
    std::vector<int64_t> ends;
    for (int i = 0; i < 3; ++i) {
      cores.emplace_back(0, Time(0));
      cores.back().Do(
          Nanoseconds(150), [&ends] { ends.push_back(EventQueue::Get().now().v / 1000); }, Time(0), &lock);
    }
    ns3::Simulator::Schedule(ns3::NanoSeconds(300), [&cores] {
      EXPECT_EQ(cores[1].spun(), Nanoseconds(150));
      EXPECT_EQ(cores[2].spun(), Nanoseconds(300));  // and continues
    });
    ns3::Simulator::Run();
    EXPECT_EQ(ends, (std::vector<int64_t>{150, 500, 750}));
    EXPECT_EQ(cores[2].spun(), Nanoseconds(500));
    EXPECT_EQ(cores[2].use().busy(), Nanoseconds(750));
    EXPECT_TRUE(cores[0].idle());
    EXPECT_FALSE(lock.held);
  });
}

TEST(Core, what_is_not_ready_is_slept_for_and_not_counted) {
  InChild([] {
    StartSimulator(1);
    Core core(0, Time(0));
    Time end;
    core.Do(
        Nanoseconds(100), [&end] { end = EventQueue::Get().now(); }, Microseconds(2));
    ns3::Simulator::Run();
    EXPECT_EQ(end, Nanoseconds(2100));
    EXPECT_EQ(core.use().busy(), Nanoseconds(100));
  });
}

}  // namespace
}  // namespace headroom::core_test
