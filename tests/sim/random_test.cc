#include "sim/random.h"

#include <ns3/rng-seed-manager.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace headroom::random_test {
namespace {

std::vector<double> Draws(const std::string& name, int n = 100) {
  RandomStream stream(name);
  std::vector<double> draws;
  for (int i = 0; i < n; ++i) draws.push_back(stream.Uniform());
  return draws;
}

TEST(RandomStream, IsDecidedByItsNameAlone) {
  const auto alone = Draws("h1/gaps");
  RandomStream other("h0/gaps");
  other.Uniform();
  EXPECT_EQ(Draws("h1/gaps"), alone);
  EXPECT_NE(Draws("h1/sizes"), alone);
  EXPECT_NE(Draws("h2/gaps"), alone);
}

TEST(RandomStream, AnotherRunIsAnotherStream) {
  const uint64_t before = ns3::RngSeedManager::GetRun();
  const auto one = Draws("h1/gaps");
  ns3::RngSeedManager::SetRun(before + 1);
  EXPECT_NE(Draws("h1/gaps"), one);
  ns3::RngSeedManager::SetRun(before);
  EXPECT_EQ(Draws("h1/gaps"), one);
}

TEST(RandomStream, StreamsOfNeighboursAreNotCorrelated) {
  // The correlation of n independent pairs has a standard deviation of 1/√n = 0.01; the test permits five of
  // them.
  constexpr int n = 10'000;
  const auto a = Draws("h1/gaps", n), b = Draws("h2/gaps", n);
  double covariance = 0;
  for (int i = 0; i < n; ++i) covariance += (a[i] - 0.5) * (b[i] - 0.5);
  EXPECT_LT(std::abs(covariance / n * 12), 0.05);
}

TEST(RandomStream, BelowIsUniform) {
  // 7 values in 70 000 draws: 10 000 ± 5 × √(70 000 × 1/7 × 6/7) = ± 463 each.
  RandomStream stream("dice");
  std::vector<int> seen(7, 0);
  for (int i = 0; i < 70'000; ++i) ++seen.at(stream.Below(7));
  for (const int n : seen) EXPECT_NEAR(n, 10'000, 463);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(stream.Below(1), 0u);
}

TEST(RandomStream, ExponentialHasItsMeanAndDeviation) {
  // The mean is 50, the deviation 50: the mean of 40 000 is within 50 ± 5 × 50/200 = ± 1.25.
  RandomStream stream("waiting");
  double sum = 0, squares = 0;
  constexpr int n = 40'000;
  for (int i = 0; i < n; ++i) {
    const double x = stream.Exponential(50);
    ASSERT_GT(x, 0);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / n, 50, 1.25);
  EXPECT_NEAR(std::sqrt(squares / n - sum / n * sum / n), 50, 2.5);
}

}  // namespace
}  // namespace headroom::random_test
