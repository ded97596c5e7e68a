#include "analysis/check/services/check_failover.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/scenario_of.h"
#include "protocol/storage/storage_parameters.h"

namespace headroom::check_failover_test {
namespace {

using ::testing::HasSubstr;

struct Checked {
  FailoverCheck failover;
  Findings findings;
  std::string Said() const {
    std::string all;
    for (const Finding& f : findings) all += f.where + ": " + f.what + '\n';
    return all;
  }
};

Checked Check(const std::string& failover, const std::string& workloads, const std::string& legs = "") {
  const Scenario s = ScenarioOf(
      "duration: 10ms\ntopology: {type: star, hosts: [c0, c1, e0, e1, e2, e3, e4], link: {rate: 100Gbps, "
      "delay: "
      "1us}}\nhosts: [{match: \"*\", cores: 2, clock: 1GHz, tcp: {cycles_per_message: 1000, "
      "cycles_per_byte_sent: 1, cycles_per_byte_received: 2}, operation: {cycles_per_request: 500}}]\n"
      "services: [{name: s, type: storage, compute: \"c*\", extent_nodes: \"e*\", front: {protocol: "
      "sk_rdma}, " +
      legs + "failover: {to: {protocol: tcp}, " + failover + "}}]\nworkloads: [" + workloads + "]\n");
  Checked out;
  out.failover = CheckFailover(s, s.services.at(0).As<StorageParameters>(), out.findings);
  return out;
}

std::string Io(const std::string& name, const std::string& more) {
  return "{name: " + name + ", type: io, service: s, blocks: [{size: 1000B}], " + more + "}";
}

TEST(CheckFailover, MovesGoSomeAtATimeAtTheEndsOfPeriods) {
  // There are ten connections, and three move every 1 ms.
  const Checked said = Check(
      "every: 1ms, fraction: 30%, detect: 2500us, back: 1500us, schedule: "
      "[{at: 0us, share: 10%}, {at: 1500us, share: 100%}, {at: 5ms, share: 50%}]",
      Io("w", "rate: 1000"));
  const FailoverCheck& f = said.failover;
  EXPECT_EQ(f.connections, 10u);
  EXPECT_EQ(f.at_a_time, 3u);
  ASSERT_EQ(f.moves.size(), 3u);
  EXPECT_EQ(f.moves[0].told, Milliseconds(1));  // the first period ends then
  EXPECT_EQ(f.moves[1].connections, 9u);
  EXPECT_EQ(f.moves[1].first, Microseconds(500));
  EXPECT_EQ(f.moves[1].told, Microseconds(2500));
  EXPECT_FALSE(f.moves[1].cut_off);
  EXPECT_EQ(f.moves[2].connections, 5u);
  EXPECT_EQ(f.moves[2].told, Milliseconds(1));  // the failure begins where a period ends
  EXPECT_EQ(f.least_detect, Microseconds(2500));
  EXPECT_EQ(f.most_detect, Microseconds(3500));
  EXPECT_EQ(f.all_told, Milliseconds(3));
  EXPECT_EQ(f.least_back, Milliseconds(2));
  EXPECT_EQ(said.Said(), "");
}

TEST(CheckFailover, SaysThatAStepIsNotOver) {
  EXPECT_THAT(Check("every: 1ms, fraction: 30%, schedule: [{at: 1ms, share: 100%}, {at: 3ms, share: 0}]",
                    Io("w", "rate: 1000"))
                  .Said(),
              HasSubstr("the last of 10 connections of the schedule's step at 1ms get their order to move "
                        "when the next step begins, after 3ms"));
  EXPECT_THAT(
      Check("every: 1ms, fraction: 30%, schedule: [{at: 8ms, share: 100%}]", Io("w", "rate: 1000")).Said(),
      HasSubstr("when the load is over"));
}

TEST(CheckFailover, NeverIsNoTime) {
  const FailoverCheck said = Check("every: 1ms, detect: never", Io("w", "rate: 1000")).failover;
  EXPECT_EQ(said.least_detect, kNever);
  EXPECT_EQ(said.most_detect, kNever);
}

}  // namespace
}  // namespace headroom::check_failover_test
