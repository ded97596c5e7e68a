#include "history/append_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "history/names.h"

namespace headroom {
namespace {

using testing::HasSubstr;

/// A store without errors, unless a test does something else in between.
struct Store {
  History history;
  AppendLog log;
  int64_t now = 0;

  Time Now() { return Microseconds(++now); }
  uint32_t Begin(uint64_t address, uint32_t bytes = 4096) {
    return history.Begin(OperationKind::write, 7, address, bytes, Now());
  }
  uint32_t Place(uint32_t write, uint64_t offset, uint32_t extent = 3) {
    return log.Place(extent, offset, history[write].bytes, 3, History::IdOf(write), history[write].address,
                     Now());
  }
  void Execute(uint64_t offset, std::initializer_list<NodeId> nodes = {1, 2, 3}, uint32_t extent = 3) {
    for (const NodeId node : nodes) log.Execute(node, extent, offset, 4096, Now());
  }
  void Acknowledge(uint32_t write, uint32_t placed) {
    log.Acknowledge(placed, Now());
    history.EndWrite(write, Now());
  }
  void Write(uint64_t address, uint64_t offset) {
    const uint32_t write = Begin(address);
    const uint32_t placed = Place(write, offset);
    Execute(offset);
    Acknowledge(write, placed);
  }
  HistoryJudgement Judge() const { return log.Judge(history, kNames); }
  std::string Story() const {
    const HistoryJudgement j = Judge();
    return j.stories.empty() ? "nothing is wrong" : j.stories[0];
  }
};

TEST(AppendLog, AppendsInTurnToThreeReplicasAreRight) {
  Store s;
  s.Write(0, 0);
  s.Write(0, 4096);
  s.Write(8192, 8192);
  EXPECT_EQ(s.Story(), "nothing is wrong");
  EXPECT_EQ(s.Judge().appends, 3u);
}

TEST(AppendLog, AnAcknowledgementAfterTwoOfThreeIsFound) {
  Store s;
  s.Write(0, 0);
  const uint32_t write = s.Begin(4096);
  const uint32_t placed = s.Place(write, 4096);
  s.Execute(4096, {1, 2});
  s.Acknowledge(write, placed);
  s.Execute(4096, {3});
  EXPECT_EQ(s.Judge().violations, 1u);
  EXPECT_EQ(
      s.Story(),
      "bytes 4096 to 8191 of extent 3 of write 2 at byte 4096 were acknowledged at 12 us, when only 2 of "
      "3 nodes had executed them");
}

TEST(AppendLog, AWriteThatIsExecutedTwiceIsFound) {
  Store s;
  const uint32_t write = s.Begin(0);
  const uint32_t placed = s.Place(write, 0);
  s.Execute(0);
  const uint32_t again = s.Place(write, 4096);
  s.Execute(4096);
  s.Acknowledge(write, placed);
  s.log.Acknowledge(again, s.Now());
  EXPECT_EQ(s.Judge().violations, 1u);
  EXPECT_EQ(
      s.Story(),
      "write 1 of disk 7 was executed twice: from byte 0 on it also went to bytes 4096 to 8191 of extent "
      "3, at 6 us");
}

TEST(AppendLog, AnExtentNodeThatExecutesTwiceIsFound) {
  Store s;
  s.Write(0, 0);
  s.Execute(0, {2});
  EXPECT_THAT(s.Story(), HasSubstr("were executed twice at node 2, the second time at 8 us"));
}

// An extent is sealed with the data that all replicas have, and the write continues in another.
TEST(AppendLog, WhatIsGivenUpMayBePlacedAnew) {
  Store s;
  const uint32_t write = s.Begin(0);
  s.log.Abandon(s.Place(write, 0));
  s.Execute(0, {1, 2});
  const uint32_t placed = s.Place(write, 0, 4);
  s.Execute(0, {4, 5, 6}, 4);
  s.Acknowledge(write, placed);
  EXPECT_EQ(s.Story(), "nothing is wrong");
}

TEST(AppendLog, AWriteMayBeSplitOverTwoExtents) {
  Store s;
  const uint32_t write = s.Begin(0, 8192);
  const WriteId id = History::IdOf(write);
  const uint32_t a = s.log.Place(3, 0, 4096, 3, id, 0, s.Now());
  const uint32_t b = s.log.Place(4, 0, 4096, 3, id, 4096, s.Now());
  s.Execute(0);
  s.Execute(0, {1, 2, 3}, 4);
  s.log.Acknowledge(b, s.Now());
  s.Acknowledge(write, a);
  EXPECT_EQ(s.Story(), "nothing is wrong");
}

TEST(AppendLog, AWriteAcknowledgedBeforeItsLastPartIsFound) {
  Store s;
  const uint32_t write = s.Begin(0, 8192);
  s.log.Acknowledge(s.log.Place(3, 0, 4096, 0, History::IdOf(write), 0, s.Now()), s.Now());
  s.history.EndWrite(write, s.Now());
  EXPECT_THAT(s.Story(),
              HasSubstr("write 1 of disk 7 was acknowledged at 4 us, before all its bytes were in extents"));
}

TEST(AppendLog, RangesThatOverlapAreFound) {
  Store s;
  s.Write(0, 0);
  const uint32_t write = s.Begin(4096);
  s.Place(write, 2048);
  EXPECT_THAT(s.Story(),
              HasSubstr("bytes 2048 to 4095 of extent 3 were assigned twice: to write 2 at byte 4096 at "
                        "9 us and to write 1 at byte 0 at 2 us"));
}

TEST(AppendLog, GapsAreFound) {
  Store s;
  s.Write(0, 0);
  s.Write(4096, 12288);
  EXPECT_THAT(s.Story(), HasSubstr("bytes 4096 to 12287 of extent 3 were never assigned"));
}

TEST(AppendLog, WhatIsPlacedAfterAnAcknowledgementLiesBehindIt) {
  Store s;
  s.Write(0, 4096);
  s.Write(4096, 0);
  EXPECT_THAT(s.Story(),
              HasSubstr("bytes 0 to 4095 of extent 3 were assigned to write 2 at byte 4096 at 9 us, but "
                        "they lie before bytes 4096 to 8191 of extent 3, which was acknowledged at 6 us"));
  Store open;  // if two operations take place at the same time, either may be first
  const uint32_t a = open.Begin(0), b = open.Begin(4096);
  const uint32_t later = open.Place(a, 4096), first = open.Place(b, 0);
  open.Execute(0);
  open.Execute(4096);
  open.Acknowledge(a, later);
  open.Acknowledge(b, first);
  EXPECT_EQ(open.Story(), "nothing is wrong");
}

TEST(AppendLog, ReplicasOfAnExtentAreTheSameThroughout) {
  Store s;
  s.Write(0, 0);
  const uint32_t write = s.Begin(4096);
  const uint32_t placed = s.Place(write, 4096);
  s.Execute(4096, {1, 2, 9});
  s.Acknowledge(write, placed);
  EXPECT_THAT(s.Story(), HasSubstr("are missing at a node of the extent"));
}

TEST(AppendLog, WhatNobodyPlacedIsFound) {
  Store s;
  s.Execute(0, {5});
  EXPECT_THAT(s.Story(),
              HasSubstr("bytes 0 to 4095 of extent 3 were executed at node 5 at 1 us, but never assigned"));
}

// Copies of garbage collection belong to no write, and lie on three nodes like all others.
TEST(AppendLog, CopiesAreJudgedAsAppends) {
  Store s;
  const uint32_t placed = s.log.Place(3, 0, 4096, 3, 0, 0, s.Now());
  s.Execute(0, {1, 2});
  s.log.Acknowledge(placed, s.Now());
  EXPECT_THAT(s.Story(), HasSubstr("of a copy were acknowledged at 4 us, when only 2 of 3 nodes"));
}

}  // namespace
}  // namespace headroom
