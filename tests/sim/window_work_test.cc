// The work of processes, from the events of their parts.
#include "sim/window_work.h"

#include <gtest/gtest.h>

namespace headroom::window_work_test {
namespace {

TEST(WindowWork, TakesTheSlowestProcessOfEachWindow) {
  // Parts 0 and 1 belong to the first process, parts 2 and 3 to the second.
  WindowWork work(4, 2);
  // First window: 5 + 1 events against 2 + 3.
  work.Add(0, 5);
  work.Add(1, 1);
  work.Add(2, 2);
  work.Add(3, 3);
  work.EndWindow();
  // Second window: 0 against 10.
  work.Add(3, 10);
  work.EndWindow();
  // A window without events costs nothing; an event of no node runs in both processes.
  work.EndWindow();
  work.AddEverywhere(1);
  const WindowWork::Totals expected{
      .windows = 2, .events = 11 + 10 + 1, .slowest = 6 + 10 + 1, .crossing = 0};
  EXPECT_EQ(work.totals(), expected);
}

TEST(WindowWork, CountsFramesBetweenProcessesOnly) {
  WindowWork work(4, 2);
  work.Cross(0, 1);
  work.Cross(1, 2);
  work.Cross(3, 0);
  EXPECT_EQ(work.totals().crossing, 2u);
}

TEST(WindowWork, GivesEachProcessConsecutiveParts) {
  const WindowWork work(8, 3);
  std::vector<size_t> processes;
  for (int part = 0; part < 8; ++part) processes.push_back(work.ProcessOf(part));
  EXPECT_EQ(processes, (std::vector<size_t>{0, 0, 0, 1, 1, 1, 2, 2}));
}

}  // namespace
}  // namespace headroom::window_work_test
