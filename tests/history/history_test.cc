#include "history/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "history/names.h"

namespace headroom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

uint32_t Write(History& h, uint64_t address, uint32_t bytes, int64_t begun, int64_t ended) {
  const uint32_t o = h.Begin(OperationKind::write, 1, address, bytes, Microseconds(begun));
  if (ended >= 0) h.EndWrite(o, Microseconds(ended));
  return o;
}
void Read(History& h, uint64_t address, uint32_t bytes, int64_t begun, int64_t ended,
          const std::vector<WriteId>& ids) {
  const uint32_t o = h.Begin(OperationKind::read, 1, address, bytes, Microseconds(begun));
  if (ended >= 0) h.EndRead(o, Microseconds(ended), ids);
}

TEST(History, EachBlockOfAnIoIsARegister) {
  History h;
  const WriteId a = History::IdOf(Write(h, 0, 8192, 1, 2));
  const WriteId b = History::IdOf(Write(h, 4096, 8192, 3, 4));
  Read(h, 0, 16384, 5, 6, {a, b, b, 0});
  const HistoryJudgement j = h.Judge(kNames);
  EXPECT_TRUE(j.Ok()) << j.stories[0];
  EXPECT_EQ(j.operations, 3u);
  EXPECT_EQ(j.blocks, 4u);
  EXPECT_EQ(j.left_out, 0u);
}

TEST(History, AStaleReadIsToldWithItsBlockAndTheOperationsAndTheirTimes) {
  History h;
  const WriteId a = History::IdOf(Write(h, 0, 8192, 1, 2));
  const WriteId b = History::IdOf(Write(h, 4096, 8192, 3, 4));
  Read(h, 4096, 8192, 5, 6, {a, b});
  const HistoryJudgement j = h.Judge(kNames);
  EXPECT_EQ(j.violations, 1u);
  EXPECT_THAT(
      j.stories,
      ElementsAre(
          "block 1 of disk 1 (from byte 4096): write 1 must come before write 2, because write 1 (1 to 2 "
          "us) ended before write 2 (3 to 4 us) began; yet write 2 must come before write 1, because "
          "write 2 (3 to 4 us) ended before a read (5 to 6 us) that gave write 1 began"));
}

TEST(History, ALostWriteIsToldAsTheDiskAsItWas) {
  History h;
  Write(h, 0, 4096, 1, 2);
  Read(h, 0, 4096, 3, 4, {0});
  EXPECT_THAT(
      h.Judge(kNames).stories,
      ElementsAre(
          "block 0 of disk 1 (from byte 0): the initial content must come before write 1, because the "
          "beginning ended before write 1 (1 to 2 us) began; yet write 1 must come before the initial "
          "content, because write 1 (1 to 2 us) ended before a read (3 to 4 us) that gave the initial "
          "content began"));
}

TEST(History, WhatNobodyWroteThereIsToldWithItsReason) {
  const auto story = [](const std::function<WriteId(History&)>& read_of) {
    History h;
    const WriteId id = read_of(h);
    Read(h, 0, 4096, 3, 4, {id});
    return h.Judge(kNames).stories.at(0);
  };
  EXPECT_THAT(story([](History&) -> WriteId { return 99; }), HasSubstr("gave write 99, which is no write"));
  EXPECT_THAT(story([](History& h) { return History::IdOf(Write(h, 4096, 4096, 1, 2)); }),
              HasSubstr("which did not write this block"));
  EXPECT_THAT(story([](History& h) {
                const uint32_t failed = Write(h, 0, 4096, 1, -1);
                h.Fail(failed);
                return History::IdOf(failed);
              }),
              HasSubstr("which failed"));
}

TEST(History, AReadThatGivesLessThanWasAskedIsWrong) {
  History h;
  Read(h, 0, 8192, 1, 2, {0});
  EXPECT_EQ(h.Judge(kNames).violations, 2u);
}

TEST(History, DisksHaveRegistersOfTheirOwn) {
  History h;
  const uint32_t write = h.Begin(OperationKind::write, 1, 0, 4096, Microseconds(1));
  h.EndWrite(write, Microseconds(2));
  const uint32_t read = h.Begin(OperationKind::read, 2, 0, 4096, Microseconds(3));
  const WriteId never = 0;
  h.EndRead(read, Microseconds(4), {&never, 1});
  const HistoryJudgement j = h.Judge(kNames);
  EXPECT_TRUE(j.Ok());
  EXPECT_EQ(j.blocks, 2u);
}

// A block that is written in part has no single id: reads of it may return anything. The other blocks of that
// write are judged as always.
TEST(History, BlocksWrittenInPartAreLeftOutAndCounted) {
  History h;
  const WriteId a = History::IdOf(Write(h, 0, 4096, 1, 2));
  Write(h, 512, 8192, 3, 4);
  Read(h, 0, 4096, 5, 6, {a});     // this read is left out with its block
  Read(h, 512, 512, 5, 6, {});     // less than a block
  Read(h, 4096, 4096, 5, 6, {a});  // this read is wrong
  const HistoryJudgement j = h.Judge(kNames);
  EXPECT_EQ(j.in_part, 2u);
  EXPECT_EQ(j.blocks, 1u);
  EXPECT_EQ(j.operations, 2u);
  EXPECT_EQ(j.left_out, 3u);
  EXPECT_EQ(j.violations, 1u);
  EXPECT_THAT(j.stories[0], HasSubstr("block 1 of disk 1"));
}

TEST(History, OfManyViolationsTenAreToldAndAllCounted) {
  History h;
  Read(h, 0, 64 * 4096, 1, 2, std::vector<WriteId>(64, 77));
  const HistoryJudgement j = h.Judge(kNames);
  EXPECT_EQ(j.violations, 64u);
  EXPECT_EQ(j.stories.size(), 10u);
  HistoryJudgement sum = j;
  sum += j;
  EXPECT_EQ(sum.violations, 128u);
  EXPECT_EQ(sum.stories.size(), 10u);
}

// A plain disk with operations that take effect between their begin and end is never found wrong. A disk with
// one read of an outdated value always is.
TEST(History, ACorrectDiskIsNeverFoundWrongAndAnOldValueIs) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    for (const bool stale : {false, true}) {
      std::mt19937 random(seed);
      History h;
      std::vector<WriteId> disk(32), old(32);
      int64_t now = 0;
      for (int i = 0; i < 2000; ++i) {
        const uint64_t block = random() % 30, count = 1 + random() % 3;
        const uint32_t o = h.Begin(random() % 2 ? OperationKind::write : OperationKind::read, 0, block * 4096,
                                   static_cast<uint32_t>(count * 4096), Time(++now));
        now += random() % 3;
        if (h[o].kind == OperationKind::write) {
          for (uint64_t b = block; b < block + count; ++b) old[b] = disk[b], disk[b] = History::IdOf(o);
          h.EndWrite(o, Time(++now));
        } else {
          const bool this_one = stale && i > 1000 && i < 1100;
          const auto& from = this_one ? old : disk;
          h.EndRead(o, Time(++now), std::span(from).subspan(block, count));
        }
      }
      EXPECT_EQ(h.Judge(kNames).Ok(), !stale) << "seed " << seed;
    }
  }
}

// A million I/Os fit easily, and are judged in seconds.
TEST(History, IsCompact) { EXPECT_LE(sizeof(History::Operation), 48u); }

}  // namespace
}  // namespace headroom
