// TIMELY compared with algorithm 1 of Mittal et al., SIGCOMM 2015, and its patch with Zhu et al., CoNEXT
// 2016.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/made_control.h"

namespace headroom::timely_test {
namespace {

/// With the values of CoNEXT 2016, on 100 Gb/s; times are in seconds.
struct Printed {
  bool patched = false;
  double low = 50e-6, high = 500e-6, min_rtt = 20e-6, alpha = 0.875, delta = 10e6, beta = 0.8;
  double rate = 100e9, prev_rtt = -1, rtt_diff = 0;
  int negative = 0;

  void OnRtt(double rtt) {
    if (prev_rtt < 0) {
      prev_rtt = rtt;
      return;
    }
    const double new_rtt_diff = rtt - prev_rtt;
    prev_rtt = rtt;
    rtt_diff = (1 - alpha) * rtt_diff + alpha * new_rtt_diff;
    const double gradient = rtt_diff / min_rtt;
    if (rtt < low) {
      negative = 0;
      rate += delta;
    } else if (rtt > high) {
      negative = 0;
      rate *= 1 - beta * (1 - high / rtt);
    } else if (patched) {
      const double w = gradient <= -0.25 ? 0 : gradient >= 0.25 ? 1 : 2 * gradient + 0.5;
      rate = delta * (1 - w) + rate * (1 - beta * w * (rtt - low) / low);
    } else if (gradient <= 0) {
      ++negative;
      rate += (negative >= 5 ? 5 : 1) * delta;
    } else {
      negative = 0;
      rate *= std::max(0.0, 1 - beta * gradient);
    }
    rate = std::clamp(rate, 10e6, 100e9);
  }
};

TEST(Timely, is_the_printed_algorithm_whatever_round_trips_are) {
  std::mt19937_64 random(4);
  for (int trial = 0; trial < 40; ++trial) {
    const bool patched = trial % 2 == 0;
    MadeControl control(patched ? "{type: timely, variant: patched, segment: 16KB}"
                                : "{type: timely, segment: 16KB}");
    control->Begin(PathOf(Microseconds(10)));
    Printed printed{.patched = patched};
    if (patched) printed.beta = 0.008;
    const Time on_line = SerializationTime(PathOf({}).full, GigabitsPerSecond(100));
    int64_t trip_ns = 60'000;
    Time now;
    for (uint64_t una = 1; una < 16 * 400; ++una) {
      now += Microseconds(1);
      const int64_t step = trial < 20 ? 20'000 : 900;
      trip_ns = std::clamp<int64_t>(trip_ns + std::uniform_int_distribution<int64_t>(-step, step)(random),
                                    5'000, 700'000);
      Feedback feedback;
      feedback.sent = now - Nanoseconds(trip_ns) - on_line;
      control->OnAck({.now = now,
                      .packets = 1,
                      .marked = 0,
                      .una = una,
                      .next = una + 9,
                      .in_host = {},
                      .feedback = &feedback});
      if (una % 16 == 0) printed.OnRtt(static_cast<double>(trip_ns) * 1e-9);
      ASSERT_NEAR(static_cast<double>(control->rate().v), printed.rate, 2e-6 * printed.rate)
          << trial << ", packet " << una;
    }
  }
}

}  // namespace
}  // namespace headroom::timely_test
