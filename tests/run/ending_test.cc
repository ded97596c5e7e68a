// The end of a run, and its status.
#include <gtest/gtest.h>

#include "run/run.h"
#include "support/in_child.h"
#include "support/scenarios.h"
#include "workload/types/list.h"

namespace headroom::ending_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};

WorkloadParameters Messages(std::vector<ListArrivals::Message> messages) {
  ListArrivals a;
  a.messages = std::move(messages);
  return WorkloadOf("list", a);
}

TEST(Ending, CompleteOnceTheLastFrameIsGone) {
  // The duration ends long after: a run whose arrivals have all ended does not wait for it, and neither do
  // samples.
  InChild([] {
    Scenario s = StarScenario(2, kLink);
    s.workloads = {Messages({{Microseconds(5), 0, 1, Bytes(1000), {}}})};
    s.observe.queues = Observation{Microseconds(1), {"*"}};
    const RunRecord r = headroom::Run(s, {});
    EXPECT_EQ(r.status, RunStatus::complete);
    EXPECT_EQ(r.end, r.messages[0].completed);
    EXPECT_LT(r.end, Microseconds(7));
  });
}

TEST(Ending, NothingToSendIsOverAtOnce) {
  for (const bool workload : {true, false}) {
    InChild([workload] {
      Scenario s = StarScenario(2, kLink);
      if (workload)
        s.workloads = {
            Messages({{Milliseconds(5), 0, 1, Bytes(1000), {}}})};  // after the end of the arrivals
      const RunRecord r = headroom::Run(s, {});
      EXPECT_EQ(r.status, RunStatus::complete);
      EXPECT_EQ(r.end, Time{});
      EXPECT_TRUE(r.messages.empty());
    });
  }
}

TEST(Ending, AtTheDeadlineWhatIsUnfinishedIsCounted) {
  InChild([] {
    Scenario s = StarScenario(2, kLink);
    s.deadline = Microseconds(50);
    s.workloads = {Messages({{Time{}, 0, 1, Bytes(1000), {}}, {Time{}, 0, 1, Bytes(10'000'000), {}}})};
    const RunRecord r = headroom::Run(s, {});
    EXPECT_EQ(r.status, RunStatus::deadline);
    EXPECT_EQ(r.end, Microseconds(50));
    ASSERT_EQ(r.messages.size(), 2u);
    EXPECT_TRUE(r.messages[0].Finished());
    EXPECT_FALSE(r.messages[1].Finished());
    EXPECT_GT(r.conservation.in_flight, 0u);
    EXPECT_TRUE(r.conservation.Ok());
  });
}

TEST(Ending, AFailedQueuePairIsAnEventAndItsMessagesAreUnfinished) {
  // No frame from 0 reaches the switch: there are seven retries of 4 ms, and the end is at 32 ms. Host 1's
  // message arrives.
  InChild([] {
    Scenario s = StarScenario(3, kLink);
    s.faults = {LossFault{0, 3, 1.0}};
    s.workloads = {Messages({{Time{}, 0, 2, Bytes(1000), {}}, {Time{}, 1, 2, Bytes(1000), {}}})};
    const RunRecord r = headroom::Run(s, {});
    EXPECT_EQ(r.status, RunStatus::deadline);
    EXPECT_FALSE(r.messages[0].Finished());
    EXPECT_TRUE(r.messages[1].Finished());
    EXPECT_EQ(r.timeouts, 8u);
    int errors = 0;
    for (const EventRecord& e : r.events_log) {
      if (e.kind != "qp_error") continue;
      ++errors;
      EXPECT_EQ(e.time, Milliseconds(32));
      EXPECT_EQ(e.node, 0u);
      EXPECT_EQ(e.detail, "queue pair 0: retries exhausted");
    }
    EXPECT_EQ(errors, 1);
  });
}

TEST(Ending, InterruptedItKeepsWhatThereIs) {
  InChild([] {
    Scenario s = StarScenario(4, kLink);
    s.workloads = {Messages({{Time{}, 0, 1, Bytes(1000), {}},
                             {Time{}, 0, 1, Bytes(200'000'000), {}},
                             {Time{}, 2, 3, Bytes(200'000'000), {}}})};
    RunOptions options;
    int calls = 0;
    Progress last;
    options.on_progress = [&](const Progress& p) {
      EXPECT_GT(p.now, last.now);
      EXPECT_GT(p.events, last.events);
      last = p;
      return ++calls < 3;
    };
    const RunRecord r = headroom::Run(s, options);
    EXPECT_EQ(calls, 3);
    EXPECT_EQ(r.status, RunStatus::interrupted);
    EXPECT_EQ(r.end, last.now);
    EXPECT_EQ(last.messages_offered, 3u);
    EXPECT_EQ(last.messages_finished, 1u);
    EXPECT_TRUE(r.messages[0].Finished());
    EXPECT_TRUE(r.conservation.Ok());
  });
}

TEST(Ending, FirstMarksAndDropsAreOnTheTimeLineInOrder) {
  // Lossy and lossless hosts 0 to 7 send to host 8: marks are on both classes, drops only in the lossy class.
  InChild([] {
    Scenario s = StarScenario(9, kLink);
    s.switches[0].ecn[0] = s.switches[0].ecn[3] = Ecn(50'000, 100'000, 0.5);
    s.switches[0].buffer.pools[1].size = Bytes(300'000);
    std::vector<ListArrivals::Message> messages;
    for (NodeId h = 0; h < 8; ++h) {
      messages.push_back({Time{}, h, 8, Bytes(500'000), static_cast<uint8_t>(h % 2 == 0 ? 0 : 3)});
    }
    s.workloads = {Messages(messages)};
    const RunRecord r = headroom::Run(s, {});
    EXPECT_EQ(r.status, RunStatus::complete);
    int marks = 0, drops = 0;
    for (size_t i = 0; i < r.events_log.size(); ++i) {
      const EventRecord& e = r.events_log[i];
      if (i > 0) {
        EXPECT_LE(r.events_log[i - 1].time, e.time);
      }
      if (e.kind == "first_mark") {
        ++marks;
        EXPECT_EQ(e.node, 9u);
        EXPECT_EQ(e.port, 8);  // the port at which they leave
      } else if (e.kind == "first_drop") {
        ++drops;
        EXPECT_EQ(e.priority, 0);
        EXPECT_EQ(e.detail, "egress_limit");
        EXPECT_EQ(e.port, 8);
      }
    }
    EXPECT_EQ(marks, 2);
    EXPECT_EQ(drops, 1);
  });
}

TEST(Ending, ABufferThatDoesNotFitEndsBeforeItBegins) {
  InChild([] {
    Scenario s = StarScenario(2, kLink);
    s.switches[0].buffer.lossless_group = "nobody";
    EXPECT_THROW(headroom::Run(s, {}), std::invalid_argument);
  });
}

}  // namespace
}  // namespace headroom::ending_test
