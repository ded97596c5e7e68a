#include "switch/buffer/profiles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "switch/buffer/computed_headroom.h"

namespace headroom::profiles_test {
namespace {

const BufferProfile& Profile(const BufferParameters& b, const std::string& name) {
  for (const BufferProfile& p : b.profiles) {
    if (p.name == name) return p;
  }
  ADD_FAILURE() << "no profile " << name;
  return b.profiles.front();
}

const BufferPool& Pool(const BufferParameters& b, const std::string& name) {
  for (const BufferPool& p : b.pools) {
    if (p.name == name) return p;
  }
  ADD_FAILURE() << "no pool " << name;
  return b.pools.front();
}

Bytes Xoff(const BufferParameters& b, int64_t gbps, int64_t metres) {
  const HeadroomRow* row = FindHeadroomRow(b, GigabitsPerSecond(gbps), Nanoseconds(5) * metres);
  return row == nullptr ? Bytes(-1) : row->xoff;
}

TEST(FindBufferProfile, KnowsEveryNameItListsAndNoOther) {
  for (const std::string& name : BufferProfileNames()) EXPECT_EQ(FindBufferProfile(name)->profile, name);
  EXPECT_FALSE(FindBufferProfile("azure"));
}

TEST(FindBufferProfile, EveryNameWithinAProfileResolves) {
  for (const std::string& name : BufferProfileNames()) {
    const BufferParameters b = *FindBufferProfile(name);
    for (const BufferProfile& p : b.profiles) {
      Pool(b, p.pool);
      EXPECT_NE(p.dynamic_th.has_value(), p.static_th.has_value()) << p.name;
    }
    EXPECT_TRUE(Profile(b, b.lossless_group).xoff);
    EXPECT_FALSE(Profile(b, b.lossy_group).xoff);
    Profile(b, b.lossless_queue);
    Profile(b, b.lossy_queue);
    EXPECT_FALSE(b.source.empty());
    for (const HeadroomRow& row : b.headroom) EXPECT_FALSE(row.source.empty());
  }
}

TEST(FindBufferProfile, HeadroomGrowsWithTheCable) {
  for (const std::string& name : BufferProfileNames()) {
    const BufferParameters b = *FindBufferProfile(name);
    for (size_t i = 1; i < b.headroom.size(); ++i) {
      if (b.headroom[i].speed != b.headroom[i - 1].speed) continue;
      EXPECT_GT(b.headroom[i].cable_m, b.headroom[i - 1].cable_m);
      EXPECT_GE(b.headroom[i].xoff, b.headroom[i - 1].xoff);
    }
  }
}

TEST(Azure24Mb, ThresholdOfEquallyCongestedGroups) {
  // T = α (pool − k T), so T = α pool / (1 + k α), with α = 2^-3 and 18 MB: the published values, in MB.
  const BufferParameters b = *FindBufferProfile("azure-24mb");
  const BufferProfile& lossless = Profile(b, b.lossless_group);
  const double alpha = std::exp2(*lossless.dynamic_th);
  const double pool = static_cast<double>(Pool(b, lossless.pool).size.v) / 1e6;
  const auto threshold = [&](int k) { return alpha * pool / (1 + k * alpha); };
  EXPECT_NEAR(threshold(1), 2.00, 1e-9);
  EXPECT_NEAR(threshold(2), 1.80, 1e-9);
  EXPECT_NEAR(threshold(4), 1.50, 1e-9);
  EXPECT_NEAR(threshold(8), 1.125, 1e-9);
  EXPECT_NEAR(threshold(16), 0.75, 1e-9);
  EXPECT_NEAR(threshold(64), 0.25, 1e-9);
}

TEST(Azure24Mb, PoolsOfTheListing) {
  const BufferParameters b = *FindBufferProfile("azure-24mb");
  const BufferPool& ingress = Pool(b, "ingress_pool");
  EXPECT_EQ(ingress.size + ingress.xoff, b.size);
  // 6 MB hold 61 groups with their full 96 928 B: 61.9.
  EXPECT_EQ(ingress.xoff / *Profile(b, b.lossless_group).xoff, 61);
  // 18 − 14 = 4 MB that lossy traffic cannot take.
  EXPECT_EQ(ingress.size - Pool(b, "egress_lossy_pool").size, Bytes(4'000'000));
  // Six cells are reserved; XON is twelve cells below the limit.
  EXPECT_EQ(Profile(b, b.lossless_group).size, b.cell * 6);
  EXPECT_EQ(Profile(b, b.lossless_group).xon_offset, b.cell * 12);
}

TEST(Azure24Mb, RowsAsPublishedElseComputed) {
  const BufferParameters b = *FindBufferProfile("azure-24mb");
  EXPECT_EQ(Xoff(b, 100, 3), Bytes(96'928));
  EXPECT_EQ(Xoff(b, 100, 40), Bytes(177'632));
  EXPECT_EQ(Xoff(b, 100, 41), Bytes(268'736));
  EXPECT_EQ(Xoff(b, 50, 5), Bytes(56'160));
  EXPECT_EQ(Xoff(b, 100, 2'001), Bytes(-1));
  EXPECT_EQ(Xoff(b, 33, 5), Bytes(-1));
  // 100 Gb/s over 2 km: 250 000 both ways, 9236 before the pause, 84 of pause, 394·64 = 25 216 of response:
  // 284 536 B of wire; times 2.48, and the started frame of 62 + 16 + 4096 B.
  EXPECT_EQ(Xoff(b, 100, 2'000), Bytes(705'650 + 4'174));
}

TEST(AzureDeep, PublishedRowsAndThoseBetween) {
  const BufferParameters b = *FindBufferProfile("azure-deep");
  EXPECT_EQ(Xoff(b, 400, 120'000), Bytes(79'900'672));
  EXPECT_EQ(Xoff(b, 100, 40'000), Bytes(13'357'056));  // the row for 80 km
  // The formula of the computed rows differs by at most 1 % from the published long ones.
  for (const int64_t gbps : {40, 100, 400}) {
    for (const int64_t metres : {80'000, 120'000}) {
      const double computed = static_cast<double>(ComputedXoff(GigabitsPerSecond(gbps), metres, 133).v);
      EXPECT_NEAR(computed / static_cast<double>(Xoff(b, gbps, metres).v), 1.0, 0.01);
    }
  }
  // The headroom pool holds 13 groups of 400 Gb/s over 120 km: 1 056 256 819 / 79 900 672.
  EXPECT_EQ(b.pools[0].xoff / Xoff(b, 400, 120'000), 13);
}

TEST(AzureDeepHub, PublishedRowsAndThoseBetween) {
  const BufferParameters b = *FindBufferProfile("azure-deep-hub");
  EXPECT_EQ(Xoff(b, 100, 30), Bytes(183'263));
  EXPECT_EQ(Xoff(b, 400, 2'000), Bytes(1'514'785));
  EXPECT_EQ(Xoff(b, 800, 120'000), Bytes(153'440'000));
  EXPECT_EQ(Xoff(b, 40, 30), Bytes(-1));
  // Computed rows lie between their neighbours; the formula differs by at most 3 % from the published long
  // ones.
  EXPECT_GT(Xoff(b, 400, 80'000), Xoff(b, 400, 2'000));
  EXPECT_LT(Xoff(b, 400, 80'000), Xoff(b, 400, 120'000));
  EXPECT_GT(Xoff(b, 200, 120'000), Xoff(b, 100, 120'000));
  EXPECT_LT(Xoff(b, 200, 120'000), Xoff(b, 400, 120'000));
  for (const auto& [gbps, percent] : {std::pair{100, 104}, {400, 104}, {800, 128}}) {
    const double computed = static_cast<double>(ComputedXoff(GigabitsPerSecond(gbps), 120'000, percent).v);
    EXPECT_NEAR(computed / static_cast<double>(Xoff(b, gbps, 120'000).v), 1.0, 0.03);
  }
  // The headroom pool holds 26 groups of 800 Gb/s over 120 km: 4 024 103 375 / 153 440 000.
  EXPECT_EQ(b.pools[0].xoff / Xoff(b, 800, 120'000), 26);
}

TEST(ProfileAtPort, DeepThresholdsGoBySpeed) {
  const BufferParameters b = *FindBufferProfile("azure-deep");
  const BufferProfile& lossless = Profile(b, b.lossless_group);
  const BufferProfile slow = ProfileAtPort(b, lossless, GigabitsPerSecond(40), Microseconds(1));
  EXPECT_EQ(slow.dynamic_th, -6);
  EXPECT_EQ(slow.xon_offset, Bytes(181'753));
  EXPECT_EQ(slow.xoff, Bytes(69'632));
  const BufferProfile fast = ProfileAtPort(b, lossless, GigabitsPerSecond(400), Microseconds(600));
  EXPECT_EQ(fast.dynamic_th, -5);
  EXPECT_EQ(fast.xon_offset, Bytes(1'454'025));
  EXPECT_EQ(fast.xoff, Bytes(79'900'672));
}

TEST(ProfileAtPort, LeavesLossyProfilesAndUnknownSpeedsAlone) {
  const BufferParameters b = *FindBufferProfile("azure-24mb");
  const BufferProfile& lossy = Profile(b, b.lossy_group);
  EXPECT_EQ(ProfileAtPort(b, lossy, GigabitsPerSecond(100), Time()), lossy);
  const BufferProfile& lossless = Profile(b, b.lossless_group);
  EXPECT_EQ(ProfileAtPort(b, lossless, GigabitsPerSecond(33), Time()), lossless);
}

TEST(HpccBuffer, HeadroomFromTheLinkAndThresholdBySpeed) {
  const BufferParameters b = HpccBuffer(Kibibytes(2048));
  EXPECT_EQ(b.size, Bytes(2'097'152));
  const BufferProfile& lossless = Profile(b, b.lossless_group);
  // 3 · 12.5 B/ns · 1000 ns.
  const BufferProfile slow = ProfileAtPort(b, lossless, GigabitsPerSecond(100), Microseconds(1));
  EXPECT_EQ(slow.xoff, Bytes(37'500));
  EXPECT_EQ(slow.dynamic_th, -3);
  EXPECT_EQ(slow.size, Bytes(4'096));
  EXPECT_EQ(slow.xon_offset, Bytes(3'072));
  EXPECT_EQ(ProfileAtPort(b, lossless, GigabitsPerSecond(400), Microseconds(1)).dynamic_th, -1);
}

/// third.cc: the shift starts at 3, and is one less for each halving until the rate is at most the hosts'.
TEST(HpccBuffer, AlphaDoublesWithEachDoublingAboveTheHosts) {
  BufferParameters b = HpccBuffer(Kibibytes(2048));
  const BufferProfile& lossless = Profile(b, b.lossless_group);
  for (const int64_t host : {10, 25, 40, 100}) {
    b.by_speed = HpccSpeeds(GigabitsPerSecond(host));
    for (int64_t port = 5; port <= 800; port += 5) {
      int shift = 3;
      for (int64_t rate = port * 1000; rate > host * 1000 && shift > 0; rate /= 2) --shift;
      ASSERT_EQ(ProfileAtPort(b, lossless, GigabitsPerSecond(port), Microseconds(1)).dynamic_th, -shift)
          << host << " " << port;
    }
  }
}

}  // namespace
}  // namespace headroom::profiles_test
