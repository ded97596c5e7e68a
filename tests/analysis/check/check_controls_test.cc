#include "analysis/check/check_controls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/scenario_of.h"

namespace headroom::check_controls_test {
namespace {

using ::testing::HasSubstr;

Findings FindingsOf(const std::string& more) {
  const Scenario s =
      StarOf(3, "workloads: [{name: w, type: list, messages: [{from: h0, to: h1, size: 1KB}]}]\n" + more);
  Findings findings;
  JudgeControls(Fabric(s), findings);
  return findings;
}

TEST(CheckControls, KeysOfDcqcnWithoutDcqcnAreNamedWithTheirHosts) {
  const Findings findings = FindingsOf(R"(
nics:
  - {match: "*", congestion_control: none}
  - {match: h0, dcqcn: {rp: {max_rate: 10Gbps}}}
  - {match: "h[12]", congestion_control: timely, dcqcn: {rp: {max_rate: 40Gbps}, roce_cc_prio_mask: 8}}
)");
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].where, "nics (as h0)");
  EXPECT_THAT(findings[0].what, HasSubstr("rp.max_rate: 10Gbps} has no effect at 1 host with "
                                          "congestion_control: none"));
  EXPECT_THAT(findings[1].what, HasSubstr("rp.max_rate: 40Gbps"));
  EXPECT_THAT(findings[1].what, HasSubstr("at 2 hosts with congestion_control: timely"));
}

TEST(CheckControls, KeysThatAreReadOrAreDefaultsAreNotNamed) {
  EXPECT_TRUE(FindingsOf("nics: [{match: \"*\", dcqcn: {rp: {max_rate: 10Gbps}}}]\n").empty());
  EXPECT_TRUE(FindingsOf("nics: [{match: \"*\", congestion_control: none, generation: gen2}]\n").empty());
  EXPECT_TRUE(FindingsOf("nics: [{match: \"*\", congestion_control: dctcp, dcqcn: {limiter: {burst: 9KB}}}]\n"
                         "switches: [{match: \"*\", ecn: {storage: {kmin: 1MB, kmax: 2MB, pmax: 5%}}}]\n")
                  .empty());
}

TEST(CheckControls, KeysOfRdmaOverTcpAreNamed) {
  const Findings findings = FindingsOf(R"(
services:
  - {name: r, type: redis, servers: h0, clients: h1, transport: tcp, buffer: 2MiB}
  - {name: b, type: brpc, servers: h0, clients: h1, transport: tcp, sq: 64, block: 64KiB}
)");
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_THAT(findings[0].what, HasSubstr("buffer has no effect with transport: tcp"));
  EXPECT_THAT(findings[1].what, HasSubstr("block, sq have no effect with transport: tcp"));
}

/// Two hosts with 20 km of fibre, a round trip of 200 µs.
Findings FindingsOfLongPath(const std::string& control) {
  const Scenario s = ScenarioOf(R"(
name: far
duration: 10ms
topology: {type: star, hosts: 2, link: {rate: 100Gbps, length: 10km}}
workloads: [{name: w, type: list, messages: [{from: h0, to: h1, size: 1KB}]}]
nics: [{match: "*", congestion_control: )" +
                                control + "}]\n");
  Findings findings;
  JudgeControls(Fabric(s), findings);
  return findings;
}

TEST(CheckControls, ATargetBelowTheIdlePathsDelayIsNamed) {
  const Findings swift = FindingsOfLongPath("{type: swift, base: 90us}");
  ASSERT_EQ(swift.size(), 1u);
  EXPECT_EQ(swift[0].where, "nics (as h0)");
  EXPECT_THAT(swift[0].what, HasSubstr("the target delay of swift, 93.05 µs (base), is below 20"));
  EXPECT_THAT(swift[0].what, HasSubstr("the idle path to h1: senders slow down without any queue"));
  const Findings timely = FindingsOfLongPath("{type: timely, low: 20us, high: 150us}");
  ASSERT_EQ(timely.size(), 1u);
  EXPECT_THAT(timely[0].what, HasSubstr("the target delay of timely, 150 µs (high), is below 20"));
  EXPECT_EQ(FindingsOfLongPath("{type: timely, variant: patched}").size(), 1u) << "low is 50 µs";
}

TEST(CheckControls, ATargetAboveTheIdlePathsDelayIsNotNamed) {
  EXPECT_TRUE(FindingsOfLongPath("{type: swift, base: 210us}").empty());
  EXPECT_TRUE(FindingsOfLongPath("timely").empty()) << "high is 500 µs";
  EXPECT_TRUE(FindingsOfLongPath("dctcp").empty());
}

}  // namespace
}  // namespace headroom::check_controls_test
