// Workloads of type kv and ycsb alone: the times and kinds of their operations. Each operation takes 10 µs.
#include "workload/operations/key_value.h"
#include "workload/key_value_arrivals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "workload/operation_offers.h"

namespace headroom::key_value_test {
namespace {

constexpr Time kTakes = Microseconds(10);

KeyValueArrivals Small() {
  KeyValueArrivals kv;
  kv.from = {0, 1};
  kv.to = {2};
  kv.processes = 2;
  kv.window = 3;
  kv.keys = 1000;
  return kv;
}
WorkloadParameters WorkloadOf(const KeyValueArrivals& kv) {
  WorkloadParameters w;
  w.name = "keys";
  w.type = "kv";
  w.arrivals = kv;
  return w;
}
AskedIos Asked(const KeyValueArrivals& kv, Time duration) {
  return AskedIos({WorkloadOf(kv)}, 3, duration, kTakes);
}
double InAll(const AskedIos& asked) { return static_cast<double>(asked.ios.size()); }

TEST(KeyValue, a_closed_loop_has_its_windows_open) {
  const AskedIos asked = Asked(Small(), Microseconds(100));
  EXPECT_EQ(asked.ios.size(), 12u * 10);
  for (const auto& io : asked.ios) EXPECT_LE(io.open, 6u);
}

TEST(KeyValue, a_batch_starts_when_all_of_the_one_before_has_ended) {
  // Operations take 10, 11 and 12 µs.
  KeyValueArrivals kv = Small();
  const auto sizes = [&kv] {
    const AskedIos asked({WorkloadOf(kv)}, 3, Microseconds(100), kTakes, Bytes(1 << 30), Microseconds(1));
    std::map<std::pair<NodeId, uint32_t>, std::map<Time, int>> started;
    for (const auto& io : asked.ios) ++started[{io.request.client, io.request.thread}][io.at];
    std::set<int> all;
    for (const auto& [process, times] : started)
      for (const auto& [at, together] : times) all.insert(together);
    return all;
  };
  EXPECT_TRUE(sizes().contains(1));
  kv.batch = true;
  EXPECT_EQ(sizes(), std::set<int>{3});
  kv.threads = 8;  // two processes have two each, as have the others
  EXPECT_EQ(sizes(), std::set<int>{2});
}

TEST(KeyValue, keys_follow_the_distribution) {
  KeyValueArrivals kv = Small();
  kv.choice = KeyChoice::zipf;
  const AskedIos asked = Asked(kv, Milliseconds(20));
  double hottest = 0;
  for (const auto& io : asked.ios) hottest += io.request.target == 0;
  EXPECT_NEAR(hottest / InAll(asked), 0.129, 5 * std::sqrt(0.129 / InAll(asked)));
}

TEST(KeyValue, kinds_have_their_shares) {
  KeyValueArrivals kv = Small();
  kv.puts = 0.3;
  kv.inserts = 0.2;
  kv.modifies = 0.1;
  const AskedIos asked = Asked(kv, Milliseconds(20));
  std::map<OperationKind, double> shares;
  for (const auto& io : asked.ios) shares[io.request.kind] += 1 / InAll(asked);
  const std::pair<OperationKind, double> expected[] = {{OperationKind::get, 0.4},
                                                       {OperationKind::put, 0.3},
                                                       {OperationKind::insert, 0.2},
                                                       {OperationKind::read_modify_write, 0.1}};
  for (const auto& [kind, share] : expected)
    EXPECT_NEAR(shares[kind], share, 5 * std::sqrt(share / InAll(asked))) << OperationKindName(kind);
}

TEST(KeyValue, inserts_are_new_and_latest_reads_only_what_ended) {
  KeyValueArrivals kv = Small();
  kv.choice = KeyChoice::latest;
  kv.puts = 0;
  kv.inserts = 0.3;
  const AskedIos asked = Asked(kv, Milliseconds(2));
  uint64_t next = 1000, last_ended = 999;
  std::map<uint64_t, Time> begun;
  bool read_new = false;
  for (const auto& io : asked.ios) {
    if (io.request.kind == OperationKind::insert) {
      EXPECT_EQ(io.request.target, next++);
      begun[io.request.target] = io.at;
      continue;
    }
    while (begun.contains(last_ended + 1) && begun[last_ended + 1] + kTakes <= io.at) ++last_ended;
    EXPECT_LE(io.request.target, last_ended);
    read_new |= io.request.target >= 1000;
  }
  EXPECT_TRUE(read_new);
}

TEST(KeyValue, as_many_operations_as_asked_for_then_it_is_over) {
  KeyValueArrivals kv = Small();
  kv.operations = 50;
  const AskedIos asked = Asked(kv, Milliseconds(1));
  EXPECT_EQ(asked.ios.size(), 50u);
  EXPECT_EQ(asked.exhausted, 1);
  EXPECT_EQ(asked.exhausted_at, kTakes * 4);  // 12 at 0, 10, 20 and 30 µs, then two more
}

TEST(KeyValue, threads_are_dealt_to_processes_in_turn) {
  KeyValueArrivals kv = Small();
  kv.threads = 5;
  EXPECT_EQ(ThreadsOf(kv, 0, 0), 2);
  EXPECT_EQ(ThreadsOf(kv, 1, 0), 1);
  EXPECT_EQ(ThreadsOf(kv, 0, 1), 1);
  EXPECT_EQ(ThreadsOf(kv, 1, 1), 1);
  EXPECT_EQ(Asked(kv, Microseconds(100)).ios.size(), 5u * 10);
  kv.threads = 1;
  EXPECT_EQ(Asked(kv, Microseconds(100)).ios.size(), 10u);
}

TEST(KeyValue, a_target_holds_each_process_to_its_ticks) {
  KeyValueArrivals kv = Small();
  kv.target = 400'000;  // 100 000 for each process: one in 10 µs, where its window would permit three
  const AskedIos asked = Asked(kv, Milliseconds(1));
  std::map<std::pair<NodeId, uint32_t>, std::vector<Time>> at;
  for (const auto& io : asked.ios) at[{io.request.client, io.request.thread}].push_back(io.at);
  ASSERT_EQ(at.size(), 4u);
  std::set<Time> first;
  for (const auto& [process, times] : at) {
    EXPECT_NEAR(static_cast<double>(times.size()), 100, 1);
    for (size_t i = 0; i < times.size(); ++i)
      EXPECT_EQ(times[i], times[0] + Microseconds(10) * static_cast<int>(i));
    first.insert(times[0]);
  }
  EXPECT_EQ(first.size(), 4u);
}

TEST(KeyValue, a_target_that_is_not_reached_is_no_limit) {
  KeyValueArrivals kv = Small();
  kv.target = 2'000'000;  // of 1.2 M
  const size_t free = Asked(Small(), Milliseconds(1)).ios.size();
  EXPECT_NEAR(static_cast<double>(Asked(kv, Milliseconds(1)).ios.size()), static_cast<double>(free), 13);
}

TEST(KeyValue, an_open_loop_has_its_rate) {
  KeyValueArrivals kv = Small();
  kv.rate = 1e6;  // for each process: ten are open on average, whatever the window
  const AskedIos asked = Asked(kv, Milliseconds(5));
  EXPECT_NEAR(InAll(asked), 20'000, 5 * std::sqrt(20'000));
}

}  // namespace
}  // namespace headroom::key_value_test
