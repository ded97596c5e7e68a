#include "analysis/check/services/check_timeouts.h"

#include <gtest/gtest.h>

#include "analysis/scenario_of.h"

namespace headroom::check_timeouts_test {
namespace {

/// Two ranks; `faults`: the section of that name, or empty.
Findings Check(const std::string& timeout, const std::string& faults, const std::string& deadline = "20ms") {
  Findings findings;
  const Scenario s = ScenarioOf("name: star\nduration: 1ms\ndeadline: " + deadline +
                                "\ntopology: {type: star, hosts: 2, link: {rate: 100Gbps, length: 3m}}\n"
                                "services: [{name: ring, type: nccl, ranks: [h0, h1]" +
                                timeout +
                                "}]\n"
                                "workloads: [{name: w, type: send_receive, service: ring, size: 1MB}]\n" +
                                faults);
  CheckTimeouts(s, findings);
  return findings;
}

constexpr const char* kDown = "faults: [{type: link_down, link: [h0, s0], start: 4ms, stop: 5ms}]\n";

TEST(CheckTimeouts, NamesATimeoutThatOutlastsTheRun) {
  const Findings findings = Check("", kDown);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].where, "service ring");
  EXPECT_EQ(findings[0].what,
            "frames may be lost from 4ms on, and its queue pairs send a lost packet again after 4.29 s "
            "(timeout 20), but the run ends at 20ms");
  // 4.096 us × 2^9 is 2.1 ms, 2^10 would be more than a quarter of 16 ms.
  ASSERT_EQ(findings[0].remedies.size(), 1u);
  EXPECT_EQ(findings[0].remedies[0], Remedy{"services.ring.timeout=9"});
  EXPECT_TRUE(Check(", timeout: 9", kDown).empty());
  EXPECT_EQ(Check(", timeout: 0", kDown).size(), 1u);  // none
}

TEST(CheckTimeouts, SaysNothingIfNothingIsLostOrTheRunIsLong) {
  EXPECT_TRUE(Check("", "").empty());
  EXPECT_TRUE(Check("", kDown, "10s").empty());
  EXPECT_TRUE(Check("", "faults: [{type: link_down, link: [h0, s0], start: 30ms, stop: 31ms}]\n").empty());
}

}  // namespace
}  // namespace headroom::check_timeouts_test
