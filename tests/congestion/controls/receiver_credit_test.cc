// Credits at their sender: how many it requests, and when it may send.
#include <gtest/gtest.h>

#include <random>

#include "support/made_control.h"

namespace headroom::receiver_credit_test {
namespace {

/// 10 us at 100 Gb/s are 125000 B: 111 packets of 1132 B.
constexpr int64_t kProduct = 111;

TEST(ReceiverCredit, sends_what_is_free_and_paid_and_never_asks_for_more_than_two_products) {
  std::mt19937_64 random(5);
  const auto between = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  for (int trial = 0; trial < 30; ++trial) {
    MadeControl control("receiver_credit");
    control->Begin(PathOf(Microseconds(10)));
    int64_t left = 0, free = 0, credits = 0, due = 0, asked = 0, all = 0;
    for (int step = 0; step < 3000 || left > 0; ++step) {
      const Time now = Nanoseconds(100) * step;
      if (step < 3000 && between(0, 40) == 0) {
        const bool fresh = left == 0;
        const int64_t more = between(1, 600);
        left += more;
        all += more;
        if (fresh) free = kProduct, credits = 0;
        control->OnBacklog(now, static_cast<uint64_t>(left), fresh);
      }
      // All that the sender has sent is acknowledged, and more is waiting: no new credit is free.
      if (left > 0 && between(0, 20) == 0) control->OnBacklog(now, static_cast<uint64_t>(left), true);
      if (control->TakeAsk() != Control::Ask::none) {
        due += static_cast<int64_t>(control->asked()) - asked;
        asked = static_cast<int64_t>(control->asked());
      }
      ASSERT_LE(credits + due, 2 * kProduct);
      ASSERT_GE(free + credits + due, std::min<int64_t>(left, 1));  // the sender never waits without reason
      if (due > 0 && between(0, 2) > 0) {
        const int64_t come = between(1, std::min<int64_t>(due, 4));
        due -= come;
        credits += come;
        control->OnCredit(now, static_cast<uint64_t>(asked - due));
        control->OnCredit(now, static_cast<uint64_t>(asked - due));  // the same credit once more
      }
      ASSERT_EQ(control->window() > 0, free + credits > 0);
      for (int64_t n = between(0, 3); n > 0 && left > 0 && control->window() > 0; --n) {
        --left;
        --(free > 0 ? free : credits);
        control->OnSent(now, 1132);
      }
    }
    EXPECT_LE(asked, all);
  }
}

TEST(ReceiverCredit, asks_again_while_none_comes_each_time_after_twice_as_long) {
  MadeControl control("{type: receiver_credit, free: 0B, retry: 10us}");
  control->Begin(PathOf(Microseconds(10)));
  EXPECT_EQ(control->window(), 0u);
  control->OnBacklog({}, 1000, true);
  EXPECT_EQ(control->TakeAsk(), Control::Ask::more);
  EXPECT_EQ(control->asked(), static_cast<uint64_t>(2 * kProduct));
  Time due = Microseconds(10);
  for (int i = 1; i < 4; ++i) {
    ASSERT_EQ(control->timer(), due);
    control->OnTimer(due);
    EXPECT_EQ(control->TakeAsk(), Control::Ask::again);
    due += Microseconds(10) * (1 << i);
  }
  control->OnCredit(Microseconds(90), 5);
  EXPECT_EQ(control->timer(), Microseconds(100));
}

}  // namespace
}  // namespace headroom::receiver_credit_test
