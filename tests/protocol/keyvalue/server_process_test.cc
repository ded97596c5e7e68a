// A server's process alone: the order of its polls, the times of its answers, their costs.
#include "protocol/keyvalue/server_process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "support/in_child.h"
#include "support/verbs_lab.h"

namespace headroom::server_process_test {
namespace {

constexpr uint32_t kSlots = 10;
const ServerProcess::Parameters kPlain{{}, false, 100, {}}, kPrefetches{{}, true, 100, {}};

/// A process with slots that the test fills, and its answers with their times.
struct Spinning : VerbsLab, SlotServer {
  explicit Spinning(const ServerProcess::Parameters& p, uint32_t slots = kSlots, int accesses_of_each = 0)
      : VerbsLab(StarScenario(2, {GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0})),
        accesses(accesses_of_each),
        process(0, network->context(0), slots, p, *this) {}
  void FillAt(Time when, std::vector<uint32_t> slots) {
    ns3::Simulator::Schedule(ns3::TimeStep(static_cast<uint64_t>(when.v)), [this, slots] {
      for (const uint32_t slot : slots) process.Ready(slot);
    });
  }
  void RunFor(Time t) {
    ns3::Simulator::Stop(ns3::TimeStep(static_cast<uint64_t>(t.v)));
    ns3::Simulator::Run();
  }
  int AccessesOf(uint32_t, uint32_t) override { return accesses; }
  void Execute(uint32_t number, uint32_t slot) override {
    EXPECT_EQ(number, 0u);
    order.push_back(slot);
    at.push_back(EventQueue::Get().now());
    const ServerProcess::Times& t = process.times(slot);
    EXPECT_LE(t.ready, t.taken);
    EXPECT_LE(t.taken + t.worked, t.executed);
    EXPECT_EQ(t.executed, at.back());
    if (after) after(slot);
  }
  int accesses;
  std::vector<uint32_t> order;
  std::vector<Time> at;
  std::function<void(uint32_t slot)> after;
  ServerProcess process;
};

TEST(ServerProcess, looks_at_its_slots_round_robin_and_takes_those_that_hold_a_request) {
  InChild([] {
    Spinning s(kPlain);
    // At 1 us its 500th look begins, at slot 0.
    s.FillAt(Microseconds(1), {7, 2, 9});
    // While it works on 2, one request arrives behind it and one before.
    s.FillAt(Nanoseconds(1100), {5, 1});
    s.RunFor(Microseconds(10));
    EXPECT_EQ(s.order, (std::vector<uint32_t>{2, 5, 7, 9, 1}));
  });
}

TEST(ServerProcess, takes_a_poll_for_each_slot_until_it_comes_to_one_that_holds_a_request) {
  InChild([] {
    Spinning s(kPlain);
    s.FillAt(Microseconds(1), {3});
    s.FillAt(Microseconds(3), {3});
    s.RunFor(Microseconds(10));
    const Time work = Picoseconds(158'700);
    // From slot 0 at 1 us on; then from slot 4, 1164.7 ns on: at 3 us it is within its 918th look, and its
    // next look at slot 3 is the 919th.
    ASSERT_EQ(s.at.size(), 2u);
    EXPECT_EQ(s.at[0], Nanoseconds(1006) + work);
    EXPECT_EQ(s.at[1], Nanoseconds(1006) + work + Nanoseconds(2) * 919 + work);
  });
}

TEST(ServerProcess, a_nearer_request_that_comes_while_it_looks_is_taken_first) {
  InChild([] {
    Spinning s(kPlain, 1000);
    s.FillAt(Nanoseconds(10), {900});
    s.FillAt(Nanoseconds(20), {500});
    s.FillAt(Nanoseconds(30), {5});  // the process has passed this slot
    s.RunFor(Microseconds(10));
    EXPECT_EQ(s.order, (std::vector<uint32_t>{500, 900, 5}));
    EXPECT_EQ(s.at[0], Nanoseconds(1000) + Picoseconds(158'700));
  });
}

TEST(ServerProcess, a_slot_that_is_filled_twice_before_it_is_taken_holds_one_request) {
  InChild([] {
    Spinning s(kPlain);
    s.FillAt(Microseconds(1), {3, 3});
    s.FillAt(Nanoseconds(1002), {3});
    s.RunFor(Microseconds(10));
    EXPECT_EQ(s.order, (std::vector<uint32_t>{3}));
    EXPECT_EQ(s.process.Record().requests, 1u);
  });
}

TEST(ServerProcess, a_request_that_comes_again_before_it_is_answered_is_the_same) {
  for (const ServerProcess::Parameters& p : {kPlain, kPrefetches}) {
    SCOPED_TRACE(p.prefetch);
    InChild([&p] {
      Spinning s(p);
      s.FillAt(Time(0), {3, 4});
      s.FillAt(Nanoseconds(50), {3});  // the process works on that slot
      s.FillAt(Nanoseconds(300), {4});
      s.FillAt(Nanoseconds(400), {4});  // in the pipeline, if there is one
      s.RunFor(Microseconds(10));
      EXPECT_EQ(s.order, p.prefetch ? (std::vector<uint32_t>{3, 4}) : (std::vector<uint32_t>{3, 4, 4}));
    });
  }
}

/// HERD's figure 7: endless requests, each with N accesses to memory.
double NanosecondsEach(bool prefetch, int accesses) {
  const std::string text = TextFromChild([=] {
    ServerProcess::Parameters p = prefetch ? kPrefetches : kPlain;
    p.costs.poll = Time(0);
    Spinning s(p, kSlots, accesses);
    s.after = [&](uint32_t slot) { s.process.Ready(slot); };
    s.FillAt(Time(0), {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    s.RunFor(Microseconds(100));
    const size_t n = s.at.size();
    if (n < 20) return std::string("0");
    return std::to_string((s.at[n - 1] - s.at[9]).v / static_cast<double>(n - 10));
  });
  return std::stod(text) / 1000;
}

TEST(ServerProcess, a_request_costs_what_figure_7_says) {
  for (const int n : {0, 1, 2, 4, 8, 13, 14, 20}) {
    SCOPED_TRACE(n);
    EXPECT_NEAR(NanosecondsEach(false, n), 150 + 8.7 + 90 * n, 0.01);
    EXPECT_NEAR(NanosecondsEach(true, n), std::max(150.0, 90.0 * n / 8) + 8.7 + 4 * n, 0.01);
  }
}

TEST(ServerProcess, prefetching_answers_a_request_when_two_more_have_been_taken_in) {
  InChild([] {
    Spinning s(kPrefetches);
    s.FillAt(Time(0), {0, 1, 2, 3});
    s.RunFor(Picoseconds(4 * 158'700 + 1));
    EXPECT_EQ(s.order, (std::vector<uint32_t>{0, 1}));
    ASSERT_EQ(s.at.size(), 2u);
    EXPECT_EQ(s.at[0], Picoseconds(3 * 158'700));
    EXPECT_EQ(s.at[1], Picoseconds(4 * 158'700));
  });
}

TEST(ServerProcess, after_its_empty_polls_a_noop_moves_the_pipeline_on) {
  InChild([] {
    ServerProcess::Parameters p = kPrefetches;
    p.empty_polls = 30;
    Spinning s(p);
    s.FillAt(Time(0), {0, 1});
    s.RunFor(Microseconds(10));
    ASSERT_EQ(s.order, (std::vector<uint32_t>{0, 1}));
    const Time patience = Nanoseconds(2) * 30, noop = Nanoseconds(150);
    EXPECT_EQ(s.at[0], Picoseconds(2 * 158'700) + patience + noop);
    EXPECT_EQ(s.at[1], s.at[0] + patience + noop);
    const ServerProcessRecord record = s.process.Record();
    EXPECT_EQ(record.noops, 2u);
    EXPECT_EQ(record.requests, 2u);
    EXPECT_EQ(record.busy(), Picoseconds(2 * 158'700) + noop * 2);
    EXPECT_EQ(record.span, Microseconds(10));
  });
}

TEST(ServerProcess, one_who_does_not_prefetch_needs_no_noops) {
  InChild([] {
    Spinning s(kPlain);
    s.FillAt(Time(0), {0});
    s.RunFor(Microseconds(10));
    EXPECT_EQ(s.at, (std::vector<Time>{Picoseconds(158'700)}));
    EXPECT_EQ(s.process.Record().noops, 0u);
  });
}

TEST(ServerProcess, a_request_that_it_reaches_before_its_patience_ends_comes_before_a_noop) {
  for (const int64_t poll : {0, 2}) {
    SCOPED_TRACE(poll);
    InChild([=] {
      ServerProcess::Parameters p = kPrefetches;
      p.costs.poll = Nanoseconds(poll);
      Spinning s(p);
      // All arrive at once: no request has to wait for the arrival of another.
      s.FillAt(Time(0), {0, 2, 4, 6, 8});
      s.RunFor(Microseconds(10));
      EXPECT_EQ(s.order, (std::vector<uint32_t>{0, 2, 4, 6, 8}));
      EXPECT_EQ(s.process.Record().noops, 2u);  // for the last two
    });
  }
}

TEST(ServerProcess, what_was_before_the_warmup_or_comes_after_the_end_does_not_count) {
  InChild([] {
    ServerProcess::Parameters p = kPlain;
    p.warmup = Nanoseconds(100);
    Spinning s(p);
    s.after = [&](uint32_t slot) { s.process.Ready(slot); };
    s.FillAt(Time(0), {0});
    ns3::Simulator::Schedule(ns3::TimeStep(1'000'000), [&] { s.process.Note(); });
    s.RunFor(Microseconds(10));
    const ServerProcessRecord record = s.process.Record();
    EXPECT_EQ(record.span, Nanoseconds(900));
    EXPECT_EQ(record.requests, s.at.size());
    EXPECT_EQ(record.counted, static_cast<uint64_t>(std::ranges::count_if(s.at, [](Time at) {
                return at > Nanoseconds(100) && at <= Nanoseconds(1000);
              })));
    // It looks at nine empty slots in each round, and otherwise worked since the warm-up.
    EXPECT_GT(record.busy(), Nanoseconds(700));
    EXPECT_LT(record.busy(), record.span);
  });
}

TEST(ServerProcess, nothing_starves_and_nothing_is_answered_twice) {
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    InChild([seed] {
      std::mt19937 random(seed);
      const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
      const uint32_t slots = 1 + below(200);
      ServerProcess::Parameters p = below(2) == 0 ? kPlain : kPrefetches;
      p.costs.poll = Nanoseconds(below(4));
      p.empty_polls = 1 + static_cast<int>(below(200));
      const int accesses = static_cast<int>(below(20));
      Spinning s(p, slots, accesses);
      std::vector<Time> filled(slots, kNever);
      Time longest;
      uint64_t asked = 0;
      const auto fill = [&](uint32_t slot) {
        EXPECT_EQ(filled[slot], kNever);
        filled[slot] = EventQueue::Get().now();
        ++asked;
        s.process.Ready(slot);
      };
      const Time until = Microseconds(500);
      s.after = [&](uint32_t slot) {
        ASSERT_NE(filled[slot], kNever) << "answered twice";
        longest = std::max(longest, EventQueue::Get().now() - filled[slot]);
        filled[slot] = kNever;
        if (EventQueue::Get().now() > until) return;
        const Time gap = slot % 2 == 0 ? Time(0) : Nanoseconds(below(5000));
        if (gap.v == 0) return fill(slot);
        ns3::Simulator::Schedule(ns3::TimeStep(static_cast<uint64_t>(gap.v)), [&, slot] { fill(slot); });
      };
      for (uint32_t slot = 0; slot < slots; ++slot)
        ns3::Simulator::Schedule(ns3::TimeStep(below(1'000'000)), [&, slot] { fill(slot); });
      s.RunFor(Milliseconds(2));
      const ServerProcessRecord record = s.process.Record();
      EXPECT_GT(record.requests, slots);
      EXPECT_EQ(record.requests, asked);
      EXPECT_EQ(std::ranges::count(filled, kNever), static_cast<int64_t>(slots));
      // One round, and the requests in the pipeline. So before this slot, each other slot is served at most
      // twice, with at most as many no-ops.
      const Time each = Time(150'000 + 8'700 + 90'000 * accesses) + Nanoseconds(150) + p.costs.poll;
      EXPECT_LE(longest, each * (2 * slots + 2) + p.costs.poll * p.empty_polls * 3);
    });
  }
}

}  // namespace
}  // namespace headroom::server_process_test
