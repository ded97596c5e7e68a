// ns-3's interface to the simulator, compared with plain ns-3: one script, drawn at random from a fixed seed,
// with ns-3's own queue and implementation, with Headroom's queue and ns-3's implementation, and with both of
// Headroom's.
#include "sim/simulator.h"

#include <gtest/gtest.h>
#include <ns3/nstime.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/in_child.h"

namespace headroom::simulator_test {
namespace {

/// Events that schedule, cancel, remove and query one another.
class Script {
 public:
  explicit Script(uint32_t seed) : random_(seed) {}

  void Begin(int events) {
    for (int i = 0; i < events; ++i) Act();
  }
  const std::string& log() const { return log_; }
  void Write(const std::string& line) { log_ += line + "\n"; }

  void Fire(int id) {
    Write(Now() + " fire " + std::to_string(id) + " context " + std::to_string(ns3::Simulator::GetContext()));
    for (uint32_t n = random_() % 6; n > 0; --n) Act();
  }

  void Act() {
    const ns3::Time delay = ns3::PicoSeconds(random_() % 30);
    if (next_ >= 3'000) return;
    switch (random_() % 10) {
      case 0:
      case 1:
      case 2:
      case 3:
        ids_.push_back(ns3::Simulator::Schedule(delay, &Script::Fire, this, next_++));
        break;
      case 4:
        ids_.push_back(ns3::Simulator::ScheduleNow(&Script::Fire, this, next_++));
        break;
      case 5:
        ns3::Simulator::ScheduleWithContext(random_() % 5, delay, &Script::Fire, this, next_++);
        break;
      case 6:
        if (random_() % 4 == 0) ids_.push_back(ns3::Simulator::ScheduleDestroy(&Script::Fire, this, next_++));
        break;
      case 7:
        if (!ids_.empty()) ns3::Simulator::Cancel(ids_[Recent()]);
        break;
      case 8:
        if (!ids_.empty()) ns3::Simulator::Remove(ids_[Recent()]);
        break;
      case 9:
        if (ids_.empty()) break;
        const size_t at = Recent();
        const ns3::EventId& id = ids_[at];
        Write(Now() + " ask " + std::to_string(at) + (id.IsExpired() ? " expired " : " pending ") +
              std::to_string(ns3::Simulator::GetDelayLeft(id).GetTimeStep()));
        break;
    }
  }

 private:
  static std::string Now() { return std::to_string(ns3::Simulator::Now().GetTimeStep()); }
  size_t Recent() { return ids_.size() - 1 - random_() % std::min<size_t>(ids_.size(), 12); }

  std::mt19937 random_;
  std::string log_;
  std::vector<ns3::EventId> ids_;
  int next_ = 0;
};

std::string Play(uint32_t seed, const std::function<void()>& start) {
  return TextFromChild([&] {
    start();
    Script script(seed);
    script.Begin(100);
    // The run is stopped halfway, queried, and continued.
    ns3::Simulator::Stop(ns3::PicoSeconds(200));
    ns3::Simulator::Run();
    script.Write("stopped at " + std::to_string(ns3::Simulator::Now().GetTimeStep()) +
                 (ns3::Simulator::IsFinished() ? " finished" : " unfinished"));
    script.Begin(100);
    ns3::Simulator::Run();
    script.Write("end at " + std::to_string(ns3::Simulator::Now().GetTimeStep()) +
                 (ns3::Simulator::IsFinished() ? " finished" : " unfinished") + " after " +
                 std::to_string(ns3::Simulator::GetEventCount()));
    ns3::Simulator::Destroy();
    return script.log();
  });
}

TEST(FastSimulator, BehavesAsPlainNs3) {
  for (const uint32_t seed : {1u, 2u, 3u, 4u, 5u}) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const std::string plain = Play(seed, [] { ns3::Time::SetResolution(ns3::Time::PS); });
    EXPECT_GT(plain.size(), 10'000u);
    EXPECT_EQ(Play(seed, [] { StartSimulator(1, Driver::ns3_default); }), plain);
    EXPECT_EQ(Play(seed, [] { StartSimulator(1, Driver::fast); }), plain);
  }
}

/// The same script with Headroom's own events in between, which schedule and query ns-3's.
class OwnEvents final : public EventTarget {
 public:
  OwnEvents(Script& script, uint32_t seed) : script_(script), random_(seed) {
    for (uint32_t i = 0; i < 4; ++i) entities_.push_back(EventQueue::Get().AddEntity(100 + i));
  }
  void PushOne() {
    EventQueue& queue = EventQueue::Get();
    const auto order =
        TimedEvent::Order(static_cast<EventClass>(1 + random_() % 7), entities_[random_() % 4], count_);
    queue.PushTarget(queue.now() + Picoseconds(random_() % 20), order, this, count_++);
  }
  void OnEvent(uint64_t id) override {
    script_.Write(std::to_string(ns3::Simulator::Now().GetTimeStep()) + " own " + std::to_string(id) +
                  " context " + std::to_string(ns3::Simulator::GetContext()));
    script_.Act();
    if (count_ < 2'000) PushOne();
    if (random_() % 3 == 0 && count_ < 2'000) PushOne();
  }

 private:
  Script& script_;
  std::mt19937 random_;
  std::vector<EntityId> entities_;
  uint64_t count_ = 0;
};

std::string PlayMixed(uint32_t seed, Driver driver) {
  return TextFromChild([&] {
    StartSimulator(1, driver);
    Script script(seed);
    OwnEvents own(script, seed + 100);
    script.Begin(100);
    for (int i = 0; i < 10; ++i) own.PushOne();
    ns3::Simulator::Run();
    script.Write("end at " + std::to_string(ns3::Simulator::Now().GetTimeStep()) + ", " +
                 std::to_string(EventQueue::Get().executed()));
    ns3::Simulator::Destroy();
    return script.log();
  });
}

TEST(FastSimulator, OwnEventsAndNs3sInterleaveAlikeUnderBothDrivers) {
  for (const uint32_t seed : {1u, 2u, 3u}) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const std::string fast = PlayMixed(seed, Driver::fast);
    EXPECT_GT(fast.size(), 50'000u);
    EXPECT_EQ(fast, PlayMixed(seed, Driver::ns3_default));
  }
}

class Writer final : public EventTarget {
 public:
  explicit Writer(std::string& log) : log_(log) {}
  void OnEvent(uint64_t c) override { log_ += "own " + std::to_string(c) + "; "; }

 private:
  std::string& log_;
};

TEST(EventOrder, Ns3sEventsComeFirstAtAnInstantHoweverLateTheyWereScheduled) {
  for (const Driver driver : {Driver::fast, Driver::ns3_default}) {
    InChild([driver] {
      StartSimulator(1, driver);
      EventQueue& queue = EventQueue::Get();
      const EntityId entity = queue.AddEntity(0);
      std::string log;
      Writer writer(log);
      for (const EventClass c : {EventClass::sample, EventClass::fault, EventClass::arrival}) {
        queue.PushTarget(Nanoseconds(10), TimedEvent::Order(c, entity), &writer, static_cast<uint64_t>(c));
      }
      ns3::Simulator::Schedule(
          ns3::NanoSeconds(10), +[](std::string* l) { *l += "ns-3; "; }, &log);
      ns3::Simulator::Run();
      EXPECT_EQ(log, "ns-3; own 1; own 3; own 7; ");
      ns3::Simulator::Destroy();
    });
  }
}

TEST(StartSimulator, RefusesToStartTwice) {
  InChild([] {
    StartSimulator(1);
    EXPECT_THROW(StartSimulator(1), std::logic_error);
    EXPECT_EQ(ns3::Time::GetResolution(), ns3::Time::PS);
  });
}

void Repeat(int times) {
  if (times > 0) ns3::Simulator::Schedule(ns3::NanoSeconds(1), &Repeat, times - 1);
}

TEST(FastSimulator, PulseIsRareAlsoAmongNs3sEvents) {
  InChild([] {
    StartSimulator(1);
    std::string log;
    Writer writer(log);
    const EntityId entity = EventQueue::Get().AddEntity(0);
    for (int i = 0; i < 1000; ++i) {
      EventQueue::Get().PushTarget(Picoseconds(1000 * i + 500), TimedEvent::Order(EventClass::sample, entity),
                                   &writer, 0);
    }
    Repeat(1000);
    int pulses = 0;
    FastSimulator::SetPulse([&pulses] { ++pulses; });
    ns3::Simulator::Run();
    FastSimulator::SetPulse(nullptr);
    EXPECT_LE(pulses, 1);
    ns3::Simulator::Destroy();
  });
}

TEST(FastSimulator, PulseComesAfterEachSoManyEvents) {
  InChild([] {
    StartSimulator(1);
    std::string log;
    Writer writer(log);
    const EntityId entity = EventQueue::Get().AddEntity(0);
    for (int i = 0; i < 100; ++i) {
      EventQueue::Get().PushTarget(Picoseconds(1000 * i + 500), TimedEvent::Order(EventClass::sample, entity),
                                   &writer, 0);
    }
    Repeat(100);
    std::vector<uint64_t> at;
    FastSimulator::SetPulse([&at] { at.push_back(ns3::Simulator::GetEventCount()); }, 50);
    ns3::Simulator::Run();
    FastSimulator::SetPulse(nullptr);
    EXPECT_EQ(at, (std::vector<uint64_t>{50, 100, 150}));
    ns3::Simulator::Destroy();
  });
}

}  // namespace
}  // namespace headroom::simulator_test
