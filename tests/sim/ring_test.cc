#include "sim/ring.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace headroom::ring_test {
namespace {

TEST(Ring, IsADequeThatKeepsItsMemory) {
  Ring<int> ring;
  std::deque<int> deque;
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    // The ring becomes longer and shorter in turn, so that it grows, wraps and becomes empty.
    const bool push = random() % 100 < (i / 1000 % 2 == 0 ? 60u : 40u);
    if (push) {
      ring.PushBack(i);
      deque.push_back(i);
    } else if (!deque.empty()) {
      ring.PopFront();
      deque.pop_front();
    }
    ASSERT_EQ(ring.Empty(), deque.empty());
    ASSERT_EQ(ring.Size(), deque.size());
    if (deque.empty()) continue;
    ASSERT_EQ(ring.Front(), deque.front());
    ASSERT_EQ(ring.Back(), deque.back());
    const auto at = static_cast<uint32_t>(random() % deque.size());
    ASSERT_EQ(ring[at], deque[at]);
  }
}

}  // namespace
}  // namespace headroom::ring_test
