// Receive buffers of NICs, with random cables, rates and frames: a buffer that `check` finds too small drops,
// any other never does.
#include "analysis/check/buffers/check_nic_headroom.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "analysis/scenario_of.h"
#include "run/run.h"
#include "support/in_child.h"

namespace headroom::check_nic_headroom_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Three hosts with these receive buffers. h1 and h2 fill the buffer of h0, which takes in a frame now and
/// then and sends at line rate, so that its pauses wait for its frames.
Scenario Filled(int64_t gigabits, int64_t delay_ns, int64_t mtu, int64_t response_ns, Bytes size,
                Bytes xoff) {
  return ScenarioOf(fmt::format(
      "name: n\nduration: 400us\ndeadline: 500us\nmtu: {}\ntopology: {{type: star, hosts: 3, link: {{rate: "
      "{}Gbps, delay: {}ns}}}}\nswitches: [{{match: \"*\", pfc: {{response: {}ns}}}}]\nnics: [{{match: "
      "\"*\", "
      "congestion_control: none, resources: {{rx_buffer: {{size: {}B, xoff: {}B, xon: {}B}}}}}}]\n"
      "workloads:\n  - {{name: in, type: stream, from: [h1, h2], to: h0, message: 1MB, in_flight: 2}}\n"
      "  - {{name: out, type: stream, from: h0, to: h1, message: 1MB, in_flight: 2}}\n"
      "faults: [{{type: slow_receiver, node: h0, rate: 200Mbps}}]\n",
      mtu, gigabits, delay_ns, response_ns, size.v, xoff.v, xoff.v - mtu));
}

std::vector<NicHeadroomCheck> Check(const Scenario& s, Findings& findings) {
  const Fabric fabric(s);
  return CheckNicHeadroom(fabric, findings);
}

uint64_t LosslessDropsAt(NodeId host, const Scenario& s) {
  const RunRecord r = headroom::Run(s, {});
  uint64_t drops = 0;
  for (const PortRecord& port : r.ports) {
    for (int p = 0; port.node == host && p < kPriorities; ++p) {
      for (const uint64_t reason : port.priority[p].drops) drops += s.classes[p].lossless ? reason : 0;
    }
  }
  return drops;
}

TEST(CheckNicHeadroom, AddsUpWhatComesAfterThePause) {
  // 100 Gb/s and 100 ns: 2 · 100 ns · 12.5 B/ns = 2500 B of cable, 1122 B before the pause, 84 B of pause,
  // and 1 us of response, 12 500 B. Of the less than 16 206 B the buffer takes 1102 of each 1122 B, 15 916 B,
  // and the first and the last frame of 1102 B each.
  Findings findings;
  const auto fits = Check(Filled(100, 100, 1024, 1000, Bytes(118'120), Bytes(100'000)), findings);
  ASSERT_EQ(fits.size(), 1u);
  EXPECT_EQ(fits[0].hosts, 3u);
  EXPECT_EQ(fits[0].need.Total(), Bytes(18'120));
  EXPECT_THAT(findings, IsEmpty());
  Check(Filled(100, 100, 1024, 1000, Bytes(118'119), Bytes(100'000)), findings);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Finding::Severity::warning);
  const std::string buffer = "nics.*.resources.rx_buffer.";
  EXPECT_EQ(findings[0].remedies, (std::vector{Remedy{buffer + "xoff=99999B", buffer + "xon=49999B"},
                                               Remedy{buffer + "size=118120B"}}));
  // Without a frame before the pause 15 084 B pass: the first frame and one after each of 13 arrive in any
  // case.
  Check(Filled(100, 100, 1024, 1000, Bytes(100'000 + 14 * 1'102), Bytes(100'000)), findings);
  EXPECT_EQ(findings.back().severity, Finding::Severity::warning);
  Check(Filled(100, 100, 1024, 1000, Bytes(100'000 + 14 * 1'102 - 1), Bytes(100'000)), findings);
  EXPECT_EQ(findings.back().severity, Finding::Severity::error);
}

TEST(CheckNicHeadroom, NeedsABufferALosslessClassAndASwitchThatHeedsPauses) {
  const std::string buffer =
      "nics: [{match: h0, resources: {rx_buffer: {size: 1KB, xoff: 1KB, xon: 0B}}}]\n"
      "workloads: [{name: w, type: incast, size: 1MB, to: h0}]\n";
  Findings findings;
  EXPECT_EQ(Check(StarOf(3, buffer), findings).size(), 1u);
  EXPECT_EQ(findings.size(), 1u);
  EXPECT_THAT(Check(StarOf(3, buffer + "switches: [{match: \"*\", pfc: {enabled: false}}]\n"), findings),
              IsEmpty());
  EXPECT_THAT(
      Check(StarOf(3, buffer + "priorities: {web: {priority: 1, dscp: 1}, cnp: {priority: 6, dscp: 48, "
                               "strict: true}}\n"),
            findings),
      IsEmpty());
}

TEST(CheckNicHeadroom, ErrorsDropAndWhatHasNoFindingDoesNot) {
  std::mt19937 random(35);
  const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint32_t>(n)); };
  const auto one_of = [&](std::initializer_list<int64_t> of) {
    return *(of.begin() + below(static_cast<int64_t>(of.size())));
  };
  for (int i = 0; i < 16; ++i) {
    const int64_t gigabits = one_of({25, 40, 100, 400}), mtu = one_of({1024, 4096});
    const int64_t delay = 5 + below(2000), response = one_of({0, 300, 2000});
    const Bytes xoff(30'000 + below(60'000));
    Findings findings;
    const LinkHeadroom need =
        Check(Filled(gigabits, delay, mtu, response, xoff * 2, xoff), findings).at(0).need;
    const bool error = i % 2 == 0;
    const Bytes room = error ? need.for_sure - Bytes(1 + below(i % 4 == 0 ? 1 : need.for_sure.v - 1))
                             : need.Total() + Bytes(below(2) * below(5'000));
    const Scenario s = Filled(gigabits, delay, mtu, response, xoff + room, xoff);
    findings.clear();
    Check(s, findings);
    SCOPED_TRACE(fmt::format("{} Gb/s, {} ns, {} B, response {} ns, {} of {} to {}", gigabits, delay, mtu,
                             response, room.v, need.for_sure.v, need.Total().v));
    ASSERT_EQ(findings.size(), error ? 1u : 0u);
    for (const Finding& finding : findings) EXPECT_EQ(finding.severity, Finding::Severity::error);
    InChild([&] { EXPECT_EQ(LosslessDropsAt(0, s) > 0, error); });
  }
}

}  // namespace
}  // namespace headroom::check_nic_headroom_test
