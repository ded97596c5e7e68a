#include "analysis/check/check_deadline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/scenario_of.h"

namespace headroom::check_deadline_test {
namespace {

using ::testing::HasSubstr;

Findings FindingsOf(const std::string& workload) {
  const Scenario s = StarOf(4, "deadline: 10ms\nworkloads: [" + workload + "]\n");
  Findings findings;
  const Fabric fabric(s);
  JudgeDeadline(fabric, CheckFlows(fabric, findings), findings);
  return findings;
}

TEST(CheckDeadline, AMessageThatCannotEndEvenAloneIsSaidOnce) {
  // 10 TB at 100 Gb/s × 1024 / 1106 of payload take 864.06 s. 110 MB take 9.505 ms.
  for (const char* workload :
       {"{name: w, type: poisson, sizes: 10TB, load: 50%}",
        "{name: w, type: stream, from: h0, to: h1, message: 10TB, in_flight: 2}",
        "{name: w, type: stream, from: h0, to: h1, message: 110MB, start: 500us, in_flight: 1}",
        "{name: w, type: list, messages: [{from: h0, to: h1, size: 10TB}]}",
        "{name: w, type: list, messages: [{from: h0, to: h1, size: 1kB}, {at: 900us, from: h1, to: h2, size: "
        "110MB}]}",
        "{name: w, type: permutation, size: 10TB}"}) {
    const Findings findings = FindingsOf(workload);
    EXPECT_EQ(findings.size(), 1u) << workload;
  }
  const Findings findings = FindingsOf("{name: w, type: poisson, sizes: 10TB, load: 50%}");
  EXPECT_EQ(findings[0].where, "workload w");
  EXPECT_THAT(findings[0].what,
              HasSubstr("a message of 10TB takes 864,063 ms at 100Gbps and cannot end before "
                        "the deadline, 10 ms"));
}

TEST(CheckDeadline, OneThatCanIsNoFinding) {
  for (const char* workload :
       {"{name: w, type: poisson, sizes: 1MB, load: 50%}",
        "{name: w, type: stream, from: h0, to: h1, message: 100MB, in_flight: 1}",
        "{name: w, type: list, messages: [{at: 900us, from: h0, to: h1, size: 100MB}]}",
        "{name: w, type: permutation, size: 100MB}"}) {
    EXPECT_TRUE(FindingsOf(workload).empty()) << workload;
  }
}

}  // namespace
}  // namespace headroom::check_deadline_test
