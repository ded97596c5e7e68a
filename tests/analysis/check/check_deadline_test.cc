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

Findings WarmupFindingsOf(const std::string& warmup, const std::string& workload) {
  const Scenario s = StarOf(4, "warmup: " + warmup + "\nworkloads: [" + workload + "]\n");
  Findings findings;
  JudgeWarmup(Fabric(s), findings);
  return findings;
}

TEST(CheckWarmup, ShorterThanALoneMessageIsAFinding) {
  // 1 MB at 100 Gb/s × 1024 / 1106 takes 86.4 µs.
  for (const char* workload :
       {"{name: w, type: poisson, sizes: 1MB, load: 50%}",
        "{name: w, type: stream, from: h0, to: h1, message: 1MB, start: 4us, in_flight: 2}",
        "{name: w, type: list, messages: [{from: h0, to: h1, size: 1MB}, {at: 60us, from: h0, to: h1, size: "
        "1B}]}"}) {
    EXPECT_EQ(WarmupFindingsOf("80us", workload).size(), 1u) << workload;
    EXPECT_TRUE(WarmupFindingsOf("100us", workload).empty()) << workload;
    EXPECT_TRUE(WarmupFindingsOf("0us", workload).empty()) << workload;
  }
  const Findings findings = WarmupFindingsOf("80us", "{name: w, type: poisson, sizes: 1MB, load: 50%}");
  EXPECT_THAT(findings[0].what, HasSubstr("is over before a lone message of 1MB"));
  EXPECT_EQ(WarmupFindingsOf("1us", "{name: w, type: poisson, sizes: AliStorage2019, load: 5%}").size(), 1u);
}

TEST(CheckWarmup, AWorkloadThatStartsAfterItIsNoFinding) {
  EXPECT_TRUE(
      WarmupFindingsOf("80us",
                       "{name: w, type: stream, from: h0, to: h1, message: 1MB, start: 80us, in_flight: 2}")
          .empty());
}

}  // namespace
}  // namespace headroom::check_deadline_test
