// A lazy value reads as its default until it is made.
#include "sim/lazy.h"

#include <gtest/gtest.h>

#include <array>
#include <utility>

namespace headroom {
namespace {

struct Filled {
  Filled() { values.fill(-1); }
  std::array<int, 4> values;
};

TEST(Lazy, read__shows_the_default_and_makes_nothing) {
  Lazy<Filled> lazy;
  EXPECT_EQ(lazy->values[3], -1);
  EXPECT_FALSE(lazy.made());
}

TEST(Lazy, make__changes_this_value_only) {
  Lazy<Filled> changed, other;
  changed.Make().values[1] = 5;
  changed.Make().values[2] = 6;
  EXPECT_TRUE(changed.made());
  EXPECT_EQ(changed->values, (std::array<int, 4>{-1, 5, 6, -1}));
  EXPECT_EQ((*other).values, (std::array<int, 4>{-1, -1, -1, -1}));
}

TEST(Lazy, move__takes_the_value_along) {
  Lazy<Filled> from;
  from.Make().values[0] = 1;
  const Lazy<Filled> to = std::move(from);
  EXPECT_EQ(to->values[0], 1);
}

}  // namespace
}  // namespace headroom
