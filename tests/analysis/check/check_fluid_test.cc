#include "analysis/check/check_fluid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/scenario_of.h"

namespace headroom::check_fluid_test {
namespace {

using Severity = Finding::Severity;
using ::testing::HasSubstr;

constexpr const char* kEcn = "{kmin: 5KB, kmax: 200KB, pmax: 1%}";

/// `n` hosts send to one more host at 40 Gb/s for a second, each over a link with this one-way delay.
Scenario Senders(int n, const std::string& delay, const std::string& nic, const std::string& ecn = kEcn) {
  return ScenarioOf("name: n\nduration: 1s\ntopology: {type: star, hosts: " + std::to_string(n + 1) +
                    ", link: {rate: 40Gbps, delay: " + delay +
                    "}}\nswitches: [{match: \"*\", latency: 0ns, ecn: {storage: " + ecn +
                    "}}]\nnics: [{match: \"*\", " + nic +
                    "}]\nworkloads: [{name: w, type: stream, from: \"*\", to: h" + std::to_string(n) +
                    ", message: 1MB}]\n");
}

struct Checked {
  FluidChecks checks;
  Findings findings;
};
Checked Check(const Scenario& s) {
  Checked out;
  out.checks = CheckFluid(Fabric(s), out.findings);
  return out;
}

TEST(CheckFluid, PutsABottleneckInTheModelsTerms) {
  const Checked c = Check(Senders(4, "1us", "generation: dcqcn-paper"));
  ASSERT_EQ(c.checks.bottlenecks.size(), 1u);
  const FluidCheck& check = c.checks.bottlenecks[0];
  EXPECT_EQ(check.at, "s0:p4");
  EXPECT_EQ(check.flows, 4u);
  ASSERT_TRUE(check.Applies());
  const FluidParameters& p = check.model.parameters;
  // A frame has 1024 + 62 + 20 B on the wire, and 1086 B in cells of 208 B: 1248.
  EXPECT_DOUBLE_EQ(p.capacity, 40e9 / (1106 * 8));
  EXPECT_DOUBLE_EQ(p.line, p.capacity);
  EXPECT_DOUBLE_EQ(p.rate_ai, 40e6 / (1106 * 8));
  EXPECT_DOUBLE_EQ(p.byte_counter, 10e6 / 1106);
  EXPECT_DOUBLE_EQ(p.kmax, 200e3 / 1248);
  EXPECT_DOUBLE_EQ(p.tau, 50e-6);
  // Forward there are two links with a frame of 1102 + 20 B (the first has a RETH), back two with a CNP of 78
  // + 20 B: 4 × 1 us + 2 × 224.4 ns + 2 × 19.6 ns.
  EXPECT_NEAR(p.delays[0].delay, 4.488e-6, 1e-12);
  EXPECT_TRUE(check.stability.stable);
  EXPECT_TRUE(check.Lasting());
  // q* = Kmin + p* (Kmax − Kmin) / Pmax.
  EXPECT_NEAR(check.QueueBytes(), 5e3 + check.stability.at.p / 0.01 * 195e3, 1);
}

TEST(CheckFluid, FindsALoopThatOscillatesAndWhatCalmsIt) {
  const Checked c = Check(Senders(10, "50us", "generation: dcqcn-paper"));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].severity, Severity::warning);
  EXPECT_EQ(c.findings[0].where, "s0:p10, class storage");
  EXPECT_THAT(c.findings[0].what, HasSubstr("DCQCN oscillates: 10 flows with a loop delay of 200.5 µs"));
  // A scenario that follows the advice has no finding.
  const FluidCheck& check = c.checks.bottlenecks[0];
  ASSERT_FALSE(check.remedies.empty());
  for (const FluidRemedy& remedy : check.remedies) {
    const bool step = remedy.of == FluidRemedy::Of::rate_ai;
    const std::string nic = step
                                ? "dcqcn: {rp: {rate_ai: " + std::to_string(40'000 / remedy.factor) + "Kbps}}"
                                : "generation: dcqcn-paper";
    const std::string ecn =
        step ? kEcn : "{kmin: 5KB, kmax: " + std::to_string(5 + 195 * remedy.factor) + "KB, pmax: 1%}";
    const Checked calm = Check(Senders(10, "50us", nic, ecn));
    EXPECT_TRUE(calm.findings.empty());
    EXPECT_NEAR(calm.checks.bottlenecks[0].stability.Margin().value(), remedy.margin, 0.01);
    EXPECT_GE(remedy.margin, kGoodMargin);
  }
}

TEST(CheckFluid, ALowMarginIsANote) {
  const Checked c = Check(Senders(10, "12us", "generation: dcqcn-paper"));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].severity, Severity::note);
  EXPECT_THAT(c.findings[0].what, HasSubstr("close to oscillating"));
}

TEST(CheckFluid, WhatEndsSoonerThanAFewWavesIsNoFinding) {
  Scenario s = Senders(10, "50us", "generation: dcqcn-paper");
  s.duration = Milliseconds(5);
  const Checked c = Check(s);
  EXPECT_FALSE(c.checks.bottlenecks[0].stability.stable);
  EXPECT_FALSE(c.checks.bottlenecks[0].Lasting());
  EXPECT_TRUE(c.findings.empty());
  EXPECT_FALSE(LeastMargin(c.checks));
}

TEST(CheckFluid, AMarginIsOfferedToThoseWhoChooseSettings) {
  const Checked c = Check(Senders(10, "50us", "generation: dcqcn-paper"));
  EXPECT_EQ(LeastMargin(c.checks), c.checks.bottlenecks[0].stability.Margin());
}

TEST(CheckFluid, SaysWhyTheModelDoesNotApply) {
  const auto refusal = [](const Scenario& s) { return Check(s).checks.bottlenecks.at(0).model.refusal; };
  EXPECT_THAT(refusal(Senders(4, "1us", "congestion_control: none")), HasSubstr("congestion_control: none"));
  EXPECT_THAT(refusal(Senders(4, "1us", "generation: hpcc-sim")),
              HasSubstr("the model covers only machine: paper"));
  EXPECT_THAT(refusal(Senders(4, "1us", "dcqcn: {np: {min_cnp_interval: 0us}}")),
              HasSubstr("every marked packet cuts a rate"));
  EXPECT_THAT(refusal(Senders(4, "1us", "dcqcn: {rp: {min_rate: 10Gbps}}")),
              HasSubstr("4 flows at min_rate, 10Gbps, are 40 Gb/s already"));
  EXPECT_THAT(refusal(Senders(4, "1us", "generation: connectx-default")),
              HasSubstr("the model covers only machine: paper"));
  // Four flows of 1.13e6 packets/s have a mark on 0.21 %: a span of 50 us has one with 1 − e^−0.119 = 11.2 %,
  // which makes 4 × 2.24 CNPs a ms, of 10.
  EXPECT_EQ(refusal(Senders(4, "1us", "dcqcn: {np: {nic_interval: 1us}}")), "");
  EXPECT_THAT(refusal(Senders(4, "1us", "dcqcn: {np: {nic_interval: 100us}}")),
              HasSubstr("nic_interval, 100us, is not in the model, and its flows would take 89 %"));
  EXPECT_EQ(refusal(Senders(4, "1us", "generation: gen2-interop, bugs: {congestion_leaking: true}")),
            "congestion_leaking is not part of the model");
  EXPECT_EQ(refusal(Senders(4, "1us", "dcqcn: {roce_cc_prio_mask: 0xf7}")),
            "roce_cc_prio_mask leaves out class storage, but the model covers only DCQCN");
  Scenario mixed = Senders(4, "1us", "generation: dcqcn-paper");
  mixed.nics[0].dcqcn.rp.rate_ai = MegabitsPerSecond(20);
  EXPECT_THAT(refusal(mixed), HasSubstr("different settings of DCQCN meet here"));
  Scenario unmarked = Senders(4, "1us", "generation: dcqcn-paper");
  unmarked.switches[0].ecn[3].reset();
  EXPECT_THAT(refusal(unmarked), HasSubstr("ECN is off for class storage here"));
}

TEST(FluidSettingsOf, CutsAreAsRareAsTheRarerOfTheTwoEnds) {
  NicParameters nic;
  const auto interval = [&](NpParameters::Coalescing coalescing, int64_t cnps, int64_t window) {
    nic.dcqcn.np.coalescing = coalescing;
    nic.dcqcn.np.min_cnp_interval = Microseconds(cnps);
    nic.dcqcn.rp.reduce_window = Microseconds(window);
    return FluidSettingsOf(nic, nic).cut_interval;
  };
  using Coalescing = NpParameters::Coalescing;
  EXPECT_EQ(interval(Coalescing::per_qp, 50, 0), Microseconds(50));
  EXPECT_EQ(interval(Coalescing::per_qp, 50, 1), Microseconds(50));
  // There is a CNP each 50 us, and one in a window of 60 us counts: each second one.
  EXPECT_EQ(interval(Coalescing::per_qp, 50, 60), Microseconds(100));
  EXPECT_EQ(interval(Coalescing::per_packet, 50, 30), Microseconds(30));
}

TEST(CheckFluid, PortsThatAreAlikeStandTogether) {
  // Two queue pairs lead to each of two targets.
  const Scenario s = ScenarioOf(R"(name: two
duration: 1s
topology: {type: star, hosts: 6, link: {rate: 40Gbps, length: 10m}}
switches: [{match: "*", ecn: {storage: {kmin: 5KB, kmax: 200KB, pmax: 1%}}}]
workloads: [{name: w, type: list, messages: [
  {at: 0us, from: h0, to: h4, size: 1GB}, {at: 0us, from: h1, to: h4, size: 1GB},
  {at: 0us, from: h2, to: h5, size: 1GB}, {at: 0us, from: h3, to: h5, size: 1GB}]}]
)");
  const Checked c = Check(s);
  ASSERT_EQ(c.checks.bottlenecks.size(), 1u);
  EXPECT_EQ(c.checks.bottlenecks[0].ports, 2u);
  EXPECT_EQ(c.checks.bottlenecks[0].flows, 2u);
  // 2 GB of payload at 40 Gb/s, with 1106 B for each 1024.
  EXPECT_NEAR(c.checks.bottlenecks[0].lasts, 16e9 / 40e9 * 1106 / 1024, 1e-9);
}

TEST(CheckFluid, AStepOfRedHasNoMargin) {
  const Checked c =
      Check(Senders(4, "1us", "generation: dcqcn-paper", "{kmin: 100KB, kmax: 100KB, pmax: 1%}"));
  const FluidCheck& check = c.checks.bottlenecks[0];
  ASSERT_TRUE(check.Applies());
  EXPECT_FALSE(check.stability.Margin());
  EXPECT_TRUE(check.stability.at.pinned);
  EXPECT_NEAR(check.QueueBytes(), 100e3, 1e-6);
  EXPECT_TRUE(c.findings.empty());
}

}  // namespace
}  // namespace headroom::check_fluid_test
