#include "dcqcn/red_marker.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headroom::red_marker_test {
namespace {

EcnParameters Ecn(int64_t kmin, int64_t kmax, double pmax) {
  EcnParameters e;
  e.kmin = Bytes(kmin);
  e.kmax = Bytes(kmax);
  e.pmax = pmax;
  return e;
}

int MarkedOf(RedMarker& marker, int64_t bytes, int draws) {
  int marked = 0;
  for (int i = 0; i < draws; ++i) marked += marker.Marks(bytes);
  return marked;
}

TEST(RedMarker, MarksWithTheLinearProbabilityOfTheLength) {
  // Kmin is 5 KB, Kmax 200 KB, Pmax 1 %. Each length is tried 100 000 times: n·p ± 5·√(n·p·(1−p)).
  RedMarker marker(Ecn(5'000, 200'000, 0.01), GigabitsPerSecond(40), "s0/p0/3");
  constexpr int n = 100'000;
  for (int64_t bytes = 5'000; bytes <= 200'000; bytes += 19'500) {
    const double p = 0.01 * static_cast<double>(bytes - 5'000) / 195'000;
    EXPECT_NEAR(marker.Probability(bytes), p, 1e-12);
    EXPECT_NEAR(MarkedOf(marker, bytes, n), n * p, 5 * std::sqrt(n * p * (1 - p))) << bytes << " B";
  }
}

TEST(RedMarker, Edges) {
  RedMarker marker(Ecn(1000, 2000, 1.0), GigabitsPerSecond(100), "s0/p0/3");
  EXPECT_EQ(MarkedOf(marker, 0, 1000), 0);
  EXPECT_EQ(MarkedOf(marker, 1000, 1000), 0);  // Kmin itself is not above Kmin
  EXPECT_GT(MarkedOf(marker, 1500, 1000), 400);
  EXPECT_EQ(MarkedOf(marker, 2001, 1000), 1000);

  RedMarker gentle(Ecn(1000, 2000, 0.5), GigabitsPerSecond(100), "s0/p0/3");
  EXPECT_DOUBLE_EQ(gentle.Probability(2000), 0.5);  // Kmax itself is not above Kmax
  EXPECT_DOUBLE_EQ(gentle.Probability(2001), 1);
}

TEST(RedMarker, KminAtKmaxIsAStep) {
  RedMarker marker(Ecn(1000, 1000, 0.1), GigabitsPerSecond(100), "s0/p0/3");
  EXPECT_EQ(MarkedOf(marker, 1000, 1000), 0);
  EXPECT_EQ(MarkedOf(marker, 1001, 1000), 1000);
}

TEST(RedMarker, ThresholdsGivenForARateScaleWithThePorts) {
  EcnParameters e = Ecn(100'000, 400'000, 0.2);
  e.per_rate = GigabitsPerSecond(100);
  RedMarker slow(e, GigabitsPerSecond(25), "s0/p0/3"), fast(e, GigabitsPerSecond(400), "s0/p1/3");
  EXPECT_EQ(slow.kmin(), 25'000);
  EXPECT_EQ(slow.kmax(), 100'000);
  EXPECT_EQ(fast.kmin(), 400'000);
  EXPECT_EQ(fast.kmax(), 1'600'000);
}

TEST(RedMarker, DrawsBelongToTheMarkersName) {
  const auto draws = [](const std::string& name) {
    RedMarker marker(Ecn(0, 1000, 1), GigabitsPerSecond(100), name);
    std::string text;
    for (int i = 0; i < 64; ++i) text += marker.Marks(500) ? '1' : '0';
    return text;
  };
  EXPECT_EQ(draws("s0/p0/3"), draws("s0/p0/3"));
  EXPECT_NE(draws("s0/p0/3"), draws("s0/p1/3"));
}

}  // namespace
}  // namespace headroom::red_marker_test
