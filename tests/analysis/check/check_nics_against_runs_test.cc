// NICs with resources reach the throughput that `check` states: a lone bulk transfer is as fast as the
// slowest station.
#include <gtest/gtest.h>

#include "analysis/check/check_nics.h"
#include "run/run.h"
#include "support/in_child.h"
#include "support/scenarios.h"
#include "workload/types/list.h"

namespace headroom::check_nics_against_runs_test {
namespace {

/// 4 MB from h0 to h1; `host` has these resources, the other host is ideal.
Scenario Transfer(NodeId host, const ResourceSet& set, Operation verb) {
  Scenario s = StarScenario(2, {GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0});
  s.nics[host].resources = set.resources;
  s.nics[host].rx_buffer = set.rx_buffer;
  for (NicParameters& nic : s.nics) nic.congestion_control = NicParameters::CongestionControl::none;
  ListArrivals list;
  list.messages = {{Time{}, 0, 1, Bytes(4'096'000), {}}};
  s.workloads = {WorkloadOf("w", list)};
  s.workloads[0].verb = verb;
  s.deadline = Milliseconds(50);
  return s;
}

/// The transfer takes as long as its 4000 packets at the slowest station, except for its beginning and end.
void ExpectAsFastAsSaid(NodeId host, const ResourceSet& set, Operation verb, NicPath::Does does,
                        NicPath::Limit limit) {
  InChild([&] {
    const Scenario s = Transfer(host, set, verb);
    Findings findings;
    const Fabric fabric(s);
    const std::vector<NicCheck> checks = CheckNics(fabric, findings);
    ASSERT_EQ(checks.size(), 1u);
    for (const NicPath& path : checks[0].paths) {
      if (path.does != does) continue;
      EXPECT_EQ(path.LimitedBy(), limit);
      const RunRecord r = headroom::Run(s, {});
      ASSERT_EQ(r.status, RunStatus::complete);
      const double expected = InMicroseconds(path.Slowest()) * 4000;
      EXPECT_NEAR(InMicroseconds(r.messages.at(0).completed), expected, 0.01 * expected);
    }
  });
}

ResourceSet ConnectX3() { return *FindResourceSet("connectx3-pcie3-x8"); }

/// A ConnectX-3 whose PCIe has no limit.
ResourceSet OnFastPcie() {
  ResourceSet set = ConnectX3();
  set.resources.pcie.bandwidth = GigabitsPerSecond(1000);
  return set;
}

TEST(NicBounds, SendingIsAsFastAsPcieReads) {
  ExpectAsFastAsSaid(0, ConnectX3(), Operation::write, NicPath::Does::sends, NicPath::Limit::pcie);
}

TEST(NicBounds, SendingIsAsFastAsThePipeline) {
  ResourceSet set = OnFastPcie();
  set.resources.tx_fetched = Nanoseconds(155);
  ExpectAsFastAsSaid(0, set, Operation::send, NicPath::Does::sends, NicPath::Limit::pipeline);
}

TEST(NicBounds, ReceivingIsAsFastAsPcieWrites) {
  ExpectAsFastAsSaid(1, ConnectX3(), Operation::write, NicPath::Does::receives, NicPath::Limit::pcie);
}

TEST(NicBounds, ReceivingIsAsFastAsThePipelineOrTheEngine) {
  ResourceSet set = OnFastPcie();
  set.resources.rx_write = Nanoseconds(170);
  ExpectAsFastAsSaid(1, set, Operation::write, NicPath::Does::receives, NicPath::Limit::pipeline);
  set = OnFastPcie();
  set.resources.engine_message = Nanoseconds(180);
  ExpectAsFastAsSaid(1, set, Operation::write, NicPath::Does::receives, NicPath::Limit::engine);
}

TEST(NicBounds, ReadsAreAnsweredAsFastAsThePipeline) {
  ResourceSet set = OnFastPcie();
  set.resources.read_segment = Nanoseconds(40);
  ExpectAsFastAsSaid(0, set, Operation::read_request, NicPath::Does::answers_reads, NicPath::Limit::pipeline);
}

TEST(NicBounds, AnIdealTransferIsAsFastAsTheLine) {
  ExpectAsFastAsSaid(0, OnFastPcie(), Operation::write, NicPath::Does::sends, NicPath::Limit::line);
}

}  // namespace
}  // namespace headroom::check_nics_against_runs_test
