#include "history/key_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headroom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr uint64_t kKey = 7;
constexpr uint32_t kBytes = 32;

uint32_t Put(KeyHistory& h, uint64_t version, int64_t begun, int64_t ended, bool once = true,
             uint64_t key = kKey) {
  const uint32_t o = h.Begin(key, kBytes, Microseconds(begun));
  h.Writes(o, version);
  if (ended >= 0) h.EndPut(o, Microseconds(ended), once);
  return o;
}
void Get(KeyHistory& h, int64_t begun, int64_t ended, std::optional<uint64_t> version, uint64_t key = kKey) {
  const uint32_t o = h.Begin(key, kBytes, Microseconds(begun));
  if (ended >= 0) h.EndGet(o, Microseconds(ended), version);
}
HistoryJudgement Judge(const KeyHistory& h, bool forgets = false, uint64_t loaded = 100) {
  return h.Judge({[](uint64_t key) { return "key " + std::to_string(key); }, loaded, forgets});
}

TEST(KeyHistory, AGetGivesWhatWasLastPutOrWhatIsBeingPut) {
  KeyHistory h;
  Get(h, 0, 1, KeyHistory::kLoaded);
  Put(h, 1, 2, 4);
  Get(h, 3, 5, 1);
  Put(h, 2, 6, 9);
  Get(h, 7, 8, 1);
  Get(h, 7, 10, 2);
  Get(h, 11, 12, KeyHistory::kLoaded, kKey + 1);
  const HistoryJudgement j = Judge(h);
  EXPECT_TRUE(j.Ok()) << j.stories[0];
  EXPECT_EQ(j.operations, 7u);
  EXPECT_EQ(j.keys, 2u);
  EXPECT_EQ(j.blocks, 0u);
}

TEST(KeyHistory, AnOlderVersionBehindAnAcknowledgedPutIsTold) {
  KeyHistory h;
  Put(h, 1, 0, 1);
  Put(h, 2, 2, 3);
  Get(h, 4, 5, 1);
  EXPECT_THAT(
      Judge(h).stories,
      ElementsAre(
          "key 7: version 1 must come before version 2, because the PUT of version 1 (0 to 1 us) ended "
          "before the PUT of version 2 (2 to 3 us) began; yet version 2 must come before version 1, "
          "because the PUT of version 2 (2 to 3 us) ended before a GET (4 to 5 us) that gave version 1 "
          "began"));
}

TEST(KeyHistory, WhatWasLoadedIsOlderThanEveryPut) {
  KeyHistory h;
  Put(h, 1, 0, 1);
  Get(h, 2, 3, KeyHistory::kLoaded);
  EXPECT_THAT(Judge(h).stories.at(0), HasSubstr("what was loaded"));
}

TEST(KeyHistory, TwoGetsInTurnDoNotGoBack) {
  KeyHistory h;
  Put(h, 1, 0, 10);
  Get(h, 1, 2, 1);
  Get(h, 3, 4, KeyHistory::kLoaded);
  EXPECT_FALSE(Judge(h).Ok());
}

TEST(KeyHistory, AVersionFromTheFutureOrOfAnotherKeyIsTold) {
  KeyHistory future, other;
  Get(future, 0, 1, 1);
  Put(future, 1, 2, 3);
  EXPECT_THAT(Judge(future).stories.at(0), HasSubstr("ended before the other began"));
  Put(other, 1, 0, 1, true, kKey + 1);
  Get(other, 2, 3, 1);
  EXPECT_THAT(Judge(other).stories.at(0),
              HasSubstr("key 7: a GET (2 to 3 us) that gave version 1, but this version"));
}

TEST(KeyHistory, AValueThatIsNoneIsTold) {
  KeyHistory h;
  h.EndWrong(h.Begin(kKey, kBytes, Microseconds(1)), Microseconds(2));
  EXPECT_THAT(Judge(h, true).stories,
              ElementsAre("key 7: a GET (1 to 2 us) returned a value that nobody ever wrote to the key"));
}

TEST(KeyHistory, ACacheForgetsAndATableDoesNot) {
  KeyHistory loaded, put, early;
  Get(loaded, 0, 1, std::nullopt);
  EXPECT_TRUE(Judge(loaded, true).Ok());
  EXPECT_THAT(Judge(loaded).stories, ElementsAre("key 7: a GET (0 to 1 us) did not find the key"));
  Put(put, 1, 0, 2);
  Get(put, 3, 4, std::nullopt);
  EXPECT_TRUE(Judge(put, true, 0).Ok());
  EXPECT_FALSE(Judge(put, false, 0).Ok());
  // Before its PUT the key did not exist.
  Get(early, 0, 3, std::nullopt);
  Put(early, 1, 1, 2);
  EXPECT_TRUE(Judge(early, false, 0).Ok());
  Get(early, 3, 4, KeyHistory::kLoaded);
  EXPECT_THAT(Judge(early, false, 0).stories.at(0), HasSubstr("but the key did not exist"));
}

TEST(KeyHistory, APutThatWentOutTwiceMayHappenAgainAndOneThatWasGivenUpAtAnyTime) {
  KeyHistory twice, never, early;
  Put(twice, 1, 0, 1, false);
  Put(twice, 2, 2, 3);
  Get(twice, 4, 5, 2);
  Get(twice, 6, 7, 1);
  Get(twice, 8, 9, 1);
  EXPECT_TRUE(Judge(twice).Ok());
  Put(never, 1, 0, -1);
  Put(never, 2, 2, 3);
  Get(never, 4, 5, 2);
  Get(never, 6, 7, 1);
  EXPECT_TRUE(Judge(never).Ok());
  // The value cannot appear before its PUT began; and what others PUT stays in order.
  Get(early, 0, 1, 1);
  Put(early, 1, 2, 3, false);
  EXPECT_FALSE(Judge(early).Ok());
  Put(twice, 3, 10, 11);
  Get(twice, 12, 13, 2);
  EXPECT_FALSE(Judge(twice).Ok());
}

TEST(KeyHistory, APutWithoutRoomHasNotHappened) {
  KeyHistory h;
  h.Fail(Put(h, 1, 0, -1));
  Get(h, 2, 3, KeyHistory::kLoaded);
  EXPECT_TRUE(Judge(h).Ok());
  Get(h, 4, 5, 1);
  EXPECT_THAT(Judge(h).stories.at(0), HasSubstr("but this version was never PUT"));
}

TEST(KeyHistory, ValuesTooShortToSayWhoWroteThemAreLeftOut) {
  KeyHistory h;
  h.EndGet(h.Begin(kKey, KeyHistory::kShortestValue - 1, Microseconds(0)), Microseconds(1), 200);
  Get(h, 0, 1, KeyHistory::kLoaded, kKey + 1);
  const HistoryJudgement j = Judge(h);
  EXPECT_TRUE(j.Ok());
  EXPECT_EQ(j.left_out, 1u);
  EXPECT_EQ(j.operations, 1u);
  EXPECT_EQ(j.keys, 1u);
}

}  // namespace
}  // namespace headroom
