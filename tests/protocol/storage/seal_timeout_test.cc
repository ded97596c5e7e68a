#include "protocol/storage/seal_timeout.h"

#include <gtest/gtest.h>

namespace headroom::seal_timeout_test {
namespace {

constexpr Time Us(int64_t us) { return Microseconds(us); }
SealParameters After(int64_t us, int backoff) {
  SealParameters p;
  p.after = Us(us);
  p.backoff = backoff;
  return p;
}

TEST(SealTimeout, grows_with_each_seal_up_to_a_limit) {
  SealTimeout timeout(After(100, 3));
  EXPECT_EQ(timeout.Begin(Us(10)), Us(100));
  for (const int64_t expected : {300, 900, 2700, 6400, 6400}) {
    timeout.OnSealed(Us(10'000));
    EXPECT_EQ(timeout.Begin(Us(10'000)), Us(expected));
  }
}

TEST(SealTimeout, is_short_again_when_for_as_long_as_it_is_no_answer_was_slow) {
  SealTimeout timeout(After(100, 2));
  timeout.OnSealed(Us(1000));  // 200 us from here on
  EXPECT_EQ(timeout.Begin(Us(1000)), Us(200));
  timeout.OnAnswered(Us(1000), Us(1101));  // a slow answer
  timeout.OnAnswered(Us(1050), Us(1150));  // not a slow one
  EXPECT_EQ(timeout.Begin(Us(1300)), Us(200));
  EXPECT_EQ(timeout.Begin(Us(1301)), Us(100));
  EXPECT_EQ(timeout.Begin(Us(1302)), Us(100));
  timeout.OnSealed(Us(5000));
  EXPECT_EQ(timeout.Begin(Us(5000)), Us(200));  // not 400 us
}

TEST(SealTimeout, without_backoff_is_always_the_same_and_without_a_time_there_is_none) {
  SealTimeout same(After(100, 1));
  same.OnSealed(Us(1000));
  EXPECT_EQ(same.Begin(Us(1000)), Us(100));
  SealTimeout never(After(0, 2));
  never.OnAnswered(Us(0), Us(1000));
  EXPECT_EQ(never.Begin(Us(1000)), Time(0));
}

}  // namespace
}  // namespace headroom::seal_timeout_test
