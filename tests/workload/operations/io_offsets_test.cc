// Addresses of I/Os: draws compared with closed forms, and passes that visit each block once.
#include "workload/operations/io_offsets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace headroom::io_offsets_test {
namespace {

using Order = IoAddresses::Order;
constexpr std::array<Bytes, 2> k4k{Bytes(4096), Bytes(4096)};

IoAddresses Of(Order order, double parameter = 0) {
  IoAddresses a;
  a.order = order;
  a.parameter = parameter;
  return a;
}

std::unique_ptr<IoOffsets> Offsets(const IoAddresses& a, int64_t blocks, bool wraps = false,
                                   const std::string& name = "h0/w") {
  const Bytes region(blocks * 4096);
  auto distribution = std::make_shared<const AddressDistribution>(a, IoOffsets::BlocksOf(region, k4k));
  return std::make_unique<IoOffsets>(a, region, k4k, wraps, distribution, name);
}

TEST(AddressDistribution, zeta_is_the_sum) {
  for (const double theta : {0.5, 0.99, 1.2}) {
    double sum = 0;
    for (int i = 1; i <= 200'000; ++i) sum += std::pow(i, -theta);
    EXPECT_NEAR(Zeta(200'000, theta) / sum, 1, 1e-12) << theta;
  }
}

/// The share of rank r is r^−θ / ζ(n): the first of 1000 has 12.9 % with 0.99, of a million 6.5 %.
TEST(AddressDistribution, the_hottest_blocks_of_zipf_have_their_shares) {
  for (const auto& [blocks, share] : {std::pair(1000, 0.129), {1'000'000, 0.065}}) {
    EXPECT_NEAR(1 / Zeta(static_cast<uint64_t>(blocks), 0.99), share, 0.001);
    const AddressDistribution zipf(Of(Order::zipf, 0.99), static_cast<uint64_t>(blocks));
    constexpr int kDraws = 100'000;
    std::map<uint64_t, int> drawn;
    for (int i = 0; i < kDraws; ++i) ++drawn[zipf.Rank((i + 0.5) / kDraws)];
    const double zeta = Zeta(static_cast<uint64_t>(blocks), 0.99);
    // The first two are exact, the formula approximates the others.
    EXPECT_NEAR(drawn[0] / double{kDraws}, 1 / zeta, 2e-5);
    EXPECT_NEAR(drawn[1] / double{kDraws}, std::pow(0.5, 0.99) / zeta, 2e-5);
    // The probability below rank r by Gray's formula: u < 1 − (1 − (r/n)^(1−θ)) / η.
    const double n = blocks, second = 1 + std::pow(0.5, 0.99);
    const double eta = (1 - std::pow(2 / n, 0.01)) / (1 - second / zeta);
    double head = 0, exact = 0;
    for (uint64_t r = 0; r < 100; ++r) {
      head += drawn[r] / double{kDraws};
      exact += std::pow(r + 1, -0.99) / zeta;
    }
    EXPECT_NEAR(head, 1 - (1 - std::pow(100 / n, 0.01)) / eta, 2e-5);
    EXPECT_NEAR(head / exact, 1, 0.04);
    EXPECT_LT(drawn.rbegin()->first, static_cast<uint64_t>(blocks));
  }
}

/// A share h of the blocks has 1 − h of the I/Os.
TEST(AddressDistribution, pareto_has_its_share_at_its_head) {
  const AddressDistribution pareto(Of(Order::pareto, 0.2), 10'000);
  int head = 0;
  for (int i = 0; i < 10'000; ++i) head += pareto.Rank((i + 0.5) / 10'000) < 2000;
  EXPECT_NEAR(head, 8000, 2);
}

TEST(AddressDistribution, one_block_is_always_that) {
  for (const Order order : {Order::uniform, Order::zipf, Order::pareto, Order::normal}) {
    const AddressDistribution one(Of(order, 0.5), 1);
    RandomStream random("h0/one");
    for (int i = 0; i < 10; ++i) EXPECT_EQ(one.Draw(random, 0, false), 0u);
  }
}

TEST(IoOffsets, zones_have_their_shares_and_their_ends) {
  IoAddresses a = Of(Order::zones);
  a.read_zones = {{0.6, 0.1}, {0.3, 0.2}, {0.1, 0.3}};
  a.write_zones = {{1, 0.05}};
  const auto offsets = Offsets(a, 1000);
  std::map<int, int> reads;
  constexpr int kDraws = 20'000;
  for (int i = 0; i < kDraws; ++i) {
    const int64_t block = *offsets->Next(false) / 4096;
    ++reads[block < 100 ? 0 : block < 300 ? 1 : block < 600 ? 2 : 3];
    EXPECT_LT(*offsets->Next(true) / 4096, 50);
  }
  EXPECT_NEAR(reads[0], 0.6 * kDraws, 250);
  EXPECT_NEAR(reads[1], 0.3 * kDraws, 250);
  EXPECT_NEAR(reads[2], 0.1 * kDraws, 150);
  EXPECT_EQ(reads[3], 0);
}

/// The mean of twelve uniform draws deviates by n/12, and the added part by a share of n: up to half of it.
TEST(AddressDistribution, normal_draws_scatter_as_fios_do) {
  for (const double deviation : {0.0, 0.3}) {
    const AddressDistribution normal(Of(Order::normal, deviation), 1200);
    RandomStream random("h0/normal");
    constexpr int kDraws = 20'000;
    double sum = 0, squares = 0;
    for (int i = 0; i < kDraws; ++i) {
      const auto drawn = static_cast<double>(normal.Normal(random));
      sum += drawn;
      squares += drawn * drawn;
    }
    const double mean = sum / kDraws, variance = squares / kDraws - mean * mean;
    EXPECT_NEAR(mean, 600, 3);
    const double added = deviation * 1200;
    EXPECT_NEAR(std::sqrt(variance), std::sqrt(100.0 * 100 + added * added / 12), 2);
  }
}

/// fio's get_next_seq_offset: the first is at the beginning, then from the end to the beginning.
TEST(IoOffsets, a_negative_hole_reads_backwards) {
  IoAddresses a = Of(Order::sequential);
  a.hole = Bytes(-8192);
  const auto offsets = Offsets(a, 6);
  std::vector<int64_t> blocks;
  for (int i = 0; i < 8; ++i) {
    const int64_t offset = *offsets->Next(false);
    offsets->Take(false, offset, 4096);
    blocks.push_back(offset / 4096);
  }
  EXPECT_EQ(blocks, (std::vector<int64_t>{0, 4, 3, 2, 1, 0, 4, 3}));
}

TEST(IoOffsets, a_random_pass_visits_each_block_once) {
  IoAddresses a;
  a.once = true;
  for (const int64_t blocks : {1, 63, 64, 65, 1000}) {
    const auto offsets = Offsets(a, blocks);
    for (int pass = 0; pass < 2; ++pass) {
      std::set<int64_t> seen;
      while (const auto at = offsets->Next(false)) {
        EXPECT_EQ(offsets->Take(false, *at, 4096), 4096);
        EXPECT_TRUE(seen.insert(*at).second) << *at;
      }
      EXPECT_EQ(seen.size(), static_cast<size_t>(blocks));
      EXPECT_EQ(*seen.rbegin(), (blocks - 1) * 4096);
      offsets->Restart();
    }
  }
}

/// A visited block cuts off a longer I/O that would cross it, as in fio.
TEST(IoOffsets, a_random_pass_of_longer_ios_visits_each_block_once) {
  IoAddresses a;
  a.once = true;
  const auto offsets = Offsets(a, 500);
  std::vector<int> visits(500);
  while (const auto at = offsets->Next(false)) {
    const int64_t bytes = offsets->Take(false, *at, std::min<int64_t>(3 * 4096, 500 * 4096 - *at));
    for (int64_t block = *at / 4096; block < (*at + bytes) / 4096; ++block)
      ++visits[static_cast<size_t>(block)];
  }
  EXPECT_EQ(std::ranges::count(visits, 1), 500);
}

TEST(IoOffsets, a_sequential_pass_ends_or_wraps_and_each_side_has_its_own) {
  for (const bool wraps : {false, true}) {
    const IoAddresses sequential = Of(Order::sequential);  // it outlives the offsets
    const auto offsets = Offsets(sequential, 4, wraps);
    for (int64_t block = 0; block < 4; ++block) {
      EXPECT_EQ(offsets->Next(false), block * 4096);
      offsets->Take(false, block * 4096, 4096);
    }
    EXPECT_EQ(offsets->Next(false).has_value(), wraps);
    EXPECT_EQ(offsets->Next(true), 0);
  }
}

TEST(IoOffsets, holes_are_left_out) {
  IoAddresses a = Of(Order::sequential);
  a.hole = Bytes(8192);
  const auto offsets = Offsets(a, 8, true);
  std::vector<int64_t> blocks;
  for (int i = 0; i < 4; ++i) {
    blocks.push_back(*offsets->Next(false) / 4096);
    offsets->Take(false, blocks.back() * 4096, 4096);
  }
  EXPECT_EQ(blocks, (std::vector<int64_t>{0, 3, 6, 0}));
}

TEST(IoOffsets, runs_follow_each_random_place) {
  for (const bool repeated : {false, true}) {
    IoAddresses a;
    a.run = 4;
    a.repeated = repeated;
    const auto offsets = Offsets(a, 1'000'000);
    int following = 0;
    int64_t last = -1;
    for (int i = 0; i < 400; ++i) {
      const int64_t at = *offsets->Next(false);
      following += at == (repeated ? last : last + 4096);
      offsets->Take(false, at, 4096);
      last = at;
    }
    EXPECT_NEAR(following, 300, 1);
  }
}

TEST(IoOffsets, so_many_per_cent_are_random) {
  IoAddresses a;
  a.random_reads = 30;
  const auto offsets = Offsets(a, 1'000'000);
  int following = 0;
  int64_t last = 0;
  for (int i = 0; i < 5000; ++i) {
    const int64_t at = *offsets->Next(false);
    following += at == last;
    offsets->Take(false, at, 4096);
    last = at + 4096;
  }
  EXPECT_NEAR(following, 3500, 120);
}

}  // namespace
}  // namespace headroom::io_offsets_test
