// Swift compared with algorithm 1 of Kumar et al., SIGCOMM 2020, with one window's delay at a time.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/made_control.h"

namespace headroom::swift_test {
namespace {

constexpr const char* kPlain =
    "{type: swift, base: 20us, hop: 1us, scaling: 0us, endpoint: 100us, ai: 1, beta: 0.8, most_cut: 0.5, "
    "initial_window: 20}";

/// Acknowledges a packet that crossed two switches, with this round trip and this time at the receiver.
void Acknowledge(MadeControl& control, Time now, Time trip, Time held = {}) {
  Feedback feedback;
  feedback.sent = now - trip;
  feedback.held = held;
  feedback.hops = 2;
  control->OnAck(
      {.now = now, .packets = 1, .marked = 0, .una = 1, .next = 9, .in_host = {}, .feedback = &feedback});
}

TEST(Swift, is_the_printed_algorithm_whatever_delays_are) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 40; ++trial) {
    MadeControl control(kPlain);
    control->Begin(PathOf(Microseconds(10)));
    double cwnd = 20, last_decrease = -1;
    int64_t now_ns = 1'000'000;
    const int64_t usual = std::uniform_int_distribution<int64_t>(10'000, 40'000)(random);
    for (int i = 0; i < 500; ++i) {
      now_ns += std::uniform_int_distribution<int64_t>(100, 4000)(random);
      const int64_t trip = std::uniform_int_distribution<int64_t>(usual / 2, usual * 2)(random);
      Acknowledge(control, Nanoseconds(now_ns), Nanoseconds(trip));
      const double delay = static_cast<double>(trip), target = 22'000, before = cwnd;
      if (delay < target) {
        cwnd += cwnd >= 1 ? 1 / cwnd : 1;
      } else if (last_decrease < 0 || static_cast<double>(now_ns) - last_decrease >= delay) {
        cwnd *= std::max(1 - 0.8 * (delay - target) / delay, 1 - 0.5);
      }
      cwnd = std::max(cwnd, 0.001);
      if (cwnd < before) last_decrease = static_cast<double>(now_ns);
      ASSERT_EQ(control->window(), static_cast<uint64_t>(std::max(cwnd, 1.0))) << trial << ", ACK " << i;
      const double rate = cwnd >= 1 ? 100e9 : 1132 * 8 * cwnd / (delay * 1e-9);
      ASSERT_NEAR(static_cast<double>(control->rate().v), rate, 1 + 1e-6 * rate);
    }
  }
}

TEST(Swift, time_that_hosts_held_a_packet_shrinks_the_window_of_the_hosts_alone) {
  // Of 310 us 300 are in the receiver: the fabric's delay is 10 us, below its target; the hosts' delay is
  // above 100 us.
  MadeControl control(kPlain);
  control->Begin(PathOf(Microseconds(10)));
  Acknowledge(control, Milliseconds(1), Microseconds(310), Microseconds(300));
  EXPECT_EQ(control->window(), 10u);  // at most half of the window
}

TEST(Swift, a_small_window_has_a_higher_target) {
  // At a window of 4 packets: a = 100 us / (1/sqrt(0.1) - 1/sqrt(100)), a/2 + b = 13.1 us more.
  for (const int64_t us : {30, 36}) {
    MadeControl control(
        "{type: swift, base: 20us, hop: 0us, scaling: 100us, scaling_least: 0.1, scaling_most: 100, "
        "initial_window: 4}");
    control->Begin(PathOf(Microseconds(10)));
    Acknowledge(control, Milliseconds(1), Microseconds(us));
    EXPECT_EQ(control->window(), us == 30 ? 4u : 3u) << us;
  }
}

TEST(Swift, timeouts_in_a_row_reset_the_window) {
  MadeControl control(kPlain);
  control->Begin(PathOf(Microseconds(10)));
  for (int i = 1; i <= 5; ++i) control->OnLoss(Milliseconds(i), Loss::timeout);
  EXPECT_EQ(control->window(), 1u);
  EXPECT_LT(control->rate(), MegabitsPerSecond(1000));
}

}  // namespace
}  // namespace headroom::swift_test
