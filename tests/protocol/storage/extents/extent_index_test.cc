// The index of a disk compared with a table of its bytes.
#include "protocol/storage/extents/extent_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace headroom::extent_index_test {
namespace {

constexpr uint64_t kDisk = 1000, kExtent = 300;
constexpr uint32_t kFirst = 40;

ExtentIndex Fresh() { return {Bytes(kDisk), Bytes(kExtent), kFirst}; }

/// One entry for each byte.
class Plain {
 public:
  Plain() {
    for (uint64_t a = 0; a < kDisk; ++a)
      at_.push_back({static_cast<uint32_t>(kFirst + a / kExtent), a % kExtent});
  }
  void Put(uint64_t address, uint64_t length, StoragePlace place) {
    for (uint64_t i = 0; i < length; ++i) at_[address + i] = {place.object, place.offset + i};
  }
  uint64_t Move(uint64_t address, uint64_t length, const StoragePlace& from, const StoragePlace& to) {
    uint64_t moved = 0;
    for (uint64_t i = 0; i < length; ++i) {
      if (at_[address + i] != StoragePlace{from.object, from.offset + i}) continue;
      at_[address + i] = {to.object, to.offset + i};
      ++moved;
    }
    return moved;
  }
  uint64_t Live(uint32_t extent) const {
    return static_cast<uint64_t>(
        std::count_if(at_.begin(), at_.end(), [&](const StoragePlace& p) { return p.object == extent; }));
  }
  const StoragePlace& operator[](uint64_t address) const { return at_[address]; }

 private:
  std::vector<StoragePlace> at_;
};

void ExpectSame(const ExtentIndex& index, const Plain& plain, uint64_t address, uint64_t length) {
  uint64_t next = address;
  for (const ExtentIndex::Part& part : index.Find(address, length)) {
    ASSERT_EQ(part.address, next);
    ASSERT_GT(part.length, 0u);
    for (uint64_t i = 0; i < part.length; ++i)
      ASSERT_EQ((StoragePlace{part.place.object, part.place.offset + i}), plain[next + i]) << next + i;
    next += part.length;
  }
  ASSERT_EQ(next, address + length);
}

TEST(ExtentIndex, a_fresh_disk_lies_in_its_initial_extents) {
  const ExtentIndex index = Fresh();
  EXPECT_EQ(index.initial(), 4u);
  EXPECT_EQ(index.Find(250, 400),
            (std::vector<ExtentIndex::Part>{
                {250, 50, {kFirst, 250}}, {300, 300, {kFirst + 1, 0}}, {600, 50, {kFirst + 2, 0}}}));
  EXPECT_EQ(index.Live(kFirst), kExtent);
  EXPECT_EQ(index.Live(kFirst + 3), 100u);  // the last block is incomplete
  EXPECT_EQ(index.Live(kFirst + 4), 0u);
  EXPECT_EQ(index.LiveIn(kFirst + 3), (std::vector<ExtentIndex::Part>{{900, 100, {kFirst + 3, 0}}}));
  EXPECT_EQ(index.ranges(), 0u);
}

TEST(ExtentIndex, a_write_inside_another_leaves_both_its_ends) {
  ExtentIndex index = Fresh();
  index.Put(100, 300, {7, 0});
  index.Put(200, 50, {8, 900});
  EXPECT_EQ(index.Find(90, 320), (std::vector<ExtentIndex::Part>{{90, 10, {kFirst, 90}},
                                                                 {100, 100, {7, 0}},
                                                                 {200, 50, {8, 900}},
                                                                 {250, 150, {7, 150}},
                                                                 {400, 10, {kFirst + 1, 100}}}));
  EXPECT_EQ(index.Live(7), 250u);
  EXPECT_EQ(index.Live(8), 50u);
  EXPECT_EQ(index.Live(kFirst), 100u);
  EXPECT_EQ(index.Live(kFirst + 1), 200u);
}

TEST(ExtentIndex, what_is_written_one_behind_the_other_is_one_range) {
  ExtentIndex index = Fresh();
  for (uint64_t i = 0; i < 10; ++i) index.Put(100 + 8 * i, 8, {7, 64 + 8 * i});
  EXPECT_EQ(index.ranges(), 1u);
  EXPECT_EQ(index.Find(100, 80), (std::vector<ExtentIndex::Part>{{100, 80, {7, 64}}}));
  index.Put(180, 8, {7, 0});  // after it on the disk, not in the extent
  EXPECT_EQ(index.ranges(), 2u);
}

/// Garbage collection has read a range and appended it; meanwhile a part was written again.
TEST(ExtentIndex, what_was_written_meanwhile_is_not_moved) {
  ExtentIndex index = Fresh();
  index.Put(0, 100, {7, 0});
  index.Put(40, 10, {9, 0});
  EXPECT_EQ(index.Move(0, 100, {7, 0}, {8, 500}), 90u);
  EXPECT_EQ(index.Find(0, 100),
            (std::vector<ExtentIndex::Part>{{0, 40, {8, 500}}, {40, 10, {9, 0}}, {50, 50, {8, 550}}}));
  EXPECT_EQ(index.Live(7), 0u);
  EXPECT_EQ(index.Move(0, 100, {7, 0}, {8, 700}), 0u);
}

TEST(ExtentIndex, is_a_table_of_bytes_whatever_is_written_and_moved) {
  std::mt19937 random(1);
  for (int schedule = 0; schedule < 40; ++schedule) {
    ExtentIndex index = Fresh();
    Plain plain;
    uint64_t appended = 0;
    const auto below = [&](uint64_t n) { return random() % n; };
    for (int i = 0; i < 120; ++i) {
      const uint64_t address = below(kDisk), length = 1 + below(std::min<uint64_t>(kDisk - address, 120));
      // There are few extents, so that ranges meet again.
      const StoragePlace to{static_cast<uint32_t>(below(3)), appended};
      appended += below(4) == 0 ? length + 5 : length;
      if (below(3) > 0) {
        index.Put(address, length, to);
        plain.Put(address, length, to);
      } else {
        for (const ExtentIndex::Part& part : index.Find(address, length)) {
          const StoragePlace stale{part.place.object, part.place.offset + (below(5) == 0)};
          ASSERT_EQ(index.Move(part.address, part.length, stale, to),
                    plain.Move(part.address, part.length, stale, to));
        }
      }
    }
    ExpectSame(index, plain, 0, kDisk);
    for (int i = 0; i < 50; ++i) {
      const uint64_t address = below(kDisk);
      ExpectSame(index, plain, address, 1 + below(kDisk - address));
    }
    for (const uint32_t extent : {0u, 1u, 2u, kFirst, kFirst + 1, kFirst + 2, kFirst + 3}) {
      ASSERT_EQ(index.Live(extent), plain.Live(extent)) << extent;
      uint64_t live = 0;
      for (const ExtentIndex::Part& part : index.LiveIn(extent)) {
        live += part.length;
        ASSERT_EQ(plain[part.address], part.place);
      }
      ASSERT_EQ(live, plain.Live(extent)) << extent;
    }
  }
}

}  // namespace
}  // namespace headroom::extent_index_test
