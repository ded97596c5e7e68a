// The published traces of DCQCN, in a complete run: marks on chosen packets, and the observed rates.
#include <gtest/gtest.h>

#include <map>

#include "run/run.h"
#include "support/in_child.h"
#include "support/scenarios.h"
#include "workload/types/list.h"

namespace headroom::trace_test {
namespace {

/// Rates of the only queue pair in Gb/s, with one sample each microsecond, if these packets of a 40 Gb/s
/// stream are marked.
std::map<int64_t, double> Rates(std::vector<uint64_t> packets) {
  Scenario s = StarScenario(2, {GigabitsPerSecond(40), Nanoseconds(10), Time{}, 0.0});
  s.faults = {MarkFault{0, 2, std::move(packets), 0}};
  ListArrivals a;
  a.messages = {{Time{}, 0, 1, Kilobytes(3'000), {}}};
  s.workloads = {WorkloadOf("stream", a)};
  s.observe.rates = Observation{Microseconds(1), {"h0"}};
  const RunRecord r = headroom::Run(s, {});
  EXPECT_EQ(r.status, RunStatus::complete);
  std::map<int64_t, double> rates;
  for (const RateSample& sample : r.rates) {
    EXPECT_EQ(sample.host, 0u);
    rates[sample.time / Microseconds(1)] = static_cast<double>(sample.rate.v) / 1e9;
  }
  return rates;
}

TEST(Trace, OneMark) {
  // The CNP arrives after about 2 us.
  InChild([] {
    auto rates = Rates({0});
    EXPECT_EQ(rates.at(0), 40);
    EXPECT_EQ(rates.at(10), 20);
    EXPECT_EQ(rates.at(55), 20);
    EXPECT_EQ(rates.at(60), 30);
    EXPECT_EQ(rates.at(115), 35);
    EXPECT_EQ(rates.at(170), 37.5);
    EXPECT_EQ(rates.at(225), 38.75);
    EXPECT_EQ(rates.at(280), 39.375);
  });
}

TEST(Trace, TwoMarksFiftyMicrosecondsApart) {
  // At 40 Gb/s a packet takes 221.2 ns, and twice that from the first cut on, at about 2 us. Marks on packets
  // 0 and 120 cause CNPs at about 2 and 54 us, before the first increase at 57 us.
  InChild([] {
    auto rates = Rates({0, 120});
    EXPECT_EQ(rates.at(10), 20);
    EXPECT_EQ(rates.at(56), 10);
    const int64_t cut = 54;
    EXPECT_EQ(rates.at(cut + 57), 15);
    EXPECT_EQ(rates.at(cut + 57 + 55), 17.5);
    EXPECT_EQ(rates.at(cut + 57 + 2 * 55), 18.75);
    EXPECT_EQ(rates.at(cut + 57 + 3 * 55), 19.375);
    EXPECT_EQ(rates.at(cut + 57 + 4 * 55), 19.6875);
    EXPECT_EQ(rates.at(cut + 57 + 5 * 55), 19.86375);
  });
}

TEST(Trace, WhatWasSentStandsBesideWhatIsAllowed) {
  // 300 packets of 1024 B have 82 B more each on the wire (headers, FCS, preamble and gap), and the first 16
  // B for its RETH: 331,816 B, 66.4 us at 40 Gb/s. Then nothing is sent until a byte at 200 us, at whatever
  // rate is allowed.
  InChild([] {
    Scenario s = StarScenario(2, {GigabitsPerSecond(40), Nanoseconds(10), Time{}, 0.0});
    ListArrivals a;
    a.messages = {{Time{}, 0, 1, Bytes(307'200), {}}, {Microseconds(200), 0, 1, Bytes(1), {}}};
    s.workloads = {WorkloadOf("stream", a)};
    s.observe.rates = Observation{Microseconds(10), {"h0"}};
    std::map<int64_t, int64_t> sent;
    for (const RateSample& sample : headroom::Run(s, {}).rates) {
      EXPECT_EQ(sample.rate, GigabitsPerSecond(40));
      sent[sample.time / Microseconds(1)] = sample.sent.v;
    }
    EXPECT_EQ(sent.at(0), 1122) << "the first packet has begun";
    EXPECT_NEAR(static_cast<double>(sent.at(20)), 50'000, 1106) << "10 us at 40 Gb/s, but for a packet";
    int64_t all = 0;
    for (const auto& [at, bytes] : sent) all += at < 200 ? bytes : 0;
    EXPECT_EQ(all, 331'816);
    EXPECT_EQ(sent.at(100), 0);
  });
}

}  // namespace
}  // namespace headroom::trace_test
