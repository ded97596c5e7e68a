#include "sim/units.h"

#include <gtest/gtest.h>

namespace headroom::units_test {
namespace {

TEST(SerializationTime, IsExactWhereItCanBe) {
  // 1102 B × 8 bit ÷ 100 Gb/s = 88.16 ns.
  EXPECT_EQ(SerializationTime(Bytes(1102), GigabitsPerSecond(100)), Picoseconds(88'160));
  EXPECT_EQ(SerializationTime(Bytes(0), GigabitsPerSecond(1)), Time());
}

TEST(SerializationTime, RoundsUpToThePicosecond) {
  // 1 B at 3 bit/s takes 8/3 s = 2.666… s. 1 B at 800 Gb/s takes 10 ps. 1 B at 900 Gb/s takes 8.88… ps.
  EXPECT_EQ(SerializationTime(Bytes(1), BitsPerSecond(3)), Picoseconds(2'666'666'666'667));
  EXPECT_EQ(SerializationTime(Bytes(1), GigabitsPerSecond(800)), Picoseconds(10));
  EXPECT_EQ(SerializationTime(Bytes(1), GigabitsPerSecond(900)), Picoseconds(9));
}

TEST(SerializationTime, DoesNotOverflow) {
  // 2^50 B at 1 Gb/s are 2^53 bits, 9 007 199.254740992 s.
  EXPECT_EQ(SerializationTime(Bytes(int64_t{1} << 50), GigabitsPerSecond(1)),
            Picoseconds(9'007'199'254'740'992'000));
}

TEST(BytesIn, RoundsDownAndUndoesSerialization) {
  EXPECT_EQ(BytesIn(Picoseconds(88'160), GigabitsPerSecond(100)), Bytes(1102));
  EXPECT_EQ(BytesIn(Picoseconds(88'159), GigabitsPerSecond(100)), Bytes(1101));
  for (int64_t n = 1; n < 5000; n += 7) {
    for (const Rate rate : {GigabitsPerSecond(10), GigabitsPerSecond(40), BitsPerSecond(98'765'432'101)}) {
      EXPECT_EQ(BytesIn(SerializationTime(Bytes(n), rate), rate), Bytes(n));
    }
  }
}

}  // namespace
}  // namespace headroom::units_test
