#include "sim/number_table.h"

#include <gtest/gtest.h>

#include <map>

namespace headroom::number_table_test {
namespace {

/// As a map, for numbers of one process or of one of several ranks, which are far apart, when some stay long.
TEST(NumberTable, finds_what_is_present) {
  for (const uint32_t step : {1u, 7u, 64u}) {
    NumberTable<uint64_t> table;
    std::map<uint32_t, uint64_t> expected;
    uint32_t next = UINT32_MAX / 2 - step;
    uint64_t random = step;
    for (int i = 0; i < 20'000; ++i) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      if (random >> 33 & 1 || i < 200) {
        next += step;
        table.Add(next) = random;
        expected[next] = random;
      } else if (!expected.empty()) {
        auto at = expected.begin();
        std::advance(at, random % 16 == 0 ? (random >> 34) % expected.size() : 0);
        table.Remove(at->first);
        EXPECT_EQ(table.Find(at->first), nullptr);
        expected.erase(at);
      }
      if (i % 100 != 0) continue;
      for (const auto& [number, value] : expected) {
        ASSERT_NE(table.Find(number), nullptr);
        ASSERT_EQ(*table.Find(number), value);
      }
    }
    std::map<uint32_t, uint64_t> present;
    table.ForEach([&](uint32_t number, uint64_t value) { present[number] = value; });
    EXPECT_EQ(present, expected);
    EXPECT_EQ(table.Find(next + step), nullptr);
  }
}

}  // namespace
}  // namespace headroom::number_table_test
