#include "sonic/chip/dynamic_pool.h"

#include <gtest/gtest.h>

namespace headroom::dynamic_pool_test {
namespace {

/// An SN2700 with two lossless groups of 300 m at 100 Gb/s, a lossy group and two queues at each of 32 ports.
DynamicPoolInput Sn2700() {
  DynamicPoolInput in;
  in.asic = *FindSpectrum(1);
  in.mmu = Bytes(13'945'824);
  in.profiles = {{Bytes(104'448), Bytes(19'456), Bytes(84'992), 64}, {Bytes(9'216), {}, {}, 32}};
  in.lossy_groups = in.ports_up = in.lossless_ports = 32;
  return in;
}

TEST(DynamicPool, IsWhatReservesLeave) {
  // 13 945 824 − 64 · 104 448 − 32 · 9216 (egress lossy) − 32 · 19 456 (lossy groups) − 32 · 19 456
  // (management) − 32 · 10 240 (mirror) − 262 144
  //   = 13 945 824 − 6 684 672 − 294 912 − 622 592 − 622 592 − 327 680 − 262 144 = 5 131 232.
  DynamicPoolInput in = Sn2700();
  const DynamicPools one = ComputeDynamicPools(in);
  EXPECT_EQ(one.reserved, Bytes(6'684'672 + 294'912));
  EXPECT_EQ(one.lossy_groups, Bytes(622'592));
  EXPECT_EQ(one.management_groups, Bytes(622'592));
  EXPECT_EQ(one.egress_mirror, Bytes(327'680));
  EXPECT_EQ(one.shared_headroom, Bytes());
  EXPECT_EQ(one.pool, Bytes(5'131'232));
  // Two ingress pools have half each; a pool with 30 % has 1 539 369.6, rounded up.
  in.ingress_pools = 2;
  EXPECT_EQ(ComputeDynamicPools(in).pool, Bytes(2'565'616));
  EXPECT_EQ(one.PoolOfPercentage(30), Bytes(1'539'370));
}

TEST(DynamicPool, SharesHeadroomByTheRatio) {
  // Profiles reserve only xon, so Σ (xon + xoff − size) = 64 · 82 944 = 5 308 416, less 32 · 10 240 of
  // private headroom 4 980 736.
  DynamicPoolInput in = Sn2700();
  in.profiles[0] = {Bytes(19'456), Bytes(19'456), Bytes(82'944), 64};
  in.over_subscribe_ratio = 2;
  const DynamicPools two = ComputeDynamicPools(in);
  EXPECT_EQ(two.shared_headroom, Bytes(2'490'368));
  EXPECT_EQ(two.private_headroom, Bytes(327'680));
  EXPECT_EQ(two.pool,
            Bytes(13'945'824 - 64 * 19'456 - 294'912 - 2 * 622'592 - 2 * 327'680 - 262'144 - 2'490'368));
  // Twice the ratio gives half the pool.
  in.over_subscribe_ratio = 4;
  EXPECT_EQ(ComputeDynamicPools(in).shared_headroom, Bytes(1'245'184));
  // A configured size is kept.
  in.shared_headroom = Bytes(614'400);
  EXPECT_EQ(ComputeDynamicPools(in).shared_headroom, Bytes(614'400));
  // Without shared headroom: 640 KiB.
  in.shared_headroom = Bytes();
  in.profiles[0].xoff = Bytes(1'000);
  EXPECT_EQ(ComputeDynamicPools(in).shared_headroom, Bytes(655'360));
}

TEST(DynamicPool, PortsOfEightLanesHaveTwoUnits) {
  // There is a second pipeline less 1 KiB for each of 4 lossy groups and of 4 management groups: 8 · 18 KiB.
  DynamicPoolInput in = Sn2700();
  const Bytes before = ComputeDynamicPools(in).pool;
  in.lossy_groups_two_units = in.ports_up_two_units = 4;
  EXPECT_EQ(before - ComputeDynamicPools(in).pool, Bytes(8 * 18 * 1024));
}

TEST(DynamicPool, OfSpectrum6IsRefused) {
  DynamicPoolInput in = Sn2700();
  in.asic = *FindSpectrum(6);
  EXPECT_THROW(ComputeDynamicPools(in), std::invalid_argument);
}

TEST(DynamicPool, IsNearTheStaticTableOfTheSn4600c) {
  // The sum of SONiC's static pool and shared headroom of the SN4600C-C64 is 53 608 448 for T0 and for T1.
  // With 64 ports of two lossless groups (xon 19 KiB each), a lossy group and shared headroom, the formula
  // gives both 60 817 392 − 64 · (2 · 19 456 + 9216 + 19 456 + 19 456 + 10 240 + 10 240) − 262 144 = 53 673
  // 968: the table has 1 KiB a port less, to 16 bytes.
  DynamicPoolInput in;
  in.asic = *FindSpectrum(3);
  in.mmu = Bytes(60'817'392);
  in.profiles = {{Bytes(19'456), Bytes(19'456), Bytes(66'560), 128}, {Bytes(9'216), {}, {}, 64}};
  in.lossy_groups = in.ports_up = in.lossless_ports = 64;
  in.over_subscribe_ratio = 2;
  const DynamicPools pools = ComputeDynamicPools(in);
  EXPECT_EQ(pools.pool + pools.shared_headroom, Bytes(53'673'968));
  EXPECT_NEAR(static_cast<double>((pools.pool + pools.shared_headroom).v), 53'608'448 + 64 * 1'024, 16);
}

TEST(PortHeadroom, IsHeldAgainstThePortsLimit) {
  // 4096 + a lossy group of 19 456 and, with size 0, another + 20 480 + 2 · 104 448.
  EXPECT_EQ(PortHeadroom(*FindSpectrum(1), 4, {Bytes(104'448), Bytes(104'448), Bytes(0)}),
            Bytes(4'096 + 19'456 + 20'480 + 2 * 104'448 + 19'456));
  EXPECT_EQ(PortHeadroom(*FindSpectrum(3), 8, {}), Bytes(4'096 + 37 * 1'024 + 40'960));
  EXPECT_EQ(MostSharedHeadroomOfPort(*FindSpectrum(1), 4), Bytes((8'192 + 20) * 96));
}

}  // namespace
}  // namespace headroom::dynamic_pool_test
