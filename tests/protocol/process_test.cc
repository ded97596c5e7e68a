// A core and its tasks.
#include "protocol/process.h"

#include <gtest/gtest.h>

#include "support/in_child.h"

#include <random>

#include "support/verbs_lab.h"

namespace headroom::process_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0};

/// A core of 2 GHz without connections.
struct Core : VerbsLab {
  explicit Core(const CoreCosts& costs = {2e9, {}, {}, {}})
      : VerbsLab(StarScenario(2, kLink)), process(verbs(0), network->context(0), costs, &trail) {}
  void RunFor(Time t) {
    ns3::Simulator::Stop(ns3::TimeStep(static_cast<uint64_t>(t.v)));
    ns3::Simulator::Run();
  }
  Time BusyFor(CoreWork work) const { return process.use().busy_for[static_cast<size_t>(work)]; }
  Time Busy() const {
    Time all;
    for (const Time of_work : process.use().busy_for) all += of_work;
    return all;
  }
  Trail trail;
  Process process;
};

TEST(Process, work_has_its_effect_when_the_core_has_done_it_one_after_the_other) {
  InChild([] {
    Core core;
    std::vector<std::pair<int, Time>> done;
    const auto note = [&](int which) { done.emplace_back(which, EventQueue::Get().now()); };
    core.process.Do(CoreWork::tcp, Microseconds(3), [&] {
      note(1);
      core.process.Do(CoreWork::rdma, Microseconds(4), [&] { note(3); });
    });
    core.process.Do(CoreWork::operation, Microseconds(2), [&] { note(2); });
    EXPECT_TRUE(done.empty());
    core.RunFor(Milliseconds(1));
    const std::vector<std::pair<int, Time>> expected{
        {1, Microseconds(3)}, {2, Microseconds(5)}, {3, Microseconds(9)}};
    EXPECT_EQ(done, expected);
    EXPECT_EQ(core.BusyFor(CoreWork::tcp), Microseconds(3));
    EXPECT_EQ(core.BusyFor(CoreWork::operation), Microseconds(2));
    EXPECT_EQ(core.BusyFor(CoreWork::rdma), Microseconds(4));
  });
}

TEST(Process, what_costs_nothing_is_done_at_once_in_the_order_in_which_it_was_asked_for) {
  InChild([] {
    Core core;
    std::string done;
    core.process.Do(CoreWork::tcp, Time(0), [&] {
      core.process.Do(CoreWork::tcp, Time(0), [&] { done += 'b'; });
      done += 'a';
    });
    EXPECT_EQ(done, "ab");
    EXPECT_EQ(core.Busy(), Time(0));  // an idle core has not worked
  });
}

TEST(Process, steps_of_work_tell_what_was_waited_for) {
  InChild([] {
    Core core;
    Trail::Parts parts{};
    core.process.Do(CoreWork::operation, Microseconds(5), [] {});
    core.process.Do(CoreWork::tcp, Microseconds(2),
                    [&] { parts = core.trail.Split(core.trail.current(), Time(0)); });
    core.RunFor(Milliseconds(1));
    EXPECT_EQ(parts[static_cast<size_t>(OperationPart::core_queue)], Microseconds(5));
    EXPECT_EQ(parts[static_cast<size_t>(OperationPart::core)], Microseconds(2));
  });
}

// A core of 2 GHz, requests of 20,000 cycles in a closed loop of 8: 100,000 a second, 1000 in 10 ms.
TEST(Process, throughput_ends_where_the_cycles_do) {
  InChild([] {
    Core core;
    int done = 0;
    const Time cost = core.process.costs().Of(20'000);
    EXPECT_EQ(cost, Microseconds(10));
    std::function<void()> again = [&] {
      ++done;
      core.process.Do(CoreWork::tcp, cost, again);
    };
    for (int i = 0; i < 8; ++i) core.process.Do(CoreWork::tcp, cost, again);
    core.RunFor(Milliseconds(10));
    EXPECT_NEAR(done, 1000, 1);
    EXPECT_EQ(core.Busy(), Milliseconds(10));  // all of the time
  });
}

// The core has time for a third of the requests. Each request is three pieces of work, of which the first is
// new: once a request has begun, it continues before another begins.
TEST(Process, what_has_begun_goes_on_before_new_requests_begin) {
  InChild([] {
    Core core;
    std::vector<int> ended;
    for (int i = 0; i < 30; ++i) {
      core.process.DoNew(CoreWork::operation, Microseconds(1), [&core, &ended, i] {
        core.process.Do(CoreWork::tcp, Microseconds(1), [&core, &ended, i] {
          core.process.Do(CoreWork::tcp, Microseconds(1), [&ended, i] { ended.push_back(i); });
        });
      });
    }
    core.RunFor(Microseconds(31));
    EXPECT_EQ(ended, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    EXPECT_EQ(core.Busy(), Microseconds(31));
  });
}

TEST(Process, new_requests_that_cost_nothing_begin_in_the_order_in_which_they_were_asked_for) {
  InChild([] {
    Core core(CoreCosts{});
    std::string done;
    core.process.Do(CoreWork::tcp, Time(0), [&] {
      core.process.DoNew(CoreWork::tcp, Time(0), [&] { done += 'b'; });
      core.process.Do(CoreWork::tcp, Time(0), [&] { done += 'c'; });
      done += 'a';
    });
    EXPECT_EQ(done, "abc");
  });
}

// Bai et al., NSDI 2023, figure 9: RDMA saves 34.5 % of a host's cycles. Where it falls back to TCP it needs
// 1 / (1 - 0.345) = 1.527 times as many.
TEST(Process, failover_takes_one_over_what_is_left_of_the_savings) {
  InChild([] {
    const CoreCosts costs{2e9, {0.655 * 20'000 - 6000, 0}, {14'000, 0, 0, 0}, {6000}};
    Core core(costs);
    Time over_rdma, over_tcp;
    for (int i = 0; i < 100; ++i) {
      core.process.Do(CoreWork::operation, costs.OfRequest(), [] {});
      core.process.Do(CoreWork::rdma, costs.OfRdma(1, 0), [] {});
    }
    core.RunFor(Milliseconds(10));
    over_rdma = core.Busy();
    for (int i = 0; i < 100; ++i) {
      core.process.Do(CoreWork::operation, costs.OfRequest(), [] {});
      core.process.Do(CoreWork::tcp, costs.OfTcpSent(1, 0, 0), [] {});
    }
    core.RunFor(Milliseconds(10));
    over_tcp = core.Busy() - over_rdma;
    EXPECT_NEAR(static_cast<double>(over_tcp.v) / static_cast<double>(over_rdma.v), 1 / (1 - 0.345), 1e-9);
  });
}

TEST(Process, what_it_worked_is_what_was_charged_by_work) {
  InChild([] {
    Core core;
    std::mt19937 random(7);
    CoreTimes charged{}, heard{};
    for (int i = 0; i < 200; ++i) {
      const auto work = static_cast<CoreWork>(random() % kCoreWorks);
      const Time cost(static_cast<int64_t>(random() % 5'000'000));
      charged[static_cast<size_t>(work)] += cost;
      core.process.Do(work, cost, [&heard, work, cost] { heard[static_cast<size_t>(work)] += cost; });
      core.RunFor(Time(static_cast<int64_t>(random() % 4'000'000)));
      Time all;
      for (const Time of_work : core.process.use().busy_for) all += of_work;
      EXPECT_LE(all, EventQueue::Get().now());
    }
    core.RunFor(Milliseconds(10));
    EXPECT_EQ(core.process.use().busy_for, charged);
    EXPECT_EQ(heard, charged);
  });
}

TEST(CoreCosts, are_cycles_over_the_clock) {
  InChild([] {
    const CoreCosts costs{2e9, {1000, 0.5}, {4000, 0.25, 0.5, 1}, {3000}};
    EXPECT_EQ(costs.OfRdma(2, 1000), Nanoseconds(1250));
    EXPECT_EQ(costs.OfTcpSent(2, 1000, 0), Nanoseconds(4125));
    EXPECT_EQ(costs.OfTcpReceived(1, 1000, 600), Nanoseconds(2550));
    EXPECT_EQ(costs.OfRequest(), Nanoseconds(1500));
    EXPECT_EQ((CoreCosts{0, {1000, 0.5}, {4000, 1, 1, 1}, {3000}}).OfTcpSent(1, 1, 1),
              Time(0));  // the core has no
                         // clock
  });
}

/// A core whose thread sleeps: it takes 3 us until it runs, and 1 us for each turn of its loop.
struct Sleeper : VerbsLab {
  explicit Sleeper(const EventLoop& loop = {Microseconds(3), Microseconds(1), Time(0)})
      : VerbsLab(StarScenario(2, kLink)),
        process(verbs(0), network->context(0), {2e9, {}, {}, {}}, &trail, Time(0), loop) {}
  void RunFor(Time t) {
    ns3::Simulator::Stop(ns3::TimeStep(static_cast<uint64_t>(t.v)));
    ns3::Simulator::Run();
  }
  Trail trail;
  Process process;
};

TEST(Process, a_thread_that_sleeps_wakes_up_and_takes_what_there_is_in_one_turn) {
  InChild([] {
    Sleeper core;
    std::vector<Time> done;
    const auto note = [&] { done.push_back(EventQueue::Get().now()); };
    // Two pieces wait when it runs, at 3 us: one turn takes 1 + 2 us, then 2 us. The second piece's request
    // belongs to the next turn: 1 + 2 us. Then the thread sleeps, and a later piece needs a wake-up.
    core.process.Do(CoreWork::operation, Microseconds(2), note);
    core.process.Do(CoreWork::operation, Microseconds(2), [&] {
      note();
      core.process.Do(CoreWork::operation, Microseconds(2), note);
    });
    ns3::Simulator::Schedule(ns3::MicroSeconds(50),
                             [&] { core.process.Do(CoreWork::operation, Microseconds(2), note); });
    core.RunFor(Milliseconds(1));
    const std::vector<Time> expected{Microseconds(6), Microseconds(8), Microseconds(11), Microseconds(56)};
    EXPECT_EQ(done, expected);
    // There are 4 pieces and 3 turns; the core is not busy while the thread wakes up.
    EXPECT_EQ(core.process.use().busy(), Microseconds(11));
  });
}

TEST(Process, a_turn_goes_on_with_its_pieces_and_ends_with_what_waits_for_its_end) {
  InChild([] {
    Sleeper core;
    std::vector<std::pair<char, Time>> done;
    const auto note = [&](char what) { done.emplace_back(what, EventQueue::Get().now()); };
    core.process.Do(CoreWork::operation, Microseconds(2), [&] {
      note('a');
      core.process.DoAtEndOfTurn(CoreWork::operation, Microseconds(4), [&] { note('w'); });
      core.process.GoOn(CoreWork::operation, Microseconds(1), [&] { note('c'); });
      core.process.Do(CoreWork::operation, Microseconds(2), [&] { note('n'); });
    });
    core.process.Do(CoreWork::operation, Microseconds(2), [&] { note('b'); });
    core.RunFor(Milliseconds(1));
    // The thread is awake at 3 us, a turn takes 1 us: it executes a, its continuation, b, and the request at
    // the end. The next turn, of 1 us, executes n.
    const std::vector<std::pair<char, Time>> expected{{'a', Microseconds(6)},
                                                      {'c', Microseconds(7)},
                                                      {'b', Microseconds(9)},
                                                      {'w', Microseconds(13)},
                                                      {'n', Microseconds(16)}};
    EXPECT_EQ(done, expected);
  });
}

// A thread that sleeps gets its own work while completions keep arriving.
TEST(Process, a_turn_does_not_take_completions_that_came_after_it_began) {
  InChild([] {
    struct Sends final : Endpoint {
      void OnCompletion(const Wc&) override { order += 'c'; }
      void OnTurn() override {}
      int64_t BytesOf(const Wc&) const override { return 0; }
      int64_t BytesOfTurn() const override { return 0; }
      std::string order;
    };
    Sleeper core;
    Sends sends;
    const uint64_t base = core.process.Add(sends);
    QpInitAttr attr;
    attr.send_cq = attr.recv_cq = core.process.cq();
    attr.sq_sig_all = true;
    const VerbsLab::Pair pair = core.Make(0, 1);
    QueuePair* const qp = core.verbs(0).CreateQp(attr);
    ASSERT_TRUE(ConnectQps(core.verbs(0), qp, core.verbs(1), pair.b));
    SendWr write = Signaled(WrOpcode::rdma_write, base, 0);
    // The turn that begins at 3 us has two pieces of 20 us. The WRITE's completion arrives during the first
    // piece: it belongs to the next turn.
    for (int i = 0; i < 2; ++i)
      core.process.Do(CoreWork::operation, Microseconds(20), [&] { sends.order += 'w'; });
    ns3::Simulator::Schedule(ns3::MicroSeconds(5), [&] { core.verbs(0).PostSend(qp, write); });
    core.RunFor(Milliseconds(1));
    EXPECT_EQ(sends.order, "wwc");
  });
}

// It takes 3 us until the thread runs and 1 us for a turn; then it polls for 10 us.
TEST(Process, a_thread_that_polls_sees_what_comes_at_once_until_it_sleeps) {
  InChild([] {
    Sleeper core(EventLoop{Microseconds(3), Microseconds(1), Microseconds(10)});
    std::vector<Time> done;
    const auto work_at = [&](int64_t us) {
      ns3::Simulator::Schedule(ns3::MicroSeconds(us), [&] {
        core.process.Do(CoreWork::operation, Microseconds(2),
                        [&] { done.push_back(EventQueue::Get().now()); });
      });
    };
    // It is awake at 3 and done at 6. At 10 it polls: 10 + 1 + 2. It sleeps from 23 on: 50 + 3 + 1 + 2.
    for (const int64_t us : {0, 10, 50}) work_at(us);
    core.RunFor(Microseconds(60));
    EXPECT_EQ(done, (std::vector<Time>{Microseconds(6), Microseconds(13), Microseconds(56)}));
    EXPECT_EQ(core.process.use().busy(), Microseconds((23 - 3) + (60 - 53)));
  });
}

TEST(Process, wake_ups_and_copies_are_parts_of_an_operation_s_time) {
  InChild([] {
    Sleeper core;
    Trail::Parts parts{};
    ns3::Simulator::Schedule(ns3::MicroSeconds(10), [&] {
      core.trail.SetCurrent(core.trail.Add(0, OperationPart::other, Microseconds(10), Microseconds(10)));
      core.process.Do(CoreWork::operation, Microseconds(4), [] {});  // the work before
      core.process.Do(CoreWork::operation, {Microseconds(5), Microseconds(2)},
                      [&] { parts = core.trail.Split(core.process.step(), Microseconds(10)); });
      core.trail.SetCurrent(0);
    });
    core.RunFor(Milliseconds(1));
    const auto part = [&](OperationPart p) { return parts[static_cast<size_t>(p)]; };
    // 3 us of wake-up, 1 + 4 us for the work before, then 5 us, of which 2 us are for the copy.
    EXPECT_EQ(part(OperationPart::wake), Microseconds(3));
    EXPECT_EQ(part(OperationPart::core_queue), Microseconds(5));
    EXPECT_EQ(part(OperationPart::core), Microseconds(3));
    EXPECT_EQ(part(OperationPart::copy), Microseconds(2));
    Time all;
    for (const Time p : parts) all += p;
    EXPECT_EQ(all, Microseconds(13));
  });
}

}  // namespace
}  // namespace headroom::process_test
