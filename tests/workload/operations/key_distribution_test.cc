// The keys of operations, compared with the output of YCSB's generators and with exact shares.
#include "workload/operations/key_distribution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "workload/key_value_arrivals.h"
#include "workload/operations/address_distribution.h"

namespace headroom::key_distribution_test {
namespace {

KeyValueArrivals Of(KeyChoice choice, int64_t keys) {
  KeyValueArrivals kv;
  kv.choice = choice;
  kv.keys = keys;
  return kv;
}

TEST(KeyDistribution, fnv_is_ycsbs) {
  EXPECT_EQ(FnvHash(0), 6284781860667377211u);
  EXPECT_EQ(FnvHash(1), 8517097267634966620u);
}

TEST(KeyDistribution, zeta_is_ycsbs_constant) {
  EXPECT_NEAR(Zeta(10'000'000'000, 0.99), 26.46902820178302, 1e-9);
}

/// The largest u with rank 0 is the share of the hottest.
double HottestOf(uint64_t items) {
  const Zipf zipf(items, 0.99);
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (zipf.Rank(middle) == 0 ? low : high) = middle;
  }
  return low;
}

TEST(KeyDistribution, the_hottest_of_a_true_zipf_has_the_printed_share) {
  EXPECT_NEAR(HottestOf(1000), 0.129, 0.0005);
  EXPECT_NEAR(HottestOf(1'000'000), 0.065, 0.0005);
  EXPECT_NEAR(HottestOf(480'000'000), 0.044, 0.0005);
}

TEST(KeyDistribution, a_zipf_of_one_and_of_two_has_their_ranks) {
  EXPECT_EQ(Zipf(1, 0.99).Rank(0.999), 0u);
  const Zipf two(2, 0.99);
  const double first = 1 / (1 + std::pow(0.5, 0.99));
  EXPECT_EQ(two.Rank(first - 1e-9), 0u);
  EXPECT_EQ(two.Rank(first + 1e-9), 1u);
  EXPECT_EQ(two.Rank(1), 1u);
}

TEST(KeyDistribution, a_zipf_that_grows_is_one_of_that_size) {
  Zipf grown(500, 0.99);
  grown.Grow(2000);
  const Zipf whole(2000, 0.99);
  for (int i = 1; i < 1000; ++i) EXPECT_EQ(grown.Rank(i / 1000.0), whole.Rank(i / 1000.0)) << i;
}

/// χ² of counts and expected ones, over its degrees of freedom.
double ChiSquare(const std::vector<double>& counts, const std::vector<double>& shares, double n) {
  double sum = 0;
  for (size_t i = 0; i < counts.size(); ++i)
    sum += (counts[i] - shares[i] * n) * (counts[i] - shares[i] * n) / (shares[i] * n);
  return sum / static_cast<double>(counts.size() - 1);
}
/// The bound at 5 standard deviations of χ² over its degrees of freedom.
double Most(size_t bins) { return 1 + 5 * std::sqrt(2 / static_cast<double>(bins - 1)); }

TEST(KeyDistribution, draws_of_zipf_follow_grays_formula) {
  constexpr uint64_t kKeys = 100;
  constexpr double kDraws = 200'000;
  KeyDistribution keys(Of(KeyChoice::zipf, kKeys));
  RandomStream random("a/keys");
  std::vector<double> counts(kKeys), shares;
  for (int i = 0; i < kDraws; ++i) ++counts[keys.Draw(random)];
  const double zeta = Zeta(kKeys, 0.99), n = kKeys, second = 1 + std::pow(0.5, 0.99);
  const double eta = (1 - std::pow(2 / n, 0.01)) / (1 - second / zeta);
  const auto below = [&](double k) {  // share of ranks below k
    if (k < 2) return k / zeta;
    return std::max(second / zeta, (std::pow(k / n, 0.01) - 1 + eta) / eta);
  };
  for (int k = 0; k < static_cast<int>(kKeys); ++k) shares.push_back(below(k + 1) - below(k));
  EXPECT_LT(ChiSquare(counts, shares, kDraws), Most(kKeys));
}

TEST(KeyDistribution, uniform_draws_are_even) {
  constexpr double kDraws = 100'000;
  KeyDistribution keys(Of(KeyChoice::uniform, 50));
  RandomStream random("a/keys");
  std::vector<double> counts(50);
  for (int i = 0; i < kDraws; ++i) ++counts[keys.Draw(random)];
  EXPECT_LT(ChiSquare(counts, std::vector<double>(50, 0.02), kDraws), Most(50));
}

TEST(KeyDistribution, uniform_draws_of_many_reach_them_all) {
  constexpr int64_t kKeys = int64_t{1} << 38;
  KeyDistribution keys(Of(KeyChoice::uniform, kKeys));
  RandomStream random("a/keys");
  std::set<uint64_t> low;
  std::vector<double> counts(16);
  for (int i = 0; i < 16'000; ++i) {
    const uint64_t key = keys.Draw(random);
    ASSERT_LT(key, static_cast<uint64_t>(kKeys));
    ++counts[key >> 34];
    low.insert(key & 63);
  }
  EXPECT_LT(ChiSquare(counts, std::vector<double>(16, 1 / 16.0), 16'000), Most(16));
  EXPECT_EQ(low.size(), 64u);  // one draw of 2^32 values would only give multiples of 64
}

TEST(KeyDistribution, scrambled_has_the_same_hottest_share_at_any_number_of_records) {
  for (const int64_t records : {1'000, 1'000'000}) {
    constexpr double kDraws = 200'000;
    KeyDistribution keys(Of(KeyChoice::scrambled_zipf, records));
    RandomStream random("a/keys");
    std::map<uint64_t, double> counts;
    for (int i = 0; i < kDraws; ++i) ++counts[keys.Draw(random)];
    const uint64_t hottest = FnvHash(0) % (static_cast<uint64_t>(records) + 1);
    double most = 0;
    for (const auto& [key, count] : counts) {
      EXPECT_LT(key, static_cast<uint64_t>(records));
      most = std::max(most, count);
    }
    EXPECT_EQ(counts[hottest], most) << records;
    // With 1000 records others coincide with the hottest: a thousandth of the rest.
    const double share = 0.0378 + (records == 1'000 ? 0.001 : 0);
    EXPECT_NEAR(most / kDraws, share, 5 * std::sqrt(share / kDraws)) << records;
  }
}

TEST(KeyDistribution, scrambled_leaves_room_for_what_will_be_inserted) {
  KeyValueArrivals kv = Of(KeyChoice::scrambled_zipf, 100);
  kv.operations = 1000;
  kv.inserts = 0.05;
  KeyDistribution keys(kv);
  RandomStream random("a/keys");
  for (int i = 0; i < 2000; ++i) EXPECT_LT(keys.Draw(random), 100u);
  for (int i = 0; i < 50; ++i) keys.Acknowledge(keys.Insert());
  std::set<uint64_t> seen;
  for (int i = 0; i < 5000; ++i) seen.insert(keys.Draw(random));
  EXPECT_EQ(*seen.rbegin(), 149u);
  EXPECT_TRUE(seen.contains(FnvHash(0) % 201) || FnvHash(0) % 201 >= 150);
}

TEST(KeyDistribution, what_is_not_acknowledged_is_not_read) {
  KeyDistribution keys(Of(KeyChoice::latest, 10));
  RandomStream random("a/keys");
  EXPECT_EQ(keys.Insert(), 10u);
  EXPECT_EQ(keys.Insert(), 11u);
  EXPECT_EQ(keys.Insert(), 12u);
  keys.Acknowledge(12);
  keys.Acknowledge(11);
  EXPECT_EQ(keys.last(), 9u);
  for (int i = 0; i < 100; ++i) EXPECT_LT(keys.Draw(random), 10u);
  keys.Acknowledge(10);
  EXPECT_EQ(keys.last(), 12u);
}

TEST(KeyDistribution, the_latest_key_is_the_most_frequent) {
  KeyDistribution keys(Of(KeyChoice::latest, 1000));
  RandomStream random("a/keys");
  constexpr double kDraws = 100'000;
  std::map<uint64_t, double> counts;
  for (int i = 0; i < kDraws; ++i) ++counts[keys.Draw(random)];
  const double share = 1 / Zeta(999, 0.99);
  EXPECT_NEAR(counts[999] / kDraws, share, 5 * std::sqrt(share / kDraws));
  EXPECT_GT(counts[999], counts[998]);
  EXPECT_EQ(counts[0], 0);  // with 1000 records YCSB draws a rank among 999
}

TEST(KeyDistribution, hotspot_has_its_shares) {
  KeyDistribution keys(Of(KeyChoice::hotspot, 1000));
  RandomStream random("a/keys");
  constexpr double kDraws = 100'000;
  double hot = 0;
  for (int i = 0; i < kDraws; ++i) hot += keys.Draw(random) < 200;
  EXPECT_NEAR(hot / kDraws, 0.8, 5 * std::sqrt(0.16 / kDraws));
}

TEST(KeyDistribution, sequential_is_in_turn) {
  KeyDistribution keys(Of(KeyChoice::sequential, 3));
  RandomStream random("a/keys");
  for (const uint64_t expected : {0u, 1u, 2u, 0u, 1u}) EXPECT_EQ(keys.Draw(random), expected);
}

TEST(KeyDistribution, exponential_has_its_share_in_the_last_keys) {
  KeyDistribution keys(Of(KeyChoice::exponential, 10'000));
  RandomStream random("a/keys");
  constexpr double kDraws = 100'000;
  double last = 0;
  for (int i = 0; i < kDraws; ++i) last += keys.Draw(random) >= 10'000 - 8571;
  // A value before the first key is drawn again.
  const double rate = -std::log(0.05) / (0.8571428571 * 10'000);
  const double share = (1 - std::exp(-rate * 8571)) / (1 - std::exp(-rate * 10'000));
  EXPECT_NEAR(last / kDraws, share, 5 * std::sqrt(share * (1 - share) / kDraws));
}

}  // namespace
}  // namespace headroom::key_distribution_test
