#include "sim/whole_ns.h"

#include <gtest/gtest.h>

namespace headroom {
namespace {

TEST(WholeNanoseconds, CutsOffAsTheHpccSimulatorDoes) {
  const auto at = [](int64_t bytes, int64_t gigabits) {
    return WholeNanoseconds(Bytes(bytes), GigabitsPerSecond(gigabits));
  };
  // From the simulator's runs: one frame of 49 B and its ACK over two links take 4014 ns, of 1048 B 4174 ns.
  EXPECT_EQ((at(49, 100) + at(60, 100)) * 2, Nanoseconds(14));
  EXPECT_EQ((at(1048, 100) + at(60, 100)) * 2, Nanoseconds(174));
  EXPECT_EQ(at(1048, 400), Nanoseconds(20));
  // The whole nanoseconds that remain after doubles of seconds and 64 bits behind the point.
  EXPECT_EQ(at(1000, 100), Nanoseconds(79));
  EXPECT_EQ(at(60, 40), Nanoseconds(11));
  EXPECT_EQ(at(513, 1), Nanoseconds(4104));
}

TEST(WholeNanoseconds, IsAtMostANanosecondLess) {
  for (int64_t bytes = 1; bytes < 9000; bytes += 7) {
    for (const Rate rate : {GigabitsPerSecond(25), GigabitsPerSecond(100), Rate(95'123'456'789)}) {
      const Time exact = SerializationTime(Bytes(bytes), rate), whole = WholeNanoseconds(Bytes(bytes), rate);
      ASSERT_LE(whole, exact);
      ASSERT_LE(exact, whole + Nanoseconds(1) + Picoseconds(1));
      ASSERT_EQ(whole.v % 1000, 0);
    }
  }
}

}  // namespace
}  // namespace headroom
