// RDMA Estats of a run's workloads, against its messages.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "report/summary/summary.h"
#include "run/busy.h"
#include "run/run.h"
#include "support/in_child.h"

namespace headroom::estats_test {
namespace {

/// The busy network without what is lossy, so that every message finishes, with READs beside the WRITEs.
Scenario Watched(Time every) {
  Scenario s = Busy();
  s.observe.estats = {every, {"*"}};
  s.workloads[1].verb = Operation::read_request;
  return s;
}

TEST(RunEstats, CountEveryMessageOfEachConnection) {
  InChild([] {
    const Scenario s = Watched(Microseconds(40));
    const RunRecord r = headroom::Run(s, {});
    std::map<std::pair<NodeId, uint32_t>, uint64_t> finished, counted;
    std::map<std::pair<NodeId, uint32_t>, int> workloads;
    for (const MessageRecord& m : r.messages) {
      const NodeId poster = m.workload == 1 ? m.dst : m.src;
      finished[{poster, m.qp}] += m.Finished();
      workloads[{poster, m.qp}] = static_cast<int>(m.workload);
    }
    for (const EstatsRecord& e : r.estats) {
      counted[{e.host, e.qp}] += e.count;
      EXPECT_EQ(e.workload, workloads.at({e.host, e.qp}));
      EXPECT_EQ(e.operation, e.workload == 1 ? WcOpcode::rdma_read : WcOpcode::rdma_write);
      EXPECT_TRUE(e.until.v % Microseconds(40).v == 0 || e.until == r.end);
    }
    std::erase_if(finished, [](const auto& f) { return f.second == 0; });
    EXPECT_GT(counted.size(), 50u);
    EXPECT_EQ(counted, finished);
  });
}

TEST(RunEstats, QuantilesAreThoseOfTheMessages) {
  InChild([] {
    const RunRecord r = headroom::Run(Watched(Seconds(60)), {});
    std::vector<int64_t> writes;
    for (const MessageRecord& m : r.messages) {
      if (m.workload != 1 && m.Finished()) writes.push_back((m.completed - m.start).v);
    }
    std::sort(writes.begin(), writes.end());
    const auto total =
        std::find_if(r.estats_totals.begin(), r.estats_totals.end(), [](const EstatsRecord& e) {
          return e.operation == WcOpcode::rdma_write && e.status == WcStatus::success;
        });
    ASSERT_NE(total, r.estats_totals.end());
    EXPECT_EQ(total->count, writes.size());
    const auto rank = [&](size_t permille) { return writes[(writes.size() * permille + 999) / 1000 - 1]; };
    EXPECT_NEAR(static_cast<double>(total->t6_t1.p50.v), static_cast<double>(rank(500)),
                static_cast<double>(rank(500)) / 256);
    EXPECT_NEAR(static_cast<double>(total->t5_t1.p99.v), static_cast<double>(rank(990)),
                static_cast<double>(rank(990)) / 256);
    EXPECT_EQ(total->t6_t1.max, Time(writes.back()));
  });
}

TEST(RunEstats, TheClocksErrorIsInT5AloneAndItsBoundIsTold) {
  InChild([] {
    Scenario s = Watched(Seconds(60));
    for (NicParameters& nic : s.nics) nic.clock.offset = Microseconds(1);
    s.nics[2].clock.drift_ppb = 100'000;
    const RunRecord r = headroom::Run(s, {});
    for (const EstatsRecord& e : r.estats) {
      if (e.host != 2) {
        EXPECT_EQ(e.t5_t1.max, e.t6_t1.max + Microseconds(1));
      }
    }
    EXPECT_EQ(r.clock_error_bound, Microseconds(1) + r.end / 10'000);
  });
}

TEST(RunEstats, ThePatternChoosesHostsAndTheWarmupLeavesOut) {
  InChild([] {
    Scenario s = Watched(Seconds(60));
    s.observe.estats->match = {"h[01]"};
    s.warmup = Microseconds(100);
    const RunRecord r = headroom::Run(s, {});
    uint64_t count = 0, finished = 0;
    for (const EstatsRecord& e : r.estats) {
      EXPECT_LE(e.host, 1u);
      count += e.count;
    }
    for (const MessageRecord& m : r.messages) {
      finished += m.Finished() && m.start >= s.warmup && (m.workload == 1 ? m.dst : m.src) <= 1;
    }
    EXPECT_GT(count, 0u);
    EXPECT_EQ(count, finished);
  });
}

TEST(RunEstats, OperationsOfPostingLoopsCountOnce) {
  // READs, all signalled; and ECHOs by WRITE, every fourth signalled, answered by SENDs.
  InChild([] {
    Scenario s = StarScenario(2, {GigabitsPerSecond(100), Nanoseconds(15), Time{}, 0.0});
    s.observe.estats = {Seconds(60), {"*"}};
    s.duration = Microseconds(200);
    PostingArrivals reads;
    reads.from = {0};
    reads.to = {1};
    reads.message = Bytes(64);
    reads.window = 4;
    PostingArrivals echoes = reads;
    echoes.signal_every = 4;
    echoes.reply = PostingArrivals::Reply{.verb = Operation::send};
    s.workloads = {WorkloadOf("reads", reads), WorkloadOf("echoes", echoes)};
    s.workloads[0].verb = Operation::read_request;
    const RunRecord r = headroom::Run(s, {});
    std::array<uint64_t, 2> finished{};
    for (const MessageRecord& m : r.messages) finished[m.workload] += m.Finished();
    ASSERT_GT(finished[1], 100u);
    std::map<WcOpcode, uint64_t> counted;
    for (const EstatsRecord& e : r.estats_totals) counted[e.operation] += e.count;
    EXPECT_EQ(counted[WcOpcode::rdma_read], finished[0]);
    EXPECT_NEAR(static_cast<double>(counted[WcOpcode::rdma_write]), static_cast<double>(finished[1]) / 4, 1);
    EXPECT_EQ(counted[WcOpcode::recv], finished[1]);
    EXPECT_EQ(counted[WcOpcode::send], finished[1] - 1);  // the run ends with the last one's arrival
  });
}

TEST(RunEstats, MessagesOfAQueuePairThatGaveUpCountWithTheirStatus) {
  // Every frame from h0 is lost: after 0 retries the first of three messages ends with retries exceeded, the
  // second is flushed with it, and the third, offered later, at once. READs by h1 of h0's data fail at h1.
  InChild([] {
    Scenario s = StarScenario(2, {GigabitsPerSecond(100), Nanoseconds(15), Time{}, 0.0});
    s.observe.estats = {Seconds(60), {"*"}};
    for (NicParameters& nic : s.nics) {
      nic.transport.retry = 0;
      nic.transport.rto = Microseconds(100);
    }
    ListArrivals list;
    for (const Time at : {Time{}, Microseconds(1), Microseconds(500)})
      list.messages.push_back({at, 0, 1, Bytes(1000), {}});
    s.workloads = {WorkloadOf("w", list), WorkloadOf("r", list)};
    s.workloads[1].verb = Operation::read_request;
    s.faults = {LossFault{0, 2, 1.0}};
    s.deadline = Milliseconds(2);
    const RunRecord r = headroom::Run(s, {});
    const auto summary = Summarise(s, r, {});
    for (const char* operation : {"rdma_write", "rdma_read"}) {
      const auto& of = summary["estats"][operation];
      EXPECT_EQ(of["retry_exc_err"]["count"], 1) << operation;
      EXPECT_EQ(of["wr_flush_err"]["count"], 2) << operation;
      EXPECT_FALSE(of.contains("success")) << operation;
      EXPECT_NEAR(of["wr_flush_err"]["t6_t1_us"]["max"].get<double>(), 99, 1) << operation;
    }
  });
}

}  // namespace
}  // namespace headroom::estats_test
