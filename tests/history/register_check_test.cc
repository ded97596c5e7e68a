#include "history/register_check.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <sstream>

namespace headroom {
namespace {

using Rule = RegisterViolation::Rule;

RegisterOperation Write(WriteId value, int64_t start, int64_t end) {
  return {value, Time(start), end < 0 ? kNever : Time(end), 0, true};
}
RegisterOperation Read(WriteId value, int64_t start, int64_t end) {
  return {value, Time(start), end < 0 ? kNever : Time(end), 0, false};
}
std::optional<Rule> Find(std::vector<RegisterOperation> operations) {
  const auto found = FindViolation(operations);
  if (!found) return std::nullopt;
  return found->rule;
}

/// The search of Wing and Gong, which tries every order that time allows, with Lowe's memory of (done
/// operations, value). A pending write may be done or not.
bool Linearizable(const std::vector<RegisterOperation>& operations) {
  std::set<std::pair<uint32_t, WriteId>> seen;
  const auto search = [&](const auto& self, uint32_t done, WriteId value) -> bool {
    if (!seen.insert({done, value}).second) return false;
    Time first_end = kNever;
    bool all = true;
    for (size_t i = 0; i < operations.size(); ++i) {
      if ((done >> i & 1) != 0 || operations[i].end == kNever) continue;
      all = false;
      first_end = std::min(first_end, operations[i].end);
    }
    if (all) return true;
    for (size_t i = 0; i < operations.size(); ++i) {
      const RegisterOperation& o = operations[i];
      if ((done >> i & 1) != 0 || first_end < o.start) continue;
      if (!o.write && (o.end == kNever || o.value != value)) continue;
      if (self(self, done | 1u << i, o.write ? o.value : value)) return true;
    }
    return false;
  };
  return search(search, 0, 0);
}

std::string Text(const std::vector<RegisterOperation>& operations) {
  std::ostringstream text;
  for (const RegisterOperation& o : operations)
    text << (o.write ? "write " : "read ") << o.value << " [" << o.start.v << ", "
         << (o.end == kNever ? -1 : o.end.v) << "]\n";
  return text.str();
}

TEST(RegisterCheck, ReadsOfWhatStandsAreRight) {
  EXPECT_EQ(Find({}), std::nullopt);
  EXPECT_EQ(Find({Read(0, 0, 1), Write(1, 2, 3), Read(1, 4, 5), Write(2, 6, 7), Read(2, 8, 9)}),
            std::nullopt);
}

TEST(RegisterCheck, WhileAWriteIsOpenReadsMayGiveEitherValueButNotTheOldOneAfterTheNew) {
  EXPECT_EQ(Find({Write(1, 0, 10), Read(0, 1, 2), Read(1, 3, 4)}), std::nullopt);
  EXPECT_EQ(Find({Write(1, 0, 10), Read(1, 1, 2), Read(0, 3, 4)}), Rule::order);
  EXPECT_EQ(Find({Write(1, 0, 10), Read(1, 1, 3), Read(0, 2, 4)}), std::nullopt);
}

TEST(RegisterCheck, AStaleReadIsFound) {
  EXPECT_EQ(Find({Write(1, 0, 1), Write(2, 2, 3), Read(1, 4, 5)}), Rule::order);
  EXPECT_EQ(Find({Write(1, 0, 1), Read(0, 2, 3)}), Rule::order);
}

TEST(RegisterCheck, WhatNobodyWroteAndWhatIsNotWrittenYetIsFound) {
  EXPECT_EQ(Find({Write(1, 0, 1), Read(7, 2, 3)}), Rule::unknown_value);
  EXPECT_EQ(Find({Read(1, 0, 1), Write(1, 2, 3)}), Rule::too_early);
  EXPECT_EQ(Find({Read(1, 0, 2), Write(1, 2, 3)}), std::nullopt) << "at one instant either may be first";
}

TEST(RegisterCheck, AWriteWithoutAnswerHasHappenedWhereItWasRead) {
  EXPECT_EQ(Find({Write(1, 0, -1), Write(2, 5, 6), Read(2, 7, 8)}), std::nullopt);
  EXPECT_EQ(Find({Write(1, 0, -1), Write(2, 5, 6), Read(1, 7, 8)}), std::nullopt) << "it may come late";
  EXPECT_EQ(Find({Write(1, 0, -1), Write(2, 5, 6), Read(1, 7, 8), Read(2, 9, 10)}), Rule::order);
}

TEST(RegisterCheck, AReadWithoutAnswerSaysNothing) {
  EXPECT_EQ(Find({Write(1, 0, 1), Read(99, 2, -1)}), std::nullopt);
}

TEST(RegisterCheck, AViolationNamesWhoEndedBeforeWhomBegan) {
  std::vector<RegisterOperation> operations{Write(1, 0, 1), Write(2, 2, 3), Read(1, 4, 5)};
  for (uint32_t i = 0; i < 3; ++i) operations[i].operation = i + 10;
  const auto v = FindViolation(operations);
  ASSERT_TRUE(v);
  EXPECT_EQ(v->first.operation, 10u);
  EXPECT_EQ(v->second.operation, 11u);
  EXPECT_EQ(v->third.operation, 11u);
  EXPECT_EQ(v->fourth.operation, 12u);
}

// Zones give the same verdict as a trial of every order: small histories of all kinds, with pending
// operations and equal times.
TEST(RegisterCheck, AgreesWithEveryOrderTriedOnSmallHistories) {
  std::mt19937 random(20221);
  const auto below = [&random](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  int wrong = 0, right = 0;
  for (int i = 0; i < 150'000; ++i) {
    const uint32_t size = 2 + below(6), writes = 1 + below(3);
    const uint32_t times = i % 3 == 0 ? 6 : 1000;  // a third of them with many ties
    std::vector<RegisterOperation> operations;
    for (uint32_t k = 0; k < size; ++k) {
      const int64_t start = below(times), length = below(times / 2);
      const int64_t end = below(8) == 0 ? -1 : start + length;
      operations.push_back(k < writes ? Write(k + 1, start, end) : Read(below(writes + 1), start, end));
    }
    const bool expected = Linearizable(operations);
    const std::string text = Text(operations);
    std::shuffle(operations.begin(), operations.end(), random);
    ASSERT_EQ(!FindViolation(operations).has_value(), expected) << text;
    ++(expected ? right : wrong);
  }
  EXPECT_GT(right, 30'000);
  EXPECT_GT(wrong, 30'000);
}

}  // namespace
}  // namespace headroom
