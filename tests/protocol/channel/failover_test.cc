// Which connections move, and when: by schedule, because they are broken, and back.
#include "protocol/channel/failover.h"

#include <gtest/gtest.h>
#include <ns3/nstime.h>
#include <ns3/simulator.h>

#include <deque>

#include "protocol/channel/step_by_step.h"
#include "sim/simulator.h"
#include "support/in_child.h"

namespace headroom::failover_test {
namespace {

using Path = MigratingChannel::Path;

class Nobody final : public StorageServer {
 public:
  void Execute(StorageCall, Reply) override {}
};

/// Hosts 0 … 4 with five connections each, in turn: connection i belongs to host i % 5.
struct Lab {
  explicit Lab(const FailoverParameters& parameters)
      : failover(parameters, [this](const Failover::Change& c) { changes.push_back(c); }) {
    for (NodeId i = 0; i < 25; ++i) {
      StepByStep& a = paths.emplace_back(nobody);
      StepByStep& b = paths.emplace_back(nobody);
      a.joins_at_once = b.joins_at_once = true;
      failover.Add(channels.emplace_back(a, b, nullptr), i % 5);
      channels.back().Open({});
    }
    failover.Start();
  }
  StepByStep& main(size_t i) { return paths[2 * i]; }
  StepByStep& standby(size_t i) { return paths[2 * i + 1]; }
  void RunUntil(Time at) {
    ns3::Simulator::Stop(ns3::TimeStep(static_cast<uint64_t>((at - EventQueue::Get().now()).v)));
    ns3::Simulator::Run();
  }
  size_t OnStandby() const {
    return static_cast<size_t>(std::ranges::count_if(
        channels, [](const MigratingChannel& c) { return c.active() == Path::standby; }));
  }
  size_t Told(bool back, Time from = Time{}) const {
    size_t sum = 0;
    for (const Failover::Change& c : changes) sum += c.back == back && c.at >= from ? c.connections : 0;
    return sum;
  }

  Nobody nobody;
  std::deque<StepByStep> paths;
  std::deque<MigratingChannel> channels;
  std::vector<Failover::Change> changes;
  Failover failover;
};

void InLab(const FailoverParameters& parameters, const std::function<void(Lab&)>& body) {
  InChild([&] {
    StartSimulator(1);
    Lab lab(parameters);
    body(lab);
  });
}

TEST(Failover, follows_a_schedule_a_fraction_at_a_time) {
  // 10 % of 25 are 2.5: two move in a period. All may move from 2 ms on, 40 % of them from 20 ms on, none
  // from 40.
  FailoverParameters p;
  p.schedule = {{Milliseconds(2), 1}, {Milliseconds(20), 0.4}, {Milliseconds(40), 0}};
  InLab(p, [](Lab& lab) {
    lab.RunUntil(Microseconds(1500));
    EXPECT_EQ(lab.OnStandby(), 0u);
    for (int period = 1; period <= 12; ++period) {
      lab.RunUntil(Milliseconds(1 + period) + Microseconds(500));
      EXPECT_EQ(lab.OnStandby(), static_cast<size_t>(2 * period));
    }
    lab.RunUntil(Microseconds(19'500));
    EXPECT_EQ(lab.OnStandby(), 25u);
    EXPECT_EQ(lab.Told(false), 25u);
    for (size_t i = 0; i < 25; ++i) EXPECT_FALSE(lab.main(i).opened);
    lab.RunUntil(Microseconds(20'500));
    EXPECT_EQ(lab.OnStandby(), 23u);
    lab.RunUntil(Microseconds(39'500));
    EXPECT_EQ(lab.OnStandby(), 10u);
    for (size_t i = 0; i < 25; ++i) EXPECT_EQ(lab.channels[i].active() == Path::standby, i < 10) << i;
    lab.RunUntil(Milliseconds(60));
    EXPECT_EQ(lab.OnStandby(), 0u);
    EXPECT_EQ(lab.Told(true), 25u);
    for (const Failover::Change& c : lab.changes) EXPECT_EQ(c.why, "schedule");
  });
}

TEST(Failover, no_more_move_than_the_fraction_and_one_at_least) {
  const std::pair<double, size_t> cases[] = {{0.01, 1}, {0.04, 1}, {0.079, 1}, {0.08, 2}, {0.28, 7}, {1, 25}};
  for (const auto& [fraction, moved] : cases) {
    SCOPED_TRACE(fraction);
    FailoverParameters p;
    p.fraction = fraction;
    p.schedule = {{Time(0), 1}};
    InLab(p, [moved = moved](Lab& lab) {
      lab.RunUntil(Microseconds(1500));
      EXPECT_EQ(lab.OnStandby(), moved);
    });
  }
}

TEST(Failover, one_that_has_not_moved_yet_is_not_told_again) {
  FailoverParameters p;
  p.schedule = {{Milliseconds(1), 0.2}};
  InLab(p, [](Lab& lab) {
    for (StepByStep& path : lab.paths) path.joins_at_once = false;
    lab.RunUntil(Microseconds(10'500));
    EXPECT_EQ(lab.OnStandby(), 0u);
    EXPECT_EQ(lab.Told(false), 5u);
    for (size_t i = 0; i < 5; ++i) lab.standby(i).Join();
    EXPECT_EQ(lab.OnStandby(), 5u);
  });
}

TEST(Failover, connections_whose_queue_pairs_fail_move_and_come_back_when_they_work) {
  // Those of host 3 fail at 1.5 ms, and work again from 9.5 ms on except for a moment at 15: they return
  // after 10 ms.
  FailoverParameters p;
  p.fraction = 0.08;  // two
  InLab(p, [](Lab& lab) {
    lab.RunUntil(Microseconds(1500));
    for (size_t i = 3; i < 25; i += 5) lab.main(i).is_joined = false, lab.main(i).joins_at_once = false;
    lab.RunUntil(Microseconds(2500));
    EXPECT_EQ(lab.OnStandby(), 2u);
    lab.RunUntil(Microseconds(9500));
    for (size_t i = 0; i < 25; ++i) EXPECT_EQ(lab.channels[i].active() == Path::standby, i % 5 == 3) << i;
    ASSERT_EQ(lab.changes.size(), 3u);  // two, two and one
    EXPECT_EQ(lab.changes[0].host, 3u);
    EXPECT_EQ(lab.changes[0].connections, 2u);
    EXPECT_EQ(lab.changes[0].why, "queue pair failed");
    EXPECT_EQ(lab.changes[0].at, Milliseconds(2));
    for (size_t i = 3; i < 25; i += 5) {
      EXPECT_TRUE(lab.main(i).opened);  // the connection was tried
      lab.main(i).Join();
    }
    lab.RunUntil(Microseconds(14'500));
    lab.main(3).is_joined = false;
    lab.RunUntil(Microseconds(15'500));
    lab.main(3).is_joined = true;
    lab.RunUntil(Microseconds(19'500));
    EXPECT_EQ(lab.OnStandby(), 5u);
    lab.RunUntil(Microseconds(20'500));
    EXPECT_EQ(lab.OnStandby(), 3u);
    lab.RunUntil(Microseconds(25'500));
    EXPECT_EQ(lab.channels[3].active(), Path::standby);
    EXPECT_EQ(lab.OnStandby(), 1u);
    lab.RunUntil(Microseconds(26'500));
    EXPECT_EQ(lab.OnStandby(), 0u);
    EXPECT_EQ(lab.Told(true), 5u);
    EXPECT_EQ(lab.changes.back().why, "works again");
    for (size_t i = 0; i < 25; ++i) EXPECT_FALSE(lab.standby(i).opened);
  });
}

TEST(Failover, a_call_that_waits_too_long_says_that_its_way_is_broken) {
  for (const Time detect : {Milliseconds(5), kNever}) {
    FailoverParameters p;
    p.detect = detect;
    InLab(p, [detect](Lab& lab) {
      lab.RunUntil(Microseconds(500));
      lab.channels[7].Call({}, [](const StorageAnswer&) {});
      lab.RunUntil(Microseconds(5400));
      EXPECT_EQ(lab.OnStandby(), 0u);
      lab.RunUntil(Microseconds(6500));
      EXPECT_EQ(lab.OnStandby(), detect == kNever ? 0u : 1u);
      if (detect == kNever) return;
      EXPECT_EQ(lab.channels[7].active(), Path::standby);
      EXPECT_EQ(lab.changes.at(0).why, "no answer");
      EXPECT_EQ(lab.channels[7].waiting(Path::standby), 1u);
    });
  }
}

TEST(Failover, broken_ones_go_first_and_a_schedule_does_not_call_them_back) {
  FailoverParameters p;
  p.fraction = 0.04;  // one
  p.schedule = {{Milliseconds(1), 0.08}, {Milliseconds(5), 0}};
  InLab(p, [](Lab& lab) {
    lab.main(20).is_joined = false;
    lab.main(20).joins_at_once = false;
    lab.RunUntil(Microseconds(1500));
    EXPECT_EQ(lab.channels[20].active(), Path::standby);
    EXPECT_EQ(lab.OnStandby(), 1u);
    lab.RunUntil(Microseconds(4500));
    EXPECT_EQ(lab.OnStandby(), 3u);
    lab.RunUntil(Microseconds(12'500));
    EXPECT_EQ(lab.OnStandby(), 1u);
    EXPECT_EQ(lab.channels[20].active(), Path::standby);
  });
}

TEST(Failover, one_that_works_again_where_a_schedule_does_not_want_it_back_keeps_nothing_open) {
  FailoverParameters p;
  p.schedule = {{Milliseconds(1), 0.04}, {Milliseconds(50), 0}};
  InLab(p, [](Lab& lab) {
    lab.main(0).is_joined = lab.main(0).joins_at_once = false;
    lab.RunUntil(Microseconds(5500));
    EXPECT_TRUE(lab.main(0).opened);  // the connection was tried
    lab.main(0).Join();
    lab.RunUntil(Microseconds(14'500));
    EXPECT_TRUE(lab.main(0).opened);
    lab.RunUntil(Microseconds(20'500));
    EXPECT_EQ(lab.channels[0].active(), Path::standby);
    EXPECT_FALSE(lab.main(0).opened);
    lab.main(0).joins_at_once = true;
    lab.RunUntil(Microseconds(51'500));
    EXPECT_EQ(lab.channels[0].active(), Path::main);
    EXPECT_EQ(lab.changes.back().why, "schedule");
  });
}

TEST(Failover, what_drains_where_it_breaks_is_asked_again) {
  FailoverParameters p;
  p.schedule = {{Milliseconds(1), 1}};
  p.fraction = 1;
  InLab(p, [](Lab& lab) {
    lab.channels[0].Call({}, [](const StorageAnswer&) {});
    lab.RunUntil(Microseconds(1500));
    EXPECT_EQ(lab.channels[0].active(), Path::standby);
    EXPECT_EQ(lab.channels[0].waiting(Path::main), 1u);
    lab.RunUntil(Microseconds(6500));
    EXPECT_EQ(lab.channels[0].waiting(Path::main), 0u);
    EXPECT_EQ(lab.channels[0].waiting(Path::standby), 1u);
  });
}

}  // namespace
}  // namespace headroom::failover_test
