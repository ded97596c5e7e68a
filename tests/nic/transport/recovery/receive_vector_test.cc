// The packets of a message that have arrived, as far as a receiver's window reaches.
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

#include "nic/transport/recovery/receive_vector.h"

namespace headroom::receive_vector_test {
namespace {

using Arrival = ReceiveVector::Arrival;

/// The offsets from the base whose bits are set.
std::set<uint64_t> Offsets(const ReceiveVector& v, uint64_t packets) {
  std::set<uint64_t> offsets;
  for (uint64_t i = 1; i <= packets; ++i) {
    if (v.ArrivalOf(v.base() + i) == Arrival::duplicate) offsets.insert(i);
  }
  return offsets;
}

TEST(ReceiveVector, ThePapersExample) {
  // 2, 1, 0, 4, 3 arrive: the base is 0, 0, 3, 3, 5, and the bits are {2}, {1, 2}, {}, {1}, {}.
  ReceiveVector v(128);
  const std::vector<uint64_t> came = {2, 1, 0, 4, 3}, bases = {0, 0, 3, 3, 5};
  const std::vector<std::set<uint64_t>> bits = {{2}, {1, 2}, {}, {1}, {}};
  for (size_t i = 0; i < came.size(); ++i) {
    v.Add(came[i]);
    EXPECT_EQ(v.base(), bases[i]);
    EXPECT_EQ(Offsets(v, 128), bits[i]);
  }
}

TEST(ReceiveVector, ReturnsEachDroppedPacketOnceTheWindowReachesIt) {
  // The window of 4 reaches 1 to 4. 5 to 9 are dropped. The base becomes 5, so 5 to 9 are in reach.
  ReceiveVector v(4);
  for (uint64_t i = 1; i <= 4; ++i) v.Add(i);
  for (uint64_t i = 5; i <= 9; ++i) v.Drop(i);
  EXPECT_EQ(v.TakeDropped(), std::pair(uint64_t{0}, uint64_t{0}));
  EXPECT_FALSE(v.BaseIsRequested());
  v.Add(0);
  EXPECT_EQ(v.TakeDropped(), std::pair(uint64_t{5}, uint64_t{10}));
  EXPECT_TRUE(v.BaseIsRequested());
  EXPECT_EQ(v.TakeDropped(), std::pair(uint64_t{0}, uint64_t{0}));
}

TEST(ReceiveVector, AHoleBeforeTheDroppedPacketsIsNotRequestedWithThem) {
  // 0 and 2 are missing, and the window of 4 has dropped 5. Then 0 arrives: 5 is requested, 2 is not.
  ReceiveVector v(4);
  for (const uint64_t i : {1, 3, 4}) v.Add(i);
  v.Drop(5);
  v.Add(0);
  EXPECT_EQ(v.TakeDropped(), std::pair(uint64_t{5}, uint64_t{6}));
  EXPECT_EQ(v.base(), 2u);
  EXPECT_FALSE(v.BaseIsRequested());
  v.Add(2);
  EXPECT_EQ(v.base(), 5u);
  EXPECT_TRUE(v.BaseIsRequested());
}

TEST(ReceiveVector, NamesTheMissingPackets) {
  ReceiveVector v(8);
  for (const uint64_t i : {0, 2, 3, 6}) v.Add(i);
  std::vector<std::pair<uint64_t, uint64_t>> missing;
  v.ForMissing(20, [&](uint64_t from, uint64_t end) { missing.emplace_back(from, end); });
  EXPECT_EQ(missing, (std::vector<std::pair<uint64_t, uint64_t>>{{1, 2}, {4, 6}, {7, 20}}));
}

TEST(ReceiveVector, IsThatOfASetOfAllThatCame) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const uint64_t packets = 1 + random() % 70, reach = 1 + random() % 100;
    ReceiveVector v(static_cast<uint32_t>(packets));
    std::set<uint64_t> in;
    uint64_t base = 0;
    for (int i = 0; i < 300; ++i) {
      const uint64_t index = base < 5 ? random() % reach : base - 5 + random() % reach;
      const Arrival expected = index < base             ? Arrival::before
                               : index == base          ? Arrival::base
                               : index > base + packets ? Arrival::beyond
                               : in.contains(index)     ? Arrival::duplicate
                                                        : Arrival::window;
      ASSERT_EQ(v.ArrivalOf(index), expected) << round << ' ' << index;
      if (expected != Arrival::base && expected != Arrival::window) continue;
      v.Add(index);
      in.insert(index);
      while (in.contains(base)) ++base;
      ASSERT_EQ(v.base(), base);
    }
  }
}

}  // namespace
}  // namespace headroom::receive_vector_test
