#include "protocol/trail.h"

#include <gtest/gtest.h>
#include <ns3/simulator.h>

#include <functional>
#include <vector>

#include "sim/simulator.h"
#include "support/in_child.h"

namespace headroom::trail_test {
namespace {

constexpr Time kWindow = Microseconds(1);
constexpr size_t kManyHosts = 1u << 20;  // each then has the fewest steps

/// Calls functions at their times, in events of one node.
class At final : public EventTarget {
 public:
  explicit At(uint32_t node) : entity_(EventQueue::Get().AddEntity(node)) {}
  void Call(Time at, std::function<void()> f) {
    functions_.push_back(std::move(f));
    EventQueue::Get().PushTarget(at, TimedEvent::Order(EventClass::workload, entity_, functions_.size() - 1),
                                 this, functions_.size() - 1);
  }
  void OnEvent(uint64_t number) override { functions_[number](); }

 private:
  EntityId entity_;
  std::vector<std::function<void()>> functions_;
};

/// A first step takes the time until 10 us. A device causes a second one elsewhere, when the first host has
/// added `later` steps, the last of them at 20 us, and the other host many. Returns the device's part of the
/// time from 0 us to `end`, as the second host knows it.
Time KnownOfDevice(uint64_t later, Time end) {
  return Time(std::stoll(TextFromChild([&] {
    StartSimulator(1);
    Trail trail(kManyHosts, kWindow);
    At first(1), second(2);
    uint64_t cause = 0;
    Time known;
    const auto add = [&] {
      const Time now = EventQueue::Get().now();
      trail.Add(0, OperationPart::other, now, now);
    };
    first.Call(Microseconds(10), [&] { cause = trail.Add(0, OperationPart::order, Time(0), Time(0)); });
    for (uint64_t i = 0; i < 1000; ++i) second.Call(Microseconds(15), add);
    for (uint64_t i = 0; i < later; ++i) first.Call(Microseconds(20), add);
    second.Call(end, [&] {
      const uint64_t last = trail.Add(cause, OperationPart::device, end, end);
      known = trail.Split(last, Time(0))[static_cast<size_t>(OperationPart::device)];
    });
    ns3::Simulator::Run();
    return std::to_string(known.v);
  })));
}

TEST(Trail, steps_are_known_until_enough_later_ones_of_their_host) {
  constexpr uint64_t kLast = 55;  // one less than those that are remembered
  EXPECT_EQ(KnownOfDevice(0, Microseconds(50)), Microseconds(40));
  EXPECT_EQ(KnownOfDevice(kLast, Microseconds(50)), Microseconds(40));
  EXPECT_EQ(KnownOfDevice(kLast + 1, Microseconds(50)), Time(0));
  EXPECT_EQ(KnownOfDevice(10'000, Microseconds(50)), Time(0));
}

TEST(Trail, steps_are_known_for_one_window_more) {
  const Time over = Microseconds(20) + kWindow;
  EXPECT_EQ(KnownOfDevice(10'000, over - Time(1)), over - Time(1) - Microseconds(10));
  EXPECT_EQ(KnownOfDevice(10'000, over), Time(0));
}

}  // namespace
}  // namespace headroom::trail_test
