// The series of goodput: payload at its arrival, up to the very end.
#include <gtest/gtest.h>

#include <vector>

#include "run/busy.h"
#include "run/run.h"
#include "support/in_child.h"
#include "workload/types/list.h"

namespace headroom::goodput_test {
namespace {

TEST(Goodput, AddsUpToThePayloadOfAllMessages) {
  // There are losses, packets sent again, queue pairs used again: every byte counts once.
  InChild([] {
    Scenario s = Busy();
    s.observe.goodput = Observation{Microseconds(7), {"*"}};
    const RunRecord r = headroom::Run(s, {});
    ASSERT_EQ(r.status, RunStatus::complete);
    EXPECT_GT(r.retransmitted_packets, 0u);
    std::vector<int64_t> sizes(s.workloads.size()), series(s.workloads.size());
    for (const MessageRecord& m : r.messages) sizes[m.workload] += m.size.v;
    for (const GoodputSample& g : r.goodput) series[g.workload] += g.delivered.v;
    EXPECT_EQ(series, sizes);
    EXPECT_EQ(r.goodput.back().time, r.end);
  });
}

TEST(Goodput, CountsAMessageThatIsUnderWay) {
  // A packet of 1024 B payload has 62 B of headers and 20 of preamble and gap: 88.48 ns at 100 Gb/s, 113.02
  // packets in 10 us.
  InChild([] {
    Scenario s = StarScenario(2, {GigabitsPerSecond(100), Nanoseconds(15), Time{}, 0.0});
    ListArrivals list;
    list.messages = {{Time{}, 0, 1, Bytes(10'000'000), {}}};
    s.workloads = {WorkloadOf("w", list)};
    s.deadline = Microseconds(95);
    s.observe.goodput = Observation{Microseconds(10), {"*"}};
    const RunRecord r = headroom::Run(s, {});
    ASSERT_EQ(r.goodput.size(), 10u);
    int64_t sum = 0;
    for (size_t i = 0; i < 10; ++i) {
      EXPECT_EQ(r.goodput[i].time, i < 9 ? Microseconds(10) * static_cast<int64_t>(i + 1) : Microseconds(95));
      const int64_t packets = r.goodput[i].delivered.v / 1024;
      EXPECT_EQ(r.goodput[i].delivered.v % 1024, 0);
      if (i > 0 && i < 9) {
        EXPECT_GE(packets, 113);
        EXPECT_LE(packets, 114);
      }
      sum += packets;
    }
    EXPECT_EQ(static_cast<uint64_t>(sum), r.data_packets_delivered);
  });
}

TEST(Goodput, TheLastPacketOfAMessageIsAsLongAsWhatIsLeft) {
  InChild([] {
    Scenario s = StarScenario(2, {GigabitsPerSecond(100), Nanoseconds(15), Time{}, 0.0});
    ListArrivals list;
    const std::vector<int64_t> sizes = {0, 1, 1023, 1024, 1025, 2048, 5000};
    for (size_t i = 0; i < sizes.size(); ++i)
      list.messages.push_back({Microseconds(10) * static_cast<int64_t>(i), 0, 1, Bytes(sizes[i]), {}});
    s.workloads = {WorkloadOf("w", list)};
    s.observe.goodput = Observation{Microseconds(10), {"*"}};
    const RunRecord r = headroom::Run(s, {});
    ASSERT_EQ(r.goodput.size(), sizes.size());
    for (size_t i = 0; i < sizes.size(); ++i) EXPECT_EQ(r.goodput[i].delivered, Bytes(sizes[i]));
  });
}

}  // namespace
}  // namespace headroom::goodput_test
