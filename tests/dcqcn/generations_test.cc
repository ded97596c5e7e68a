#include "dcqcn/generations.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "support/shared_data.h"

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
  p.np.nic_interval = Time{};                      // gen3: more, how many is not published
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
  const auto path = SharedData("sonic/nic_mlx5_dcqcn_defaults.json");
  if (path.empty()) return;
  std::ifstream file(path);
  const auto d = nlohmann::json::parse(file).at("params");
  const auto us = [&](const char* key) { return Microseconds(d.at(key).get<int64_t>()); };
  const auto mbps = [&](const char* key) { return MegabitsPerSecond(d.at(key).get<int64_t>()); };
  EXPECT_EQ(p.np.min_cnp_interval, us("MIN_TIME_BETWEEN_CNPS"));
  EXPECT_EQ(p.rp.reduce_window, us("RATE_REDUCE_MONITOR_PERIOD"));
  EXPECT_EQ(p.rp.alpha_timer, us("DCE_TCP_RTT"));
  EXPECT_EQ(p.rp.increase_timer, us("RPG_TIME_RESET"));
  EXPECT_EQ(p.rp.byte_counter, Bytes(64 * d.at("RPG_BYTE_RESET").get<int64_t>()));
  EXPECT_EQ(p.rp.fast_recovery, d.at("RPG_THRESHOLD").get<int>());
  EXPECT_EQ(p.rp.g, 1 - d.at("DCE_TCP_G").get<double>() / 1024);
  EXPECT_EQ(p.rp.rate_ai, mbps("RPG_AI_RATE"));
  EXPECT_EQ(p.rp.rate_hai, mbps("RPG_HAI_RATE"));
  EXPECT_EQ(p.rp.min_rate, mbps("RPG_MIN_RATE"));
  EXPECT_EQ(p.rp.max_rate, mbps("RPG_MAX_RATE"));
  EXPECT_EQ(p.rp.rate_on_first_cnp, mbps("RATE_TO_SET_ON_FIRST_CNP"));
  EXPECT_EQ(p.rp.cut_shift, d.at("RPG_GD").get<int>());
  EXPECT_EQ(p.rp.least_kept, d.at("RPG_MIN_DEC_FAC").get<int>());
  EXPECT_EQ(p.rp.initial_alpha, d.at("INITIAL_ALPHA_VALUE").get<int>());
  EXPECT_EQ(p.rp.clamp_target, d.at("CLAMP_TGT_RATE").get<int>() == 1);
  EXPECT_EQ(p.rp.clamp_after_time_increase, d.at("CLAMP_TGT_RATE_AFTER_TIME_INC").get<int>() == 1);
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
