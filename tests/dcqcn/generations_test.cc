#include "dcqcn/generations.h"

#include <gtest/gtest.h>

namespace headroom {
namespace {

DcqcnParameters Set(const char* name) { return FindGeneration(name).value().dcqcn; }

TEST(FindGeneration, KnowsEveryNameItListsAndNoOther) {
  for (const std::string& name : GenerationNames()) EXPECT_EQ(FindGeneration(name)->name, name);
  EXPECT_EQ(GenerationNames().size(), 7u);
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
  EXPECT_EQ(p, Set("dcqcn-paper"));
}

TEST(FindGeneration, StockHardwareMarksPerPacketAndCutsPerWindow) {
  const DcqcnParameters p = Set("gen2");
  EXPECT_EQ(p.np.coalescing, NpParameters::Coalescing::per_packet);
  EXPECT_EQ(p.np.min_cnp_interval, Time());
  EXPECT_EQ(p.rp.reduce_window, Microseconds(50));
  EXPECT_EQ(p.limiter.granularity, LimiterParameters::Granularity::packet);
  EXPECT_EQ(p, Set("gen3"));
}

TEST(FindGeneration, InteropBehavesAsGen1ToItsPeers) {
  const DcqcnParameters p = Set("gen2-interop");
  EXPECT_EQ(p.np, Set("gen1").np);
  EXPECT_EQ(p.limiter, Set("gen1").limiter);
  EXPECT_EQ(p.rp.reduce_window, Microseconds(1));
  EXPECT_EQ(p, Set("gen3-interop"));
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
}  // namespace headroom
