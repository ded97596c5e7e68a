#include "analysis/check/services/check_failover.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/check/services/check_services.h"
#include "analysis/scenario_of.h"

namespace headroom::check_failover_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

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
  const Fabric fabric(s);
  Checked out;
  out.failover = CheckServices(fabric, ClassifySwitches(fabric), out.findings).failovers.at(0);
  return out;
}

std::string Io(const std::string& name, const std::string& more) {
  return "{name: " + name + ", type: io, service: s, blocks: [{size: 1000B}], " + more + "}";
}

TEST(CheckFailover, LoadsAreSumsOfWhatIosCost) {
  // A read: 500 for the request, 1000 + 56 sent, 1000 + 2 × 1056 received: 4668 cycles of two cores of 1 GHz.
  // A server: 500, 1000 + 2 × 56 received, 1000 + 1056 sent: 3668 of ten cores, for two disks.
  const FailoverCheck said = Check("every: 1ms", Io("w", "rate: 100000")).failover;
  EXPECT_EQ(said.asked, 200'000);
  EXPECT_NEAR(ShareOf(said.by_standby, IoLoad::Of::cores), 4668e-9 * 1e5 / 2, 1e-9);
  EXPECT_NEAR(ShareOf(said.by_standby, IoLoad::Of::server_cores), 3668e-9 * 2e5 / 10, 1e-9);
  EXPECT_EQ(FirstOf(said.by_standby).of, IoLoad::Of::cores);
  EXPECT_NEAR(said.Most(said.by_standby), 2 * 2e9 / 4668, 1);
  // Over RDMA only requests have costs: 500 cycles at each end.
  EXPECT_NEAR(ShareOf(said.by_main, IoLoad::Of::cores), 500e-9 * 1e5 / 2, 1e-9);
  // 1056 B of answers take 78 B for each 1460: 8 × 1112.4 bits.
  EXPECT_NEAR(ShareOf(said.by_standby, IoLoad::Of::line), 8 * 1056 * (1 + 78 / 1460.0) * 1e5 / 1e11, 1e-9);
}

TEST(CheckFailover, WorkloadsCountTogetherWhereTheyAreAtWorkTogether) {
  const std::string before = Io("before", "rate: 10000, stop: 5ms"),
                    after = Io("after", "rate: 20000, start: 5ms"), both = Io("both", "rate: 1000"),
                    loop = Io("loop", "depth: 4");
  const Checked said = Check("every: 1ms", before + ", " + after + ", " + both);
  EXPECT_EQ(said.failover.asked, 42'000);
  EXPECT_FALSE(said.failover.others);
  EXPECT_TRUE(Check("every: 1ms", before + ", " + loop).failover.others);
  const Checked loops = Check("every: 1ms", loop);
  EXPECT_TRUE(loops.failover.by_standby.empty());
  EXPECT_THAT(loops.Said(), HasSubstr("with all connections over tcp a disk reaches at most"));
}

TEST(CheckFailover, WithABackLegAPartitionServersOwnReplicaCostsNoCall) {
  // A write of 1000 B from c0 makes a call to its front end, one from there to its partition server, and two
  // from there to extent nodes. For each call the server pays 500 + 1000 + 2 × 1056 + 1000 + 56, the client
  // 1000 + 1056
  // + 1000 + 2 × 56.
  const FailoverCheck said = Check("every: 1ms", Io("w", "rate: 1000, reads: 0"),
                                   "back: {protocol: su_rdma}, placement: {across: host}, ")
                                 .failover;
  EXPECT_NEAR(ShareOf(said.by_standby, IoLoad::Of::server_cores), (4 * 4668 + 3 * 3168) * 1e-9 * 2e3 / 10,
              1e-9);
  // c0 calls e0, with e2 as its disk's partition server; c1 calls e1 and e3. Each of these nodes calls the
  // four others.
  EXPECT_EQ(said.connections, 2u + 2u + 2u * 4u);
}

TEST(CheckFailover, SaysWhatRunsOutFirst) {
  const Checked said = Check("every: 1ms", Io("w", "rate: 500000"));
  EXPECT_THAT(said.Said(), HasSubstr("workloads request 1,000,000 I/Os per second, which need 116.7 % of the "
                                     "cores of c0 if all connections use tcp; at most 856,898 complete"));
  EXPECT_THAT(Check("every: 1ms", Io("w", "rate: 400000")).Said(), Not(HasSubstr("workloads request")));
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
