// What `check` computes by the rules of ASICs: memory in several parts, and reserves and headroom that count
// differently.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/check/buffers/check_headroom.h"
#include "analysis/check/buffers/check_memory.h"
#include "analysis/check/buffers/check_thresholds.h"
#include "analysis/scenario_of.h"

namespace headroom::check_asic_rules_test {
namespace {

using ::testing::HasSubstr;

/// Eight hosts at 100 Gb/s and 5 m on a switch of 16 MB: an ingress pool of 8 MB with 1 MB of headroom, alpha
/// 1, groups of 2080 B.
Scenario Star(const std::string& buffer, const std::string& more_tables = "", const std::string& more = "") {
  return StarOf(8, "workloads: [{name: w, type: incast, size: 1MB, to: h0}]\n" + more + R"(
switches:
  - match: "*"
    ecn: {storage: {kmin: 400KB, kmax: 800KB, pmax: 5%}}
    buffer:
      size: 16MB
      )" + buffer + R"(
      tables:
        BUFFER_POOL: {in: {type: ingress, mode: dynamic, size: 8MB, xoff: 1MB}, out: {type: egress, mode: static, size: 16MB}}
        BUFFER_PROFILE:
          lossless: {pool: in, size: 2080, xon: 2080, xoff: 200000, dynamic_th: 0}
          port: {pool: in, size: 0, static_th: 300000}
          lossy: {pool: in, size: 0, static_th: 16000000}
          any: {pool: out, size: 0, static_th: 16000000}
        BUFFER_PG: {"*|3": {profile: lossless}, "*|6": {profile: lossy}}
        BUFFER_QUEUE: {"*|0-7": {profile: any}}
)" + more_tables);
}

struct Checked {
  ThresholdCheck thresholds;
  HeadroomPoolCheck pool;
  MemoryCheck memory;
  Findings findings;
};
Checked Check(const Scenario& s) {
  const Fabric fabric(s);
  const std::vector<SwitchClass> switches = ClassifySwitches(fabric);
  EXPECT_EQ(switches.at(0).problem, "");
  Checked out;
  out.thresholds = CheckThresholds(fabric, switches, out.findings).at(0);
  out.pool = CheckHeadroom(fabric, switches, out.findings).pools.at(0);
  out.memory = CheckMemory(fabric, switches, out.findings).memory.at(0);
  return out;
}

TEST(AsicRules, OneMemoryForAll) {
  // S = 8 MB − 8 · 2080 = 7 983 360. A lone group pauses at 2080 + S / 2.
  const Checked c = Check(Star("cell: 208B"));
  EXPECT_EQ(c.thresholds.groups, 8u);
  EXPECT_EQ(c.thresholds.xoff_at[0], Bytes(2'080 + 3'991'680));
  EXPECT_EQ(c.pool.size, Bytes(1'000'000));
  EXPECT_EQ(c.pool.groups, 8u);
  EXPECT_EQ(c.memory.Ingress(), Bytes(9'000'000));
}

TEST(AsicRules, SlicesDivideThresholdsAndHeadroom) {
  // Tomahawk has four slices of two ports each; it does not subtract reserves from the pool. A slice shares 2
  // MB: a lone group takes 1 MB, each of two groups 1/3; its headroom pool is 250 kB, for two groups that may
  // take 200 kB each.
  const Checked c = Check(Star("asic: th"));
  EXPECT_EQ(c.thresholds.groups, 2u);
  EXPECT_EQ(c.thresholds.shared, Bytes(2'000'000));
  EXPECT_EQ(c.thresholds.xoff_at[0], Bytes(2'080 + 1'000'000));
  EXPECT_FALSE(c.thresholds.xoff_at[1]);
  EXPECT_EQ(c.pool.pool, "in, a slice");
  EXPECT_EQ(c.pool.size, Bytes(250'000));
  EXPECT_EQ(c.pool.groups, 2u);
  EXPECT_EQ(c.pool.at_full_xoff, 1u);
  // Reserves are outside of the pool: 8 MB + 1 MB + 8 · 2080.
  EXPECT_FALSE(c.memory.reserved_within);
  EXPECT_EQ(c.memory.Ingress(), Bytes(9'000'000 + 8 * 2'080));
}

TEST(AsicRules, HeadroomMayBePartOfThePool) {
  // Trident 3: S = 8 MB − 1 MB − 8 · 2080 = 6 983 360.
  const Checked c = Check(Star("asic: td3"));
  EXPECT_EQ(c.thresholds.shared, Bytes(6'983'360));
  EXPECT_EQ(c.thresholds.xoff_at[0], Bytes(2'080 + 3'491'680));
  EXPECT_EQ(c.memory.ingress_pools, Bytes(7'000'000));
  EXPECT_EQ(c.memory.Ingress(), Bytes(8'000'000));
}

TEST(AsicRules, ALimitOfThePortIsOneOfItsGroup) {
  // 300 kB are for the whole port: PFC begins at 302 080 B, before Kmin of 400 kB.
  const Checked c =
      Check(Star("cell: 208B", "        BUFFER_PORT_INGRESS_PROFILE_LIST: {\"*\": {profile_list: port}}\n"));
  EXPECT_EQ(c.thresholds.xoff_at[0], Bytes(302'080));
  EXPECT_EQ(c.thresholds.pfc_before_ecn, 1u);
  ASSERT_FALSE(c.findings.empty());
  EXPECT_THAT(c.findings[0].what, HasSubstr("goes XOFF at 302.1 kB, marking starts at 400.0 kB"));
}

TEST(AsicRules, MapsSayWhichGroupAClassHasAndWhetherItPauses) {
  // Class storage, DSCP 3, is in group 4 of every port; pauses of priority 4 are its own.
  Scenario s = Star("cell: 208B");
  PortQos maps = QosOfClasses(s.classes, s.switches[0].ecn);
  maps.tc_to_group[3] = 4;
  maps.pfc_enable = 0;
  s.switches[0].qos.assign(8, maps);
  s.switches[0].buffer.groups.push_back({"*", 4, 4, "lossless"});
  {
    const Fabric fabric(s);
    const ClassAtPort at = ClassifySwitches(fabric).at(0).ports.at(0).classes[3];
    EXPECT_EQ(at.group, 4);
    EXPECT_EQ(at.Xoff(), Bytes(200'000));
    EXPECT_FALSE(at.pfc);
  }
  for (PortQos& port : s.switches[0].qos) port.pfc_enable = 1 << 4;
  for (PortQos& port : s.switches[0].qos) port.pfc_to_group[4] = 4;
  const Fabric fabric(s);
  const std::vector<SwitchClass> switches = ClassifySwitches(fabric);
  EXPECT_TRUE(switches.at(0).ports.at(0).classes[3].pfc);
  Findings findings;
  CheckMemory(fabric, switches, findings);
  EXPECT_TRUE(findings.empty());

  // The class is in group 5, which has no profile with xoff.
  for (PortQos& port : s.switches[0].qos) port.tc_to_group[3] = port.pfc_to_group[4] = 5;
  s.switches[0].buffer.groups.push_back({"*", 5, 5, "lossy"});
  const Fabric other(s);
  CheckMemory(other, ClassifySwitches(other), findings);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].what, HasSubstr("its group 5 has profile lossy, without headroom (xoff)"));
}

}  // namespace
}  // namespace headroom::check_asic_rules_test
