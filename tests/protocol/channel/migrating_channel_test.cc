// A channel that moves between two legs, at every moment of a call. The test controls the legs: each call
// takes a step when the test orders it.
#include <gtest/gtest.h>
#include <ns3/nstime.h>
#include <ns3/simulator.h>

#include <map>
#include <random>
#include <set>

#include "protocol/channel/duplicate_filter.h"
#include "protocol/channel/migrating_channel.h"
#include "protocol/channel/step_by_step.h"
#include "sim/simulator.h"
#include "support/in_child.h"

namespace headroom::migrating_channel_test {
namespace {

using Path = MigratingChannel::Path;

/// Executes on command, and counts the writes that had an effect.
class Device final : public StorageServer {
 public:
  void Execute(StorageCall call, Reply reply) override { waiting_.push_back({call, std::move(reply)}); }
  bool Finish() {
    if (waiting_.empty()) return false;
    const auto [call, reply] = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    ++(call.kind == OperationKind::write ? writes : reads)[call.request.number];
    reply(OperationStatus::ok, {});
    return true;
  }
  std::map<uint32_t, int> writes, reads;

 private:
  std::vector<std::pair<StorageCall, Reply>> waiting_;
};

struct Lab {
  void Call(OperationKind kind) {
    StorageCall call;
    call.kind = kind;
    call.length = 4096;
    call.request = {next, next - (open.empty() ? next : *open.begin())};
    open.insert(next);
    channel.Call(call, [this, number = next](const StorageAnswer& answer) {
      EXPECT_EQ(open.erase(number), 1u) << "answered twice";
      EXPECT_EQ(answer.status, OperationStatus::ok);
    });
    (kind == OperationKind::write ? writes : reads).insert(next++);
  }
  void Finish() {
    for (bool more = true; more;) {
      more = false;
      for (StepByStep* path : {&main, &standby}) {
        if (path->opened && !path->is_joined) path->Join();
        path->FailEnded();
        for (size_t i = 0; i < path->open();) {
          if (path->Step(i)) {
            more = true;
          } else {
            ++i;
          }
        }
      }
      more |= device.Finish();
    }
    EXPECT_TRUE(open.empty());
    EXPECT_EQ(channel.open(), 0u);
    for (const uint32_t n : writes) EXPECT_EQ(device.writes[n], 1) << "write " << n;
    for (const uint32_t n : reads) EXPECT_GE(device.reads[n], 1) << "read " << n;
  }

  Device device;
  DuplicateFilter once{device};
  StepByStep main{once}, standby{once};
  MigratingChannel channel{main, standby, nullptr};
  std::set<uint32_t> open, writes, reads;
  uint32_t next = 0;
};

void InSimulator(const std::function<void()>& body) {
  InChild([&body] {
    StartSimulator(1);
    body();
  });
}

/// Brings a lab's first call this far: 0 not sent, 1 on its way, 2 at the server, 3 its answer on its way.
void Bring(Lab& lab, OperationKind kind, int moment) {
  lab.channel.Open({});
  lab.main.Join();
  lab.Call(kind);
  for (int i = 0; i < std::min(moment, 2); ++i) EXPECT_TRUE(lab.main.Step());
  if (moment == 3) {
    EXPECT_TRUE(lab.device.Finish());
  }
}

TEST(MigratingChannel, what_is_open_when_its_way_breaks_is_asked_again_and_executed_once) {
  InSimulator([] {
    for (const OperationKind kind : {OperationKind::read, OperationKind::write}) {
      for (int moment = 0; moment < 4; ++moment) {
        for (const bool old_goes_on : {true, false}) {
          for (const bool at_once : {true, false}) {
            Lab lab;
            Bring(lab, kind, moment);
            lab.main.fails_at_once = at_once;
            lab.channel.Abandon();
            EXPECT_EQ(lab.channel.active(), Path::standby);
            EXPECT_TRUE(lab.standby.opened);
            EXPECT_FALSE(lab.main.opened);
            EXPECT_EQ(lab.channel.waiting(Path::standby), 1u);
            for (int i = 0; old_goes_on && i < 3; ++i) lab.main.Step(), lab.device.Finish();
            lab.Finish();
            EXPECT_EQ(lab.main.closed, 1);
          }
        }
      }
    }
  });
}

TEST(MigratingChannel, a_move_leaves_what_is_open_where_it_is_and_then_closes_that_way) {
  InSimulator([] {
    for (const OperationKind kind : {OperationKind::read, OperationKind::write}) {
      for (int moment = 0; moment < 4; ++moment) {
        Lab lab;
        Bring(lab, kind, moment);
        lab.channel.Move();
        EXPECT_TRUE(lab.channel.moving());
        lab.Call(kind);  // the other leg is not connected yet
        EXPECT_EQ(lab.main.open(), 2u);
        lab.standby.Join();
        EXPECT_FALSE(lab.channel.moving());
        lab.Call(kind);
        EXPECT_EQ(lab.standby.open(), 1u);
        EXPECT_TRUE(lab.main.opened);
        while (lab.main.open() > 0) lab.main.Step() || lab.device.Finish();
        EXPECT_FALSE(lab.main.opened);
        lab.Finish();
        EXPECT_EQ(lab.device.writes.size() + lab.device.reads.size(), 3u);
        for (const auto& [number, times] : lab.device.reads) EXPECT_EQ(times, 1);
        // The channel moves back.
        lab.channel.Move();
        EXPECT_TRUE(lab.main.opened);
        lab.main.Join();
        EXPECT_EQ(lab.channel.active(), Path::main);
        EXPECT_FALSE(lab.standby.opened);
        lab.Call(kind);
        lab.Finish();
      }
    }
  });
}

TEST(MigratingChannel, a_way_that_ends_while_it_drains_leaves_its_calls_to_the_other) {
  InSimulator([] {
    Lab lab;
    Bring(lab, OperationKind::write, 1);
    lab.standby.Open({});
    lab.channel.Move();
    lab.standby.Join();
    EXPECT_EQ(lab.channel.waiting(Path::main), 1u);
    lab.channel.StopDraining();
    EXPECT_EQ(lab.channel.waiting(Path::main), 0u);
    EXPECT_FALSE(lab.main.opened);
    lab.Finish();
  });
}

TEST(MigratingChannel, what_waits_for_a_way_that_was_never_joined_goes_back_with_a_move) {
  InSimulator([] {
    Lab lab;
    Bring(lab, OperationKind::write, 1);
    lab.channel.Abandon();
    EXPECT_EQ(lab.channel.waiting(Path::standby), 1u);
    lab.channel.TryOther();
    lab.main.Join();
    lab.channel.Move();
    EXPECT_EQ(lab.channel.active(), Path::main);
    EXPECT_EQ(lab.channel.waiting(Path::main), 1u);
    EXPECT_FALSE(lab.standby.opened);
    lab.Finish();
  });
}

TEST(MigratingChannel, knows_what_waits_for_which_way_and_whether_they_work) {
  InSimulator([] {
    Lab lab;
    Bring(lab, OperationKind::read, 1);
    EXPECT_EQ(lab.channel.waiting_since(Path::main), Time{});
    EXPECT_EQ(lab.channel.waiting_since(Path::standby), kNever);
    EXPECT_FALSE(lab.channel.lost(Path::main));
    lab.main.is_joined = false;
    EXPECT_TRUE(lab.channel.lost(Path::main));
    EXPECT_FALSE(lab.channel.lost(Path::standby));  // the call was never on that leg
    lab.channel.TryOther();
    EXPECT_FALSE(lab.channel.joined(Path::standby));
    lab.standby.Join();
    EXPECT_TRUE(lab.channel.joined(Path::standby));
    EXPECT_TRUE(lab.standby.opened);  // though no call waits for it
    EXPECT_EQ(lab.channel.active(), Path::main);
  });
}

TEST(MigratingChannel, the_oldest_that_waits_for_a_way_is_the_one_that_it_was_asked_first) {
  InSimulator([] {
    Lab lab;
    const auto at = [](int64_t us) {
      ns3::Simulator::Stop(
          ns3::TimeStep(static_cast<uint64_t>((Microseconds(us) - EventQueue::Get().now()).v)));
      ns3::Simulator::Run();
    };
    Bring(lab, OperationKind::read, 1);
    lab.standby.joins_at_once = true;
    lab.channel.Move();
    at(3);
    lab.Call(OperationKind::read);
    at(10);
    lab.channel.StopDraining();  // the first call is the last that waits for that leg
    EXPECT_EQ(lab.channel.waiting_since(Path::standby), Microseconds(3));
    lab.Finish();
    EXPECT_EQ(lab.channel.waiting_since(Path::standby), kNever);
  });
}

TEST(MigratingChannel, an_answer_by_a_way_that_was_left_is_late_and_the_end_of_that_way_is_none) {
  InSimulator([] {
    for (const bool late : {true, false}) {
      Lab lab;
      Bring(lab, OperationKind::read, 3);
      lab.main.fails_at_once = false;
      lab.channel.Abandon();
      if (late) {
        EXPECT_TRUE(lab.main.Step());
      }
      lab.main.FailEnded();
      lab.Finish();
      StorageRecord record;
      lab.channel.Count(record);
      EXPECT_EQ(record.failover.late, late ? 1u : 0u);
      EXPECT_EQ(record.failover.asked_again, 1u);
    }
  });
}

TEST(MigratingChannel, closing_fails_what_is_open) {
  InSimulator([] {
    Lab lab;
    lab.channel.Open({});
    lab.main.Join();
    int failed = 0;
    for (uint32_t i = 0; i < 3; ++i) {
      StorageCall call;
      call.request = {i, i};
      lab.channel.Call(call, [&](const StorageAnswer& a) { failed += a.status == OperationStatus::failed; });
    }
    lab.channel.Move();
    lab.channel.Close();
    EXPECT_EQ(failed, 3);
    EXPECT_FALSE(lab.main.opened || lab.standby.opened);
  });
}

TEST(MigratingChannel, whatever_happens_each_call_is_answered_once_and_each_write_executed_once) {
  InSimulator([] {
    for (uint32_t seed = 0; seed < 300; ++seed) {
      std::mt19937 random(seed);
      const auto draw = [&](size_t n) { return random() % n; };
      Lab lab;
      lab.main.fails_at_once = draw(2) == 0;
      lab.standby.fails_at_once = draw(2) == 0;
      lab.channel.Open({});
      for (int step = 0; step < 200; ++step) {
        StepByStep& path = draw(2) == 0 ? lab.main : lab.standby;
        switch (draw(12)) {
          case 0:
          case 1:
            lab.Call(draw(2) == 0 ? OperationKind::read : OperationKind::write);
            break;
          case 2:
            if (path.opened) path.Join();
            break;
          case 3:
            path.is_joined = false;
            break;
          case 4:
            path.FailEnded();
            break;
          case 5:
            if (draw(3) == 0) lab.channel.Abandon();
            break;
          case 6:
            if (draw(3) == 0) lab.channel.Move();
            break;
          case 7:
            if (draw(3) == 0) draw(2) == 0 ? lab.channel.StopDraining() : lab.channel.TryOther();
            break;
          case 8:
            lab.device.Finish();
            break;
          default:
            if (path.open() > 0) path.Step(draw(path.open()));
        }
      }
      lab.Finish();
      if (::testing::Test::HasFailure()) {
        ADD_FAILURE() << "seed " << seed;
        return;
      }
    }
  });
}

}  // namespace
}  // namespace headroom::migrating_channel_test
