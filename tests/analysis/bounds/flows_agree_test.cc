// A workload's answers to different questions do not contradict each other, for every type.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "analysis/bounds/flows.h"
#include "analysis/bounds/traffic_shares.h"
#include "support/random_scenario.h"

namespace headroom::flows_agree_test {
namespace {

void ExpectAgreement(const WorkloadParameters& w, const Fabric& fabric) {
  const Scenario& s = fabric.scenario();
  const WorkloadParameters copy = w;
  EXPECT_EQ(copy, w);
  // Messages that are offered one by one are part of the shared load, and come from hosts that send.
  const TrafficShares shares = SharesOf(w, fabric);
  for (const Flow& flow : FlowsOf(w, fabric, 200)) {
    EXPECT_TRUE(MaySend(w, fabric, flow.from, flow.to)) << flow.from << " to " << flow.to;
    EXPECT_GT(shares.out[flow.from], 0);
    EXPECT_GT(shares.in[flow.to], 0);
  }
  // A message has at least one packet, and as many as its bytes need.
  const auto mtu = static_cast<double>(s.mtu);
  EXPECT_GE(w.arrivals->MeanPieces(mtu) * 1.000001, std::max(1.0, w.arrivals->MeanBytes() / mtu));
  // The expected number is at most the worst case, and the open messages are at most all.
  const Forecast count = w.arrivals->Count(w, s);
  EXPECT_LE(count.expected, count.worst * 1.000001);
  if (const auto open = w.arrivals->Open(w, s, count)) {
    EXPECT_LE(open->expected, count.expected * 1.000001);
    EXPECT_LE(open->worst, count.worst * 1.000001);
  }
  if (const auto last = w.arrivals->LastArrival()) {
    EXPECT_LE(w.arrivals->NeededArrival(), *last);
  }
  EXPECT_EQ(w.arrivals->Kinds().empty(), !OffersOperations(w));
}

TEST(Workloads, AnswerWithoutContradiction) {
  std::set<std::string> types;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    const ScenarioFile file = LoadRandomScenario(seed);
    const Fabric fabric(file.scenario);
    for (const WorkloadParameters& w : file.scenario.workloads) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", workload " + w.name + " of type " + w.type);
      ExpectAgreement(w, fabric);
      types.insert(w.type);
    }
  }
  EXPECT_EQ(types.size(), 15u);
}

}  // namespace
}  // namespace headroom::flows_agree_test
