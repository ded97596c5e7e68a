#include "dcqcn/generations.h"

#include <gtest/gtest.h>

namespace headroom::generations_test {
namespace {

DcqcnParameters Set(const char* name) { return FindGeneration(name).value().dcqcn; }

TEST(FindGeneration, KnowsEveryNameItListsAndNoOther) {
  for (const std::string& name : GenerationNames()) EXPECT_EQ(FindGeneration(name)->name, name);
  EXPECT_EQ(GenerationNames().size(), 8u);
  EXPECT_FALSE(FindGeneration("gen4"));
  EXPECT_FALSE(FindGeneration(""));
}

TEST(FindGeneration, PaperHasThePublishedNumbers) {
  const DcqcnParameters p = Set("dcqcn-paper");
  EXPECT_EQ(p.np.coalescing, NpParameters::Coalescing::per_qp);
  EXPECT_EQ(p.np.min_cnp_interval, Microseconds(50));
  EXPECT_EQ(p.rp.machine, RpParameters::Machine::paper);
  EXPECT_EQ(p.rp.reduce_window, Time());
  EXPECT_EQ(p.rp.alpha_timer, Microseconds(55));
  EXPECT_EQ(p.rp.increase_timer, Microseconds(55));
  EXPECT_EQ(p.rp.byte_counter, Bytes(10'000'000));
  EXPECT_EQ(p.rp.fast_recovery, 5);
  EXPECT_EQ(p.rp.rate_ai, MegabitsPerSecond(40));
  EXPECT_EQ(p.rp.rate_hai, MegabitsPerSecond(200));
  EXPECT_EQ(p.rp.min_rate, MegabitsPerSecond(10));
  EXPECT_DOUBLE_EQ(p.rp.g, 1.0 / 256);
  EXPECT_EQ(p.limiter.granularity, LimiterParameters::Granularity::packet);
}

TEST(FindGeneration, Gen1DiffersFromThePaperByBurstsAndSlowRecovery) {
  DcqcnParameters p = Set("gen1");
  EXPECT_EQ(p.limiter.granularity, LimiterParameters::Granularity::burst);
  EXPECT_EQ(p.limiter.burst, Bytes(16384));
  EXPECT_EQ(FindGeneration("gen1")->recovery_delay, Microseconds(200));
  p.limiter = Set("dcqcn-paper").limiter;
  EXPECT_EQ(p.np.nic_interval, Nanoseconds(2'500));  // 20 queue pairs, one CNP each in 50 us
  p.np.nic_interval = Time{};
  EXPECT_EQ(p, Set("dcqcn-paper"));
}

TEST(FindGeneration, StockHardwareMarksPerPacketAndCutsPerWindow) {
  DcqcnParameters p = Set("gen2");
  EXPECT_EQ(p.np.coalescing, NpParameters::Coalescing::per_packet);
  EXPECT_EQ(p.np.min_cnp_interval, Time());
  EXPECT_EQ(p.rp.reduce_window, Microseconds(50));
  EXPECT_EQ(p.limiter.granularity, LimiterParameters::Granularity::packet);
  EXPECT_EQ(p.np.nic_interval, Nanoseconds(250));  // 200 queue pairs, one CNP each in 50 us
  p.np.nic_interval = Time{};                      // gen3: more; the number is not published
  EXPECT_EQ(p, Set("gen3"));
}

TEST(FindGeneration, InteropBehavesAsGen1ToItsPeers) {
  DcqcnParameters p = Set("gen2-interop");
  EXPECT_EQ(p.np.coalescing, Set("gen1").np.coalescing);
  EXPECT_EQ(p.np.min_cnp_interval, Set("gen1").np.min_cnp_interval);
  EXPECT_EQ(p.np.nic_interval, Set("gen2").np.nic_interval);
  EXPECT_EQ(p.limiter, Set("gen1").limiter);
  EXPECT_EQ(p.rp.reduce_window, Microseconds(1));
  p.np.nic_interval = Set("gen3").np.nic_interval;
  EXPECT_EQ(p, Set("gen3-interop"));
}

TEST(FindGeneration, ConnectxHasThePublishedDefaults) {
  const DcqcnParameters p = Set("connectx-default");
  EXPECT_EQ(p.np.coalescing, NpParameters::Coalescing::per_qp);
  EXPECT_EQ(p.limiter.granularity, LimiterParameters::Granularity::packet);
  EXPECT_EQ(p.rp.machine, RpParameters::Machine::vendor);
  // Names are mlxconfig's; the values are alike in public dumps of a ConnectX-4 Lx and a ConnectX-5 (firmware
  // 16.35.4506) and in NVIDIA's "DCQCN CC Parameters" (DOCA 3.4).
  EXPECT_EQ(p.np.min_cnp_interval, Microseconds(4));  // MIN_TIME_BETWEEN_CNPS
  EXPECT_EQ(p.rp.reduce_window, Microseconds(4));     // RATE_REDUCE_MONITOR_PERIOD
  EXPECT_EQ(p.rp.alpha_timer, Microseconds(1));       // DCE_TCP_RTT
  EXPECT_EQ(p.rp.increase_timer, Microseconds(300));  // RPG_TIME_RESET
  EXPECT_EQ(p.rp.byte_counter, Bytes(64 * 32'767));   // RPG_BYTE_RESET, in units of 64 B
  EXPECT_EQ(p.rp.fast_recovery, 1);                   // RPG_THRESHOLD
  EXPECT_EQ(p.rp.g, 1 - 1019.0 / 1024);               // DCE_TCP_G, the share that is kept, of 1024
  EXPECT_EQ(p.rp.rate_ai, MegabitsPerSecond(5));      // RPG_AI_RATE
  EXPECT_EQ(p.rp.rate_hai, MegabitsPerSecond(50));    // RPG_HAI_RATE
  EXPECT_EQ(p.rp.min_rate, MegabitsPerSecond(1));     // RPG_MIN_RATE
  EXPECT_EQ(p.rp.max_rate, Rate(0));                  // RPG_MAX_RATE: the port's
  EXPECT_EQ(p.rp.rate_on_first_cnp, Rate(0));         // RATE_TO_SET_ON_FIRST_CNP: the line's
  EXPECT_EQ(p.rp.cut_shift, 11);                      // RPG_GD
  EXPECT_EQ(p.rp.least_kept, 50);                     // RPG_MIN_DEC_FAC, per cent
  EXPECT_EQ(p.rp.initial_alpha, 1023);                // INITIAL_ALPHA_VALUE
  EXPECT_FALSE(p.rp.clamp_target);                    // CLAMP_TGT_RATE
  EXPECT_TRUE(p.rp.clamp_after_time_increase);        // CLAMP_TGT_RATE_AFTER_TIME_INC
}

TEST(FindGeneration, HpccSimulatorHasItsDefaults) {
  const DcqcnParameters p = Set("hpcc-sim");
  EXPECT_EQ(p.np.coalescing, NpParameters::Coalescing::ack_flag);
  EXPECT_EQ(p.rp.machine, RpParameters::Machine::hpcc);
  EXPECT_EQ(p.rp.alpha_timer, Microseconds(1));
  EXPECT_EQ(p.rp.reduce_window, Microseconds(4));
  EXPECT_EQ(p.rp.increase_timer, Microseconds(300));
  EXPECT_EQ(p.rp.byte_counter, Bytes(0));
  EXPECT_EQ(p.rp.fast_recovery, 1);
  EXPECT_EQ(p.rp.rate_ai, MegabitsPerSecond(20));
  EXPECT_EQ(p.rp.rate_hai, MegabitsPerSecond(200));
  EXPECT_EQ(p.rp.min_rate, MegabitsPerSecond(1000));
  EXPECT_FALSE(p.rp.clamp_target);
}

}  // namespace
}  // namespace headroom::generations_test
