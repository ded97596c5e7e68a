#include "scenario/sonic/sonic_fields.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "scenario/read/load.h"

namespace headroom::sonic_fields_test {
namespace {

const std::string kRack = std::string(HEADROOM_SOURCE_DIR) + "/tests/scenario/good/sonic.yaml";

TEST(SonicFields, AFieldOfTheScenarioStandsInThePlaceOfTheFiles) {
  const std::string key = "switches.t3.buffer.tables.";
  const Scenario s = LoadScenario(kRack, {key + "BUFFER_PROFILE.pg_lossless_40000_5m_profile.xoff=81120",
                                          key + "BUFFER_POOL={ingress_lossless_pool: {size: 9000000}}"});
  const auto& buffer = s.switches[3].buffer;
  const auto profile =
      std::ranges::find(buffer.profiles, "pg_lossless_40000_5m_profile", &BufferProfile::name);
  ASSERT_NE(profile, buffer.profiles.end());
  EXPECT_EQ(profile->xoff, Bytes(81'120));
  EXPECT_EQ(profile->xon, Bytes(2288));  // the file's value
  const auto pool = std::ranges::find(buffer.pools, "ingress_lossless_pool", &BufferPool::name);
  ASSERT_NE(pool, buffer.pools.end());
  EXPECT_EQ(pool->size, Bytes(9'000'000));
}

std::string ErrorWith(const std::vector<std::string>& sets) {
  try {
    LoadScenario(kRack, sets);
  } catch (const ScenarioError& e) {
    return e.what();
  }
  return "no error";
}

TEST(SonicFields, AnErrorStandsAtTheFieldThatMakesIt) {
  const std::string tables = "switches.t3.buffer.tables.";
  const std::string right = tables + "BUFFER_POOL.ingress_lossless_pool.size=9000000";
  const std::string row = tables + "BUFFER_PROFILE.pg_lossless_40000_6m_profile.xoff=1";
  EXPECT_EQ(ErrorWith({right, row}),
            "--set " + row +
                ": rack_flat.json has no row BUFFER_PROFILE|pg_lossless_40000_6m_profile; did you mean "
                "\"pg_lossless_40000_5m_profile\"?");
  const std::string value = tables + "BUFFER_PROFILE.pg_lossless_40000_5m_profile.xoff=1KB";
  EXPECT_EQ(ErrorWith({right, value}).substr(0, value.size() + 8), "--set " + value + ": ");
  // These are valid alone, but wrong for a class of the scenario.
  const std::string pfc = tables + "PORT_QOS_MAP.Ethernet0.pfc_enable=4";
  EXPECT_EQ(ErrorWith({pfc, right}).substr(0, pfc.size() + 8), "--set " + pfc + ": ");
}

TEST(SonicFields, AFieldThatOnlyOtherRowsHaveIsAdded) {
  const std::string row = "switches.t3.buffer.tables.BUFFER_PROFILE.egress_lossless_profile.";
  EXPECT_EQ(ErrorWith({row + "xon=1024"}), "no error");
  EXPECT_EQ(ErrorWith({row + "xom=1024"}),
            "--set " + row +
                "xom=1024: rack_flat.json: BUFFER_PROFILE|egress_lossless_profile has no field xom; did you "
                "mean \"xon\"?");
}

TEST(SonicFields, APartOfACurveIsRefusedWithTheFilesValues) {
  const std::string part = "switches.t1.ecn.storage.kmin=100KB";
  EXPECT_EQ(
      ErrorWith({part}),
      "--set " + part +
          ": the curve of \"storage\" is given only in part, and rack.init.json has kmin 250KB, kmax "
          "2MiB, pmax 5%; give all three: --set 'switches.t1.ecn.storage={kmin: 100KB, kmax: 2MiB, pmax: "
          "5%}'");
  EXPECT_EQ(ErrorWith({"switches.t1.ecn.storage={kmin: 100KB, kmax: 2MiB, pmax: 5%}"}), "no error");
  const std::string two = "switches.t1.ecn={storage: {kmax: 100KB, pmax: 1%}}";
  EXPECT_EQ(ErrorWith({two}),
            "--set " + two +
                ": the curve of \"storage\" is given only in part, and rack.init.json has kmin 250KB, kmax "
                "2MiB, pmax 5%; give all three: ecn: {storage: {kmin: 250KB, kmax: 100KB, pmax: 1%}}");
}

TEST(SonicFields, APartOfACurveWithARateIsRefusedAlike) {
  const std::string part = "switches.t1.ecn={storage: {kmin: 100KB, per_rate: 100Gbps}}";
  EXPECT_EQ(ErrorWith({part}),
            "--set " + part +
                ": the curve of \"storage\" is given only in part, and rack.init.json has kmin 250KB, kmax "
                "2MiB, pmax 5%; give all three: ecn: {storage: {kmin: 100KB, kmax: 2MiB, pmax: 5%, per_rate: "
                "100Gbps}}");
  const std::string unmarked = "switches.t1.ecn={bulk: {kmin: 100KB}}";
  EXPECT_EQ(ErrorWith({unmarked}),
            "--set " + unmarked +
                ": the curve of \"bulk\" is given only in part, and rack.init.json has none; give all three: "
                "give kmin, kmax and pmax");
}

/// Vendor and priorities are not in PFC_WD; the scenario's watchdog that replaces it has them.
TEST(SonicFields, AWatchdogOfTheScenarioKeepsVendorAndPrioritiesOfTheSwitch) {
  const auto watchdogs = [](const std::vector<std::string>& sets) {
    return LoadScenario(kRack, sets).switches[0].pfc.watchdogs;
  };
  const std::vector<WatchdogParameters> before = watchdogs({});
  ASSERT_EQ(before.size(), 1u);
  EXPECT_EQ(before[0].priorities, 0x18);
  const std::string own = "switches.t0.pfc.watchdog=";
  const std::vector<WatchdogParameters> one = watchdogs({own + "{detection: 300ms}"});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].detection, Milliseconds(300));
  EXPECT_EQ(one[0].priorities, 0x18);
  EXPECT_EQ(watchdogs({own + "{detection: 300ms, priority: 3}"})[0].priorities, 0x08);
  const std::string pfcwd = "switches.0.buffer.tables.PORT_QOS_MAP.Ethernet4.pfcwd_sw_enable=3";
  const std::vector<WatchdogParameters> by_port = watchdogs({pfcwd, own + "{detection: 300ms}"});
  ASSERT_EQ(by_port.size(), 2u);
  EXPECT_EQ(by_port[1].ports, "p1");
  EXPECT_EQ(by_port[1].priorities, 0x08);
  const std::string spectrum = "switches.0.buffer.asic=spectrum1";
  EXPECT_EQ(watchdogs({spectrum, own + "{detection: 300ms}"})[0].vendor, WatchdogVendor::mellanox);
  EXPECT_EQ(watchdogs({spectrum, own + "{detection: 300ms, vendor: generic}"})[0].vendor,
            WatchdogVendor::generic);
  EXPECT_TRUE(watchdogs({own + "none"}).empty());
}

TEST(SonicFields, TextThatIsNoJsonIsLeftToItsReader) {
  EXPECT_EQ(WithSonicFields("{,", "f", {{"A", "b", "c", "1"}}, {}), "{,");
  EXPECT_EQ(WithSonicFields(R"({"A|b": {"c": "0", "d": 2}})", "f",
                            {{"A", "b", "c", "1"}, {"A", "b", "d", "x"}}, {}),
            R"({"A|b": {"c": "1", "d": "x"}})");
  EXPECT_EQ(WriteSonicFields({{"A", "b", "c", "1"}, {"A", "b", "d", "-1"}, {"A", "e|3", "f", ""}}),
            R"({A: {b: {c: 1, d: -1}, "e|3": {f: ""}}})");
}

}  // namespace
}  // namespace headroom::sonic_fields_test
