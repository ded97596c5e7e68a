#include "analysis/check/buffers/check_headroom.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/scenario_of.h"
#include "support/own_tables.h"

namespace headroom::check_headroom_test {
namespace {

using Severity = Finding::Severity;
using ::testing::HasSubstr;

struct Checked {
  HeadroomChecks checks;
  Findings findings;
};

Checked Check(const Scenario& scenario) {
  const Fabric fabric(scenario);
  Checked out;
  out.checks = CheckHeadroom(fabric, ClassifySwitches(fabric), out.findings);
  return out;
}

/// Two switches with 3 hosts each, and `cable` between them.
Scenario Dumbbell(const std::string& cable, const std::string& more = "") {
  return ScenarioOf(
      "name: d\nduration: 1ms\ntopology: {type: dumbbell, left: 3, right: 3, link: {rate: 100Gbps, length: "
      "5m}, bottleneck: {rate: 100Gbps, length: " +
      cable + "}}\nworkloads: [{name: w, type: permutation, size: 1KB}]\n" + more);
}

TEST(CheckHeadroom, ARowThatCoversTheNeedIsNoFinding) {
  const Checked c = Check(Dumbbell("40m"));
  ASSERT_EQ(c.checks.links.size(), 2u);
  const HeadroomCheck& host = c.checks.links[0];
  EXPECT_EQ(host.at + " " + host.from, "switch host");
  EXPECT_EQ(host.ports, 6u);
  EXPECT_EQ(host.configured, Bytes(96'928));  // 100 Gb/s, 5 m
  EXPECT_EQ(host.basis, "row 5 m");
  const HeadroomCheck& between = c.checks.links[1];
  EXPECT_EQ(between.ports, 2u);
  EXPECT_EQ(between.configured, Bytes(177'632));  // 100 Gb/s, 40 m
  // The frame over the limit of 1102 B, 2 · 200 ns of cable at 12.5 B/ns, a frame of 1122 B with preamble and
  // gap before the pause, a pause of 84 B, and the last frame of 1102 B.
  EXPECT_EQ(between.need.OnWire(), Bytes(1'102 + 5'000 + 1'122 + 84 + 1'102));
  EXPECT_TRUE(c.findings.empty());
}

TEST(CheckHeadroom, ALinkWithoutARowAndWithTooLittleIsAnErrorThatNamesAProfileThatFits) {
  const Checked c = Check(Dumbbell("40km"));
  EXPECT_FALSE(c.checks.links[1].has_row);
  EXPECT_EQ(c.checks.links[1].configured, Bytes(96'928));  // the profile's own value
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].severity, Severity::error);
  EXPECT_EQ(c.findings[0].where, "switch ← switch, 100Gbps, 200 µs, 2 ports (as s0:p3)");
  // 400 µs · 12.5 B/ns = 5 MB; with the pause and the frame before it 5 001 206 B are 4457 frames of 1122 B,
  // and 2 more, in 6 cells each: 5 564 832 B.
  EXPECT_EQ(c.findings[0].what,
            "up to 5.00 MB arrive over the wire (1.10 kB over the limit + 5.00 MB of cable + 1.12 kB ahead "
            "of the pause + 84 B pause + 1.10 kB begun), 5.56 MB in the buffer, in small frames 12.4 MB; the "
            "group has 96.9 kB (profile, no row): lossless frames may be dropped; the profile has no row for "
            "100Gbps over this distance, so its own xoff applies");
  EXPECT_EQ(c.findings[0].remedies.at(0), Remedy{"switches.*.buffer.profile=azure-deep"});
}

TEST(CheckHeadroom, HasOtherFormulasBesideTheSum) {
  // The cable has 40 m at 100 Gb/s, and cells have 208 bytes. The least headroom is 5000 + 64 + 1102. 802.1Q:
  // 5000 + 2 · 9236 + 84 + 30 720 + 25 216. No Spectrum has these cells. One of 144 B would need, with frames
  // of 9216 B: cable 40 m / 198 000 km/s both ways 5050.5, mac 819.2, response 25 216, together 40 301.7.
  // Small packets of 64 B in cells of 144 take 3 times 64 B, for 11.76 % of the bytes: 1024 + 40 301.7
  // · 1.2353 = 50 808.4 → 50 KiB = 51 200.
  const OtherFormulas broadcom = Check(Dumbbell("40m")).checks.links[1].others;
  EXPECT_EQ(broadcom.least, Bytes(6'166));
  EXPECT_EQ(broadcom.ieee, Bytes(79'492));
  EXPECT_FALSE(broadcom.sonic);
  std::string tables = OwnTables{.cell = "144B"}.Text();
  EXPECT_EQ(Check(Dumbbell("40m", tables)).checks.links[1].others.sonic, Bytes(51'200));
  // Trident 3 has cells of 256 B, as Spectrum-6 does; SONiC has no formula for it.
  tables.replace(tables.find("cell: 144B"), 10, "asic: td3");
  EXPECT_FALSE(Check(Dumbbell("40m", tables)).checks.links[1].others.sonic);
}

std::string Tables(const std::string& pool, const std::string& xoff) {
  return OwnTables{.in = "mode: dynamic, size: 10MB, xoff: " + pool,
                   .pg = "size: 1248, xon: 1248, xon_offset: 2496, dynamic_th: -3, xoff: " + xoff,
                   .cell = "208B"}
      .Text();
}

TEST(CheckHeadroom, EnoughForFullFramesButNotForSmallOnesIsAWarning) {
  // At 40 m 8410 B arrive over the wire. Of the less than 6206 B between the first frame and the last, frames
  // of 64 B take the most room, a cell of 208 B for 84 B: 15 364 B. The first and the last of 1102 B take 6
  // cells, 1248 B, each. Large frames have 1122 B on the wire: 5 of them and 2 more take 8736 B.
  const Checked tight = Check(Dumbbell("40m", Tables("0", "10000")));
  EXPECT_EQ(tight.checks.links[1].need.Total(), Bytes(15'364 + 2 * 1'248));
  ASSERT_EQ(tight.findings.size(), 1u);
  EXPECT_EQ(tight.findings[0].severity, Severity::warning);
  EXPECT_THAT(tight.findings[0].what,
              HasSubstr("1.10 kB begun), in small frames 17.9 kB in the buffer; the group has 10.0 kB"));

  EXPECT_TRUE(Check(Dumbbell("40m", Tables("0", "17860"))).findings.empty());
  // If no frame delays the pause 5084 B pass, 4.5 frames: one over the limit, 4, and one that had started.
  EXPECT_EQ(Check(Dumbbell("40m", Tables("0", "7488"))).findings.at(0).severity, Severity::warning);
  EXPECT_EQ(Check(Dumbbell("40m", Tables("0", "7487"))).findings.at(0).severity, Severity::error);
}

TEST(CheckHeadroom, OversubscribedPoolsSayHowManyGroupsTheyServe) {
  // Each switch has 4 groups of 100 kB. They need 3 · 7.0 kB for hosts at 5 m (625 B of cable instead of
  // 5000) and 17 860 B for the other switch.
  const Checked fits = Check(Dumbbell("40m", Tables("250000", "100000")));
  ASSERT_EQ(fits.checks.pools.size(), 1u);
  const HeadroomPoolCheck& pool = fits.checks.pools[0];
  EXPECT_EQ(pool.groups, 4u);
  EXPECT_EQ(pool.sum_xoff, Bytes(400'000));
  EXPECT_EQ(pool.at_full_xoff, 2u);  // 2.5 times 100 kB
  EXPECT_EQ(pool.at_need, 4u);
  ASSERT_EQ(fits.findings.size(), 1u);
  EXPECT_EQ(fits.findings[0].severity, Severity::note);
  EXPECT_THAT(fits.findings[0].what, HasSubstr("oversubscribed 1.6 times"));

  // A host's group takes less than 1831 B of wire, 1830 · 208 / 84 = 4531 B, and 2 · 1248: 7027 B.
  const Checked short_of_it = Check(Dumbbell("40m", Tables("32000", "20000")));
  EXPECT_EQ(short_of_it.checks.pools[0].sum_need, Bytes(3 * 7'027 + 17'860));
  EXPECT_EQ(short_of_it.checks.pools[0].at_need, 3u);  // 17 860 + 2 · 7027 = 31 914
  EXPECT_EQ(short_of_it.checks.pools[0].at_full_xoff, 1u);
  ASSERT_EQ(short_of_it.findings.size(), 1u);
  EXPECT_EQ(short_of_it.findings[0].severity, Severity::warning);
  EXPECT_THAT(short_of_it.findings[0].what, HasSubstr("only 3 groups can use headroom at the same time"));

  // The other switch sends at least 5 frames of 1248 B.
  EXPECT_EQ(Check(Dumbbell("40m", Tables("6240", "20000"))).findings.at(0).severity, Severity::warning);
  EXPECT_EQ(Check(Dumbbell("40m", Tables("6239", "20000"))).findings.at(0).severity, Severity::error);
}

TEST(CheckHeadroom, PfcThatIsOffOrLapsesIsAWarning) {
  const Checked off = Check(Dumbbell("40m", "switches: [{match: s1, pfc: {enabled: false}}]\n"));
  ASSERT_EQ(off.findings.size(), 1u);
  EXPECT_EQ(off.findings[0].where, "switch#2");
  EXPECT_THAT(off.findings[0].what, HasSubstr("PFC is off at this switch"));

  // 1000 quanta of 512 bits at 100 Gb/s are 5.12 µs.
  const Checked lapses =
      Check(Dumbbell("40m", "switches: [{match: \"*\", pfc: {quanta: 1000, refresh: 6us}}]\n"));
  EXPECT_THAT(
      lapses.findings.at(0).what,
      HasSubstr("a pause of 1000 quanta lasts 5.12 µs, but the next pause frame follows only after 6 µs: "
                "the link sends in between"));

  const Checked in_vain = Check(
      Dumbbell("40m", "switches: [{match: \"*\", pfc: {quanta: 100, refresh: 6us, response: 512ns}}]\n"));
  EXPECT_THAT(
      in_vain.findings.at(0).what,
      HasSubstr("a pause of 100 quanta lasts 0.5120 µs, but the next pause frame follows only after 6 "
                "µs: the receiver takes 0.5120 µs to react, so the pause has no effect"));
}

}  // namespace
}  // namespace headroom::check_headroom_test
