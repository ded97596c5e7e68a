#include "analysis/check/check_watchdog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/scenario_of.h"

namespace headroom::check_watchdog_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Checked {
  std::vector<WatchdogCheck> checks;
  Findings findings;
};

/// Two switches with 3 hosts each, and a watchdog on all ports of s0.
Checked Check(Time detection, const std::string& ports = "*") {
  Scenario s = ScenarioOf(
      "name: d\nduration: 1ms\ntopology: {type: dumbbell, left: 3, right: 3, link: {rate: 10Gbps, length: "
      "5m}, bottleneck: {rate: 100Gbps, length: 5m}}\nworkloads: [{name: w, type: permutation, size: "
      "1KB}]\n");
  WatchdogParameters w;
  w.ports = ports;
  w.detection = detection;
  s.switches[0].pfc.watchdogs = {w};
  const Fabric fabric(s);
  Checked out;
  out.checks = CheckWatchdogs(fabric, ClassifySwitches(fabric), out.findings);
  return out;
}

TEST(CheckWatchdogs, DetectionWithinACongestionPauseIsAWarning) {
  // At s1 three groups send to a host at 10 Gb/s: those of two hosts and of s0. S = 18 MB − 4 · 1248 = 17 995
  // 008; each group takes a ninth of the rest: 3 · 1248 + S · (1 − (8/9)³) = 5 360 283 B. Headroom, in cells
  // of 208 B: at 10 Gb/s 62.5 B of cable (63), 1122 and 84 are 1269 B of wire, 1268 · 208 / 84 = 3139 B, and
  // 2 · 1248: 5635 B; at 100 Gb/s it is 7027 B. 5 360 283 + 2 · 5635 + 7027 = 5 378 580 B, 4.303 ms.
  const Checked c = Check(Milliseconds(3));
  ASSERT_EQ(c.checks.size(), 1u);
  EXPECT_EQ(c.checks[0].held, Bytes(5'378'580));
  EXPECT_EQ(c.checks[0].rate, GigabitsPerSecond(10));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].severity, Finding::Severity::warning);
  EXPECT_EQ(c.findings[0].where, "switch#1 → switch#2, watchdog (as s0:p3)");
  EXPECT_THAT(c.findings[0].what,
              HasSubstr("the watchdog detects a storm after 3ms, but congestion alone can pause this "
                        "port for 4.30"));
}

TEST(CheckWatchdogs, LaterDetectionIsNoFinding) {
  const Checked c = Check(Milliseconds(5));
  EXPECT_EQ(c.checks.size(), 1u);
  EXPECT_THAT(c.findings, IsEmpty());
}

TEST(CheckWatchdogs, PortsTowardsHostsArePausedByNobody) {
  EXPECT_THAT(Check(Milliseconds(1), "p[0-2]").checks, IsEmpty());
}

}  // namespace
}  // namespace headroom::check_watchdog_test
