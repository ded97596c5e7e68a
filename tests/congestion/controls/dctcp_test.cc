// DCTCP compared with the steps of RFC 8257, section 3.3, and its growth.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/made_control.h"

namespace headroom::dctcp_test {
namespace {

Acknowledgement AckOf(uint64_t packets, uint64_t marked, uint64_t una, uint64_t next) {
  return {.now = {}, .packets = packets, .marked = marked, .una = una, .next = next, .in_host = {}};
}

TEST(Dctcp, slow_start_doubles_and_then_a_packet_a_round_trip) {
  MadeControl control("{type: dctcp, initial_window: 4}");
  control->Begin(PathOf(Microseconds(10)));
  uint64_t una = 0;
  for (const uint64_t window : {4, 8, 16, 32}) {
    ASSERT_EQ(control->window(), window);
    for (uint64_t i = 0; i < window; ++i, ++una) control->OnAck(AckOf(1, 0, una + 1, una + window));
  }
  ASSERT_EQ(control->window(), 64u);
  // The share of marks was 0 in the last windows, and there is one mark: alpha is (15/16)^k after k windows.
  control->OnAck(AckOf(1, 1, una + 1, una + 64));
  const uint64_t cut = control->window();
  EXPECT_LT(cut, 64u);
  EXPECT_GE(cut, 32u);
  una += 64;
  for (uint64_t i = 0; i <= cut; ++i, ++una) control->OnAck(AckOf(1, 0, una + 1, una + cut));
  EXPECT_EQ(control->window(), cut + 1);
}

TEST(Dctcp, is_the_rfc_whatever_acks_say) {
  std::mt19937_64 random(2);
  const auto between = [&](uint64_t least, uint64_t most) {
    return std::uniform_int_distribution<uint64_t>(least, most)(random);
  };
  for (int trial = 0; trial < 40; ++trial) {
    MadeControl control("dctcp");
    control->Begin(PathOf(Microseconds(10)));
    double cwnd = 10, alpha = 1, bytes_acked = 0, bytes_marked = 0, ssthresh = HUGE_VAL;
    uint64_t window_end = 0, cwr_end = 0, una = 0, next = 10;
    const uint64_t odds = between(2, 40);
    for (int i = 0; i < 500; ++i) {
      const uint64_t packets = between(1, 4), marked = between(0, odds) == 0 ? packets : 0;
      una += packets;
      next = std::max(next, una + between(1, 40));
      control->OnAck(AckOf(packets, marked, una, next));
      bytes_acked += static_cast<double>(packets);
      bytes_marked += static_cast<double>(marked);
      if (una > window_end) {
        if (window_end > 0) {
          alpha = alpha * (1 - 1.0 / 16) + 1.0 / 16 * bytes_marked / bytes_acked;
          bytes_acked = bytes_marked = 0;
        }
        window_end = next;
      }
      if (una > cwr_end) {
        if (marked > 0) {
          cwnd = ssthresh = std::max(2.0, cwnd * (1 - alpha / 2));
          cwr_end = next;
        } else {
          cwnd += cwnd < ssthresh ? static_cast<double>(packets) : static_cast<double>(packets) / cwnd;
        }
      }
      ASSERT_EQ(control->window(), static_cast<uint64_t>(cwnd)) << trial << ", ACK " << i;
      ASSERT_EQ(control->rate(), GigabitsPerSecond(100));
    }
    control->OnLoss({}, Loss::timeout);
    EXPECT_EQ(control->window(), 1u);
  }
}

}  // namespace
}  // namespace headroom::dctcp_test
