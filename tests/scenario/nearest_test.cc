#include "scenario/yaml/nearest.h"

#include <gtest/gtest.h>

namespace headroom::nearest_test {
namespace {

TEST(EditDistance, counts_insertions_deletions_substitutions_and_swaps) {
  EXPECT_EQ(EditDistance("", ""), 0);
  EXPECT_EQ(EditDistance("abc", ""), 3);
  EXPECT_EQ(EditDistance("kmin", "kmax"), 2);
  EXPECT_EQ(EditDistance("fan_in", "fanin"), 1);
  EXPECT_EQ(EditDistance("storgae", "storage"), 1);  // one swap, not two substitutions
  EXPECT_EQ(EditDistance("a cat", "an act"), 2);
}

TEST(Nearest, names_what_may_have_been_meant) {
  EXPECT_EQ(Nearest("durration", {"deadline", "duration", "warmup"}), "\"duration\"");
  EXPECT_EQ(Nearest("Duration", {"deadline", "duration"}), "\"duration\"");
  EXPECT_EQ(Nearest("gen9", {"gen1", "gen2"}), "\"gen1\"");
  EXPECT_EQ(Nearest("ot", {"at", "to"}), "\"to\"");  // only the order of the letters differs
  EXPECT_EQ(Nearest("completely-else", {"deadline", "duration"}), "");
  EXPECT_EQ(Nearest("x", {"y"}), "");  // no letter of the name would be left
  EXPECT_EQ(Nearest("", {"a"}), "");
  EXPECT_EQ(Nearest(std::string(100'000, 'x'), {"a"}), "");
}

}  // namespace
}  // namespace headroom::nearest_test
