// Working times of all kinds of threads on cores.
#include "protocol/core_thread.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <typeinfo>

#include "protocol/connections/core.h"
#include "protocol/keyvalue/server_process.h"
#include "protocol/process.h"
#include "support/in_child.h"
#include "support/verbs_lab.h"

namespace headroom::core_thread_test {
namespace {

constexpr Time kLong = Microseconds(200);

/// A thread of some kind, its work, and the working time that it reported at some instants.
class Thread {
 public:
  virtual ~Thread() = default;
  /// Requests a piece of work, perhaps with this cost.
  virtual void Ask(Time cost) = 0;
  virtual CoreUse use() const = 0;
  void Look() { looks_.emplace_back(EventQueue::Get().now(), use()); }

  /// Checks each report: the time since the warm-up, and the work within it.
  void ExpectTruth(Time warmup) const {
    Time all;
    for (const auto& [at, use] : looks_) {
      Time worked;
      for (const auto& [from, until] : work_)
        worked += std::max(std::min(until, at) - std::max(from, warmup), Time(0));
      EXPECT_EQ(use.busy(), worked) << at.v;
      EXPECT_EQ(use.span, std::max(at - warmup, Time(0)));
      EXPECT_LE(use.busy(), use.span);
      all = worked;
    }
    EXPECT_GT(all, Time(0));
  }

 protected:
  void Note(Time from, Time until) { work_.emplace_back(from, until); }
  static Time now() { return EventQueue::Get().now(); }

 private:
  std::vector<std::pair<Time, Time>> work_;
  std::vector<std::pair<Time, CoreUse>> looks_;
};

class OfProcess final : public Thread {
 public:
  OfProcess(VerbsLab& lab, Time warmup)
      : process_(lab.verbs(0), lab.network->context(0), {2e9, {}, {}, {}}, nullptr, warmup) {}
  void Ask(Time cost) override {
    const auto begin = [this, cost] {
      Note(now(), now() + cost);
      return cost;
    };
    cost.v % 2 == 0 ? process_.Do(CoreWork::tcp, begin, [] {}) : process_.DoNew(CoreWork::rdma, begin, [] {});
  }
  CoreUse use() const override { return process_.use(); }

 private:
  Process process_;
};

/// Waits for its lock and for data that are not ready. To spin is work, to sleep is not.
class OfCore final : public Thread {
 public:
  OfCore(VerbsLab& lab, Time warmup, SpinLock& lock) : core_(lab.network->context(0), warmup), lock_(lock) {}
  void Ask(Time cost) override {
    const Time ready = cost.v % 3 == 0 ? now() + Microseconds(5) : now();
    core_.Do(
        cost,
        [this, ready] {
          Note(std::max(last_, ready), now());
          last_ = now();
          EXPECT_LE(core_.spun(), core_.use().busy());
        },
        ready, cost.v % 2 == 0 ? &lock_ : nullptr);
  }
  CoreUse use() const override { return core_.use(); }

 private:
  Core core_;
  SpinLock& lock_;
  Time last_;
};

class OfServer final : public Thread, SlotServer {
 public:
  OfServer(VerbsLab& lab, Time warmup)
      : process_(0, lab.network->context(0), 8, {{}, false, 100, warmup}, *this) {}
  void Ask(Time cost) override { process_.Ready(static_cast<uint32_t>(cost.v % 8)); }
  CoreUse use() const override { return process_.use(); }

 private:
  int AccessesOf(uint32_t, uint32_t slot) override { return static_cast<int>(slot) * 5; }
  void Execute(uint32_t, uint32_t slot) override {
    const ServerProcess::Times& t = process_.times(slot);
    EXPECT_EQ(now(), t.taken + t.worked);
    Note(t.taken, now());
  }
  ServerProcess process_;
};

/// Its work takes effect at its beginning, as that of clients of services of keys and of posting loops does.
class Occupied final : public Thread, CoreThread {
 public:
  Occupied(VerbsLab& lab, Time warmup)
      : CoreThread(EventQueue::Get().AddEntity(lab.network->context(0)), warmup) {}
  void Ask(Time cost) override {
    if (cost.v % 5 == 0) {  // as repetitions do, without a wait for the core
      const Time from = std::max(core().until(), now());
      Note(from, from + cost);
      return Occupy(cost);
    }
    waiting_.push_back(cost);
    Wake();
  }
  CoreUse use() const override { return CoreThread::use(); }

 private:
  void Next() override {
    while (!waiting_.empty()) {
      if (Taken()) return WakeWhenFree();
      Note(now(), now() + waiting_.front());
      Occupy(waiting_.front());
      waiting_.pop_front();
    }
  }
  std::deque<Time> waiting_;
};

TEST(CoreThread, is_busy_for_what_it_worked_from_the_warm_up_until_now) {
  for (uint32_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    InChild([seed] {
      std::mt19937 random(seed);
      const auto below = [&](int64_t n) { return std::uniform_int_distribution<int64_t>(0, n - 1)(random); };
      VerbsLab lab(StarScenario(2, {GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0}));
      const Time warmup(seed == 1 ? 0 : below(kLong.v / 2));
      SpinLock lock;
      lock.hand_over = Nanoseconds(100);
      OfProcess process(lab, warmup);
      OfCore one(lab, warmup, lock), other(lab, warmup, lock);
      OfServer server(lab, warmup);
      Occupied occupied(lab, warmup);
      for (Thread* thread : std::initializer_list<Thread*>{&process, &one, &other, &server, &occupied}) {
        SCOPED_TRACE(typeid(*thread).name());
        for (int i = 0; i < 40; ++i) {
          const Time cost(below(Microseconds(6).v));
          ns3::Simulator::Schedule(ns3::TimeStep(static_cast<uint64_t>(below(kLong.v))),
                                   [thread, cost] { thread->Ask(cost); });
          ns3::Simulator::Schedule(ns3::TimeStep(static_cast<uint64_t>(below(kLong.v * 6 / 5))),
                                   [thread] { thread->Look(); });
        }
        ns3::Simulator::Schedule(ns3::TimeStep(static_cast<uint64_t>(kLong.v)), [thread] { thread->Look(); });
      }
      ns3::Simulator::Stop(ns3::TimeStep(static_cast<uint64_t>(kLong.v * 10)));
      ns3::Simulator::Run();
      for (const Thread* thread :
           std::initializer_list<Thread*>{&process, &one, &other, &server, &occupied}) {
        SCOPED_TRACE(typeid(*thread).name());
        thread->ExpectTruth(warmup);
      }
    });
  }
}

}  // namespace
}  // namespace headroom::core_thread_test
