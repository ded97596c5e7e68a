// The example ring_all_reduce: a host sends its next chunk when its predecessor's is delivered.
#include <gtest/gtest.h>

#include <map>

#include "run/run.h"
#include "scenario/read/load.h"
#include "support/in_child.h"

namespace headroom::ring_test {
namespace {

/// The run's messages by workload, sender and step.
std::map<std::tuple<uint32_t, NodeId, uint32_t>, MessageRecord> Steps(const Scenario& scenario) {
  const RunRecord record = headroom::Run(scenario, {});
  EXPECT_EQ(record.status, RunStatus::complete);
  std::map<std::tuple<uint32_t, NodeId, uint32_t>, MessageRecord> steps;
  for (const MessageRecord& m : record.messages) steps[{m.workload, m.src, m.number}] = m;
  return steps;
}

TEST(Ring, EachStepBeginsWhenThePredecessorsIsDelivered) {
  InChild([] {
    const auto steps =
        Steps(LoadScenarioFile(std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests/equality/ring.yaml", {})
                  .scenario);
    EXPECT_EQ(steps.size(), 2u * 6 * 10);  // two rings of six hosts: ten steps
    for (const auto& [key, m] : steps) {
      const auto& [workload, src, step] = key;
      EXPECT_TRUE(m.Finished());
      const auto next = steps.find({workload, m.dst, step + 1});
      if (step + 1 < 10) {
        ASSERT_NE(next, steps.end());
        EXPECT_EQ(next->second.start, m.delivered);
      }
    }
  });
}

TEST(Ring, OnAnIdleStarTakesTheTimeOfItsChain) {
  InChild([] {
    const auto steps = Steps(LoadScenarioText(R"(
topology: {type: star, hosts: 5, link: {rate: 100Gbps, delay: 1us}}
nics: [{match: "*", oscillator: exact}]
switches: [{match: "*", oscillator: exact}]
workloads: [{name: sum, type: ring_all_reduce, size: 5MB, at: 3us}]
duration: 5ms
)",
                                              "ring.yaml", "."));
    // A chunk of 1 MB in 977 packets is on the line for 86.4 us. The cables take 2 us, and the switch 0.6 us
    // with the last packet: 89 us. Meanwhile the host sends an ACK of 6.9 ns for each packet that it
    // receives.
    const Time alone = Microseconds(89), acks = Nanoseconds(7) * 977;
    for (const auto& [key, m] : steps) {
      const int64_t count = std::get<2>(key) + 1;
      EXPECT_GE(m.delivered, Microseconds(3) + alone * count);
      EXPECT_LE(m.delivered, Microseconds(3) + (alone + acks) * count);
    }
    EXPECT_EQ(steps.size(), 5u * 8);
  });
}

}  // namespace
}  // namespace headroom::ring_test
