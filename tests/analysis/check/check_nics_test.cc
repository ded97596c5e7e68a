#include "analysis/check/check_nics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/scenario_of.h"

namespace headroom::check_nics_test {
namespace {

using Limit = NicPath::Limit;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Checked {
  std::vector<NicCheck> checks;
  Findings findings;
};

/// Four hosts at `rate` that have these entries of `nics`.
Checked Check(const std::string& rate, const std::string& nics, const std::string& verb = "write",
              const std::string& mtu = "1024") {
  const Scenario s = ScenarioOf(
      "name: n\nduration: 1ms\nmtu: " + mtu + "\ntopology: {type: star, hosts: 4, link: {rate: " + rate +
      ", length: 5m}}\nworkloads: [{name: w, type: permutation, size: 1MB, verb: " + verb + "}]\nnics:\n" +
      nics);
  const Fabric fabric(s);
  Checked out;
  out.checks = CheckNics(fabric, out.findings);
  return out;
}

constexpr const char* kConnectX3 = "  - {match: \"*\", resources: connectx3-pcie3-x8}\n";

TEST(CheckNics, OfIdealOnesThereIsNothingToSay) {
  EXPECT_THAT(Check("100Gbps", "  - {match: \"*\", generation: gen1}\n").checks, IsEmpty());
}

TEST(CheckNics, EachStationServesSoManyFullPackets) {
  // 1024 B of payload are 1106 B with headers and gap: 221.2 ns at 40 Gb/s. PCIe has 63.04 Gb/s: outward 8 ·
  // 22 B of headers, 1200 B; inward 4 · 26 B, 1128 B.
  const Checked c = Check("40Gbps", kConnectX3);
  ASSERT_EQ(c.checks.size(), 1u);
  const NicCheck& nic = c.checks[0];
  EXPECT_EQ(nic.set, "connectx3-pcie3-x8");
  EXPECT_EQ(nic.hosts, 4u);
  EXPECT_EQ(nic.example, "h0");
  EXPECT_THAT(nic.differences, IsEmpty());
  ASSERT_EQ(nic.paths.size(), 2u);
  const NicPath &sends = nic.paths[0], &receives = nic.paths[1];
  EXPECT_EQ(sends.line, Picoseconds(221'200));
  EXPECT_EQ(sends.pipeline, Nanoseconds(55));
  EXPECT_EQ(sends.engine, Picoseconds(16'700));
  EXPECT_EQ(sends.pcie, SerializationTime(Bytes(1200), MegabitsPerSecond(63'040)));
  EXPECT_EQ(sends.LimitedBy(), Limit::line);
  EXPECT_EQ(receives.pipeline, Picoseconds(28'600));
  EXPECT_EQ(receives.pcie, SerializationTime(Bytes(1128), MegabitsPerSecond(63'040)));
  EXPECT_EQ(receives.LimitedBy(), Limit::line);
  EXPECT_THAT(c.findings, IsEmpty());
}

TEST(CheckNics, SaysFromWhichPayloadOnTheLineIsFull) {
  // 55 ns at 40 Gb/s are 275 B: 193 B of payload and 82 B of headers and gap. A packet of 65 B is 147 B on
  // the wire, 29.4 ns, and the receive pipeline takes 28.6.
  const Checked c = Check("40Gbps", kConnectX3);
  EXPECT_EQ(c.checks[0].paths[0].full_from, Bytes(193));
  EXPECT_EQ(c.checks[0].paths[1].full_from, Bytes(61));
}

TEST(CheckNics, AStationBelowTheLineIsANoteThatNamesIt) {
  // At 100 Gb/s a packet takes 88.48 ns on the wire; PCIe takes 152.3 ns outward and 143.1 inward.
  const Checked c = Check("100Gbps", kConnectX3);
  ASSERT_EQ(c.findings.size(), 2u);
  EXPECT_EQ(c.findings[0].severity, Finding::Severity::note);
  EXPECT_EQ(c.findings[0].where, "NIC connectx3-pcie3-x8, 100Gbps (as h0)");
  EXPECT_EQ(c.findings[0].what,
            "it sends at no more than 58 % of its line rate: its PCIe serves 6.57 M packets of 1024 B "
            "per second, but 100Gbps carries 11.30 M");
  EXPECT_THAT(c.findings[1].what, HasSubstr("it receives at no more than 62 % of its line rate"));
  EXPECT_THAT(c.findings[1].what, HasSubstr("its receive buffer fills and it pauses its switch"));
  EXPECT_EQ(c.checks[0].paths[0].full_from, std::nullopt);
}

TEST(CheckNics, APipelineMayBeTheLimit) {
  // 64 B of payload at 256 B: 338 B are 27.04 ns at 100 Gb/s, less than 28.6.
  const Checked c =
      Check("100Gbps", "  - {match: \"*\", resources: {set: ideal, rx: {write: 28.6ns}}}\n", "write", "256");
  ASSERT_EQ(c.checks.size(), 1u);
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].what,
            "it receives at no more than 95 % of its line rate: its pipeline serves 34.97 M packets of "
            "256 B per second, but 100Gbps carries 36.98 M; the excess waits in an unlimited receive "
            "buffer");
}

TEST(CheckNics, ReadsAreAnsweredInSegments) {
  // There are eight segments of 128 B, 9.8 ns each.
  const Checked c = Check("40Gbps", kConnectX3, "read");
  ASSERT_EQ(c.checks[0].paths.size(), 3u);
  EXPECT_EQ(c.checks[0].paths[2].does, NicPath::Does::answers_reads);
  EXPECT_EQ(c.checks[0].paths[2].pipeline, Picoseconds(8 * 9'800));
}

TEST(CheckNics, NamesEachKeyThatIsNotAsTheSetHasIt) {
  const Checked c = Check("40Gbps",
                          "  - {match: h0, resources: {set: connectx3-pcie3-x8, pcie: {latency: 300ns}, "
                          "rx_buffer: none}}\n"
                          "  - {match: \"h[1-3]\", resources: connectx3-pcie2-x8}\n");
  ASSERT_EQ(c.checks.size(), 2u);
  ASSERT_EQ(c.checks[0].differences.size(), 2u);
  EXPECT_EQ(c.checks[0].differences[0].key, "pcie.latency");
  EXPECT_EQ(c.checks[0].differences[0].value, "300ns");
  EXPECT_EQ(c.checks[0].differences[0].of_set, "200ns");
  EXPECT_EQ(c.checks[0].differences[1].key, "rx_buffer");
  EXPECT_EQ(c.checks[0].differences[1].value, "none");
  EXPECT_EQ(c.checks[1].hosts, 3u);
  EXPECT_THAT(c.checks[1].differences, IsEmpty());
}

TEST(CheckNics, AMissStallsThePipelineByWhatOverlapsLeave) {
  const Checked c = Check("40Gbps",
                          "  - {match: \"*\", resources: {set: ideal, rx: {write: 20ns}, context_cache: "
                          "{entries: 10, miss: 300ns, overlap: {rc_responder: 3}}}}\n");
  EXPECT_EQ(c.checks[0].paths[0].miss, Nanoseconds(300));
  EXPECT_EQ(c.checks[0].paths[1].miss, Nanoseconds(100));
}

}  // namespace
}  // namespace headroom::check_nics_test
