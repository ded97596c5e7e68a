#include "cli/compare/compare_fixture.h"

#include <fmt/format.h>

#include <cmath>

#include "report/aggregate.h"

namespace headroom::compare_intervals_test {
namespace {

TEST_F(CompareTest, ChangesOfOperationsHaveIntervals) {
  const auto seeds = [](double shift) {
    return Aggregate({SummaryOfIos(100 + shift, 40, 0.25, 1), SummaryOfIos(102 + shift, 40, 0.25, 2)});
  };
  // Two means of ±12.706 × 1.414 / √2 each; together √2 times that, of 101.
  Run(seeds(0), seeds(3), {});
  EXPECT_TRUE(Says("+3.0 % ±17.8  undecided")) << text_;
  EXPECT_TRUE(Says("operations.disks.read.latency_us.p99")) << text_;
}

TEST_F(CompareTest, AChangeWithinTheIntervalsIsNoise) {
  // The means are 20 and 21. Each half-width is 12.7062 × √2 / √2, together 12.7 × √2 = 17.97: far more
  // than 1.
  const ordered_json a = Aggregate({SummaryWith(19, 1), SummaryWith(21, 2)});
  const ordered_json b = Aggregate({SummaryWith(20, 1), SummaryWith(22, 2)});
  EXPECT_EQ(Run(a, b, 1.0), 0);
  EXPECT_TRUE(Says("undecided")) << text_;
  EXPECT_TRUE(Says("(rack, 2 seeds)")) << text_;
  EXPECT_TRUE(Says("20 ±12.71")) << text_;
}

TEST_F(CompareTest, TheSameSeedsAreComparedSeedBySeed) {
  // Seeds 1 and 2 give 10 and 20 µs in A, 11 and 21 µs in B. The means have intervals of tens of µs. The
  // difference is 1 µs for each seed: 1 / 15 = 6.67 %, with no spread.
  for (const uint64_t seed : {1u, 2u}) {
    fs::create_directories(root_ / "a" / fmt::format("seed-{}", seed));
    fs::create_directories(root_ / "b" / fmt::format("seed-{}", seed));
    WriteSummary(root_ / "a" / fmt::format("seed-{}", seed), SummaryWith(10.0 * seed, seed));
    WriteSummary(root_ / "b" / fmt::format("seed-{}", seed), SummaryWith(10.0 * seed + 1, seed));
  }
  EXPECT_EQ(Run(Aggregate({SummaryWith(10, 1), SummaryWith(20, 2)}),
                Aggregate({SummaryWith(11, 1), SummaryWith(21, 2)}), 5.0),
            1);
  EXPECT_TRUE(Says("+6.67 % ±0.00  beyond\n")) << text_;
  EXPECT_TRUE(Says("of the mean difference between results of the same seed\n")) << text_;
  // Without the seeds' own summaries the half-width is 12.7062 × 7.071 / √2 = 63.53 for each, 89.85 together:
  // more than 15.
  fs::remove_all(root_ / "b" / "seed-1");
  fs::remove_all(root_ / "b" / "seed-2");
  EXPECT_EQ(Run(Aggregate({SummaryWith(10, 1), SummaryWith(20, 2)}),
                Aggregate({SummaryWith(11, 1), SummaryWith(21, 2)}), 5.0),
            0);
  EXPECT_TRUE(Says("+6.67 % ±?  undecided\n")) << text_;
}

TEST_F(CompareTest, TheVerdictSaysWhatIsTooSmallAndHowManySeedsWouldDecide) {
  const auto write = [&](const char* of, const std::vector<double>& p99) {
    std::vector<ordered_json> all;
    for (uint64_t seed = 1; seed <= p99.size(); ++seed) {
      all.push_back(SummaryWith(p99[seed - 1], seed));
      fs::create_directories(root_ / of / fmt::format("seed-{}", seed));
      WriteSummary(root_ / of / fmt::format("seed-{}", seed), all.back());
    }
    return Aggregate(all);
  };
  // Each seed is 1 % higher.
  Run(write("a", {100, 200, 300}), write("b", {101, 202, 303}), {});
  EXPECT_TRUE(Says("no difference larger than 3 %")) << text_;
  // The differences are 30, 0 and 60 of 200: 15 %, s = 30, so ±4.30 × 30 / √3 = 74.5; seven seeds have 2.45 ×
  // 30 / √7 = 27.7.
  Run(write("a", {100, 200, 300}), write("b", {130, 200, 360}), {});
  EXPECT_TRUE(Says("+15.0 % ±37.3  undecided: 4 more seeds would decide")) << text_;
}

TEST_F(CompareTest, AResultOfWhichOneSeedIsGoneIsRefused) {
  fs::create_directories(root_ / "a" / "seed-1");
  WriteSummary(root_ / "a" / "seed-1", SummaryWith(10, 1));
  try {
    Run(Aggregate({SummaryWith(10, 1), SummaryWith(20, 2)}), SummaryWith(11, 1), {});
    FAIL() << text_;
  } catch (const ResultError& error) {
    EXPECT_NE(std::string(error.what()).find("seed-2/summary.json is missing, but "), std::string::npos)
        << error.what();
  }
}

TEST_F(CompareTest, OneRunBesideSeveralVariesAsTheyDo) {
  // 19, 20 and 21: s = 1, t = 4.3027. So one more run is within 4.3027 × √(1 + 1/3) = 4.97 of their mean,
  // 24.8 %.
  const ordered_json several = Aggregate({SummaryWith(19, 1), SummaryWith(20, 2), SummaryWith(21, 3)});
  EXPECT_EQ(Run(several, SummaryWith(24.9, 4), 1.0), 0);
  EXPECT_TRUE(Says("+24.5 % ±24.8  undecided\n")) << text_;
  EXPECT_TRUE(Says("B is a single run, assumed to vary between seeds as much\nas A\n")) << text_;
  EXPECT_EQ(Run(several, SummaryWith(25.1, 4), 1.0), 1);
  EXPECT_EQ(Run(SummaryWith(24.9, 4), several, 1.0), 0);
  EXPECT_TRUE(Says("A is a single run")) << text_;
}

// The logarithm of the ratio has an even interval. That of the ratio itself reaches much farther up than
// down, and "±" would cover zero, which the interval excludes.
TEST_F(CompareTest, ALopsidedIntervalHasItsEnds) {
  ordered_json a = Aggregate({SummaryWith(10, 1), SummaryWith(10, 2), SummaryWith(10, 3)});
  ordered_json b = Aggregate({SummaryWith(50, 1), SummaryWith(50, 2), SummaryWith(50, 3)});
  const auto pool = [](ordered_json& of, double value, double spread) {
    of["seeds"]["pooled"]["messages"]["burst"]["completion_us"]["p99"] = {
        {"value", value},
        {"low", value},
        {"high", value},
        {"left_out", {value * std::exp(spread), value, value * std::exp(-spread)}}};
  };
  pool(a, 10, 0);
  pool(b, 50, 0.2);
  EXPECT_EQ(Run(a, b, 5.0), 1);
  EXPECT_TRUE(Says("+400.0 % (+")) << text_;
  EXPECT_FALSE(Says("+400.0 % ±")) << text_;
}

// Only a table with such an interval explains it. Two seeds 10 and 11 in A, 5 and 30 in B: the difference
// is 7, half the width 12.7 × 12 = 152, more than 10.5.
TEST_F(CompareTest, AnIntervalThatTellsNothingHasNoNumber) {
  const ordered_json a = Aggregate({SummaryWith(10, 1), SummaryWith(11, 2)});
  Run(a, Aggregate({SummaryWith(5, 1), SummaryWith(30, 2)}), {});
  EXPECT_TRUE(Says("+66.7 % ±?  undecided")) << text_;
  EXPECT_TRUE(Says("±?: the interval is wider than the value; give more seeds\n")) << text_;
  Run(a, Aggregate({SummaryWith(12, 1), SummaryWith(13, 2)}), {});
  EXPECT_FALSE(Says("±?")) << text_;
}

TEST_F(CompareTest, SaysWhatItsIntervalsAre) {
  const ordered_json a = Aggregate({SummaryWith(19, 1), SummaryWith(21, 2)});
  Run(a, Aggregate({SummaryWith(20, 1), SummaryWith(22, 3)}), {});
  EXPECT_TRUE(Says("of two means; A and B do not have\nresults of exactly the same seeds")) << text_;
  Run(SummaryWith(20), SummaryWith(21), {});
  EXPECT_FALSE(Says("±")) << text_;
}

}  // namespace
}  // namespace headroom::compare_intervals_test
