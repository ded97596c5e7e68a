// Buffer policies in complete runs: what a sender's first window is, and its effect.
#include <gtest/gtest.h>

#include "run/record_text.h"
#include "run/storms.h"
#include "scenario/read/load.h"

namespace headroom::buffer_policies_test {
namespace {

/// Eight hosts send one message each to one host at once, in a lossy class whose queues share 63 kB.
Scenario Incast(const std::string& policy, const std::string& size) {
  const std::string text = R"(
duration: 100us
deadline: 20ms
topology: {type: star, hosts: 9, link: {rate: 25Gbps, length: 5m}}
priorities: {bulk: {priority: 1, lossless: false}, cnp: {priority: 6, dscp: 48, lossless: false}}
switches: [{match: "*", buffer: {profile: azure-24mb, size: 160KB, policy: )" +
                           policy + R"(}}]
nics: [{match: "*", congestion_control: none, transport: {rto: 500us}}]
workloads: [{name: burst, type: incast, size: )" +
                           size +
                           R"(, fan_in: 8, to: h0, at: 1us, priority: bulk}]
)";
  return LoadScenarioFileText(text, "policy.yaml", {}).scenario;
}

uint64_t Drops(const std::string& policy, const std::string& size) {
  uint64_t drops = 0;
  const RunRecord r = Checked(Incast(policy, size));
  drops = AllDrops(r);
  for (const MessageRecord& m : r.messages) EXPECT_TRUE(m.Finished());
  return drops;
}

TEST(BufferPolicies, AbmGivesTheFirstWindowOfEachMessageAnAlphaOfItsOwn) {
  // The windows are 8 × 4 kB. With alpha 1/2 the queue may take a third of the pool, 21 kB; with 64 nearly
  // all of it.
  InChild([] { EXPECT_GT(Drops("{type: abm, unscheduled_alpha: 0.5}", "4000B"), 0u); });
  InChild([] { EXPECT_EQ(Drops("abm", "4000B"), 0u); });
  InChild([] { EXPECT_GT(Drops("dynamic", "4000B"), 0u); });
  // Packets after the first window have the alpha of their class.
  InChild([] { EXPECT_GT(Drops("abm", "32000B"), 0u); });
}

TEST(BufferPolicies, ReverieLetsABurstPassThatDynamicLimitsDrop) {
  InChild([] { EXPECT_EQ(Drops("reverie", "4000B"), 0u); });
}

}  // namespace
}  // namespace headroom::buffer_policies_test
