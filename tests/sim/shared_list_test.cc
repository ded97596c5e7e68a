// A list whose entries share equal values behaves like a vector.
#include "sim/shared_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>

namespace headroom {
namespace {

/// The number of different objects behind the entries.
template <class T>
size_t Objects(const SharedList<T>& list) {
  std::vector<const T*> all;
  for (const T& value : list) all.push_back(&value);
  std::ranges::sort(all);
  return static_cast<size_t>(std::unique(all.begin(), all.end()) - all.begin());
}

TEST(SharedList, assign__entries_share_one_object) {
  SharedList<std::string> list;
  list.assign(1000, "the same");
  EXPECT_EQ(list.size(), 1000U);
  EXPECT_EQ(Objects(list), 1U);
}

TEST(SharedList, change__concerns_one_entry_of_one_list) {
  SharedList<std::string> list;
  list.assign(3, "a");
  const SharedList<std::string> copy = list;
  list[1] = "b";
  EXPECT_EQ(std::as_const(list)[0], "a");
  EXPECT_EQ(std::as_const(list)[1], "b");
  EXPECT_EQ(std::as_const(list)[2], "a");
  EXPECT_EQ(Objects(list), 2U);
  EXPECT_EQ(copy[1], "a");
  EXPECT_NE(list, copy);
}

TEST(SharedList, shared__a_kept_value_does_not_change) {
  SharedList<std::string> list(1);
  const SharedValue<std::string> kept = list.Shared(0);
  list[0] = "later";
  EXPECT_EQ(*kept, "");
}

/// Random operations have the same effect on a vector.
TEST(SharedList, random_operations__equal_a_vector) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    SharedList<int> list;
    std::vector<int> plain;
    SharedList<int> old;
    std::vector<int> plain_old;
    for (int step = 0; step < 60; ++step) {
      const size_t at = plain.empty() ? 0 : random() % plain.size();
      const int value = static_cast<int>(random() % 5);
      switch (random() % 6) {
        case 0: {
          const size_t n = random() % 9;
          list.assign(n, value);
          plain.assign(n, value);
          break;
        }
        case 1: {
          const size_t n = random() % 9;
          list.resize(n);
          plain.resize(n);
          break;
        }
        case 2:
          old = list;
          plain_old = plain;
          break;
        case 3:
          for (int& v : list) v += value;
          for (int& v : plain) v += value;
          break;
        case 4:
          if (!plain.empty()) list.Put(at, std::make_shared<int>(value)), plain[at] = value;
          break;
        default:
          if (!plain.empty()) list[at] = value, plain[at] = value;
      }
      EXPECT_TRUE(std::ranges::equal(std::as_const(list), plain));
      EXPECT_TRUE(std::ranges::equal(std::as_const(old), plain_old));
      EXPECT_EQ(list == old, plain == plain_old);
    }
  }
}

}  // namespace
}  // namespace headroom
