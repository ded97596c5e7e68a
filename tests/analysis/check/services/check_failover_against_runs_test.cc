// Connections get the order to move at the times that `check` states.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/check/services/check_failover.h"
#include "analysis/scenario_of.h"
#include "protocol/storage/storage_parameters.h"
#include "protocol/storage_record.h"
#include "run/run.h"
#include "support/in_child.h"

namespace headroom::check_failover_against_runs_test {
namespace {

const std::string kCosts =
    "rdma: {cycles_per_message: 1500, cycles_per_byte: 0.32}, "
    "tcp: {cycles_per_message: 5450, cycles_per_byte_sent: 0.22, cycles_per_byte_received: 0.57, "
    "cycles_per_byte_crc: 0.32}, operation: {cycles_per_request: 2000}}";
const std::string kCores = "hosts: [{match: \"*\", cores: 2, clock: 2.5GHz, " + kCosts + "]\n";

/// Two disks on three extent nodes, with 100 Gb/s and 1 us on each link.
Scenario Disks(const std::string& failover, const std::string& io, const std::string& more = kCores,
               const std::string& legs = "front: {protocol: sk_rdma}", const std::string& disk = "{}",
               const std::string& to = "protocol: tcp, connections: 4") {
  return ScenarioOf(
      "duration: 10ms\ndeadline: 1s\nip_mtu: 9000\n"
      "topology: {type: star, hosts: [c0, c1, e0, e1, e2], link: {rate: 100Gbps, delay: 1us}}\n"
      "services: [{name: s, type: storage, compute: \"c*\", extent_nodes: \"e*\", " +
      legs + ", disk: " + disk + ", failover: {to: {" + to + "}, every: 100us, " + failover +
      "}}]\nworkloads: [{name: w, type: io, service: s, " + io + "}]\n" + more);
}

FailoverCheck Check(const Scenario& s) {
  Findings findings;
  return CheckFailover(s, s.services.at(0).As<StorageParameters>(), findings);
}

std::vector<Time> TimesOf(const RunRecord& r, const std::string& kind) {
  std::vector<Time> times;
  for (const EventRecord& e : r.events_log)
    if (e.kind == kind) times.push_back(e.time);
  return times;
}

TEST(FailoverBounds, ConnectionsAreToldToMoveWhenTheScheduleSays) {
  InChild([] {
    // There are six connections, and two move in 100 us.
    const Scenario s = Disks("fraction: 34%, schedule: [{at: 1050us, share: 100%}, {at: 3ms, share: 50%}]",
                             "blocks: [{size: 8KiB}], depth: 4");
    const FailoverCheck said = Check(s);
    ASSERT_EQ(said.moves.size(), 2u);
    const RunRecord r = headroom::Run(s, {});
    EXPECT_EQ(r.Service<StorageRecord>(0).connections, said.connections);
    const std::vector<Time> away = TimesOf(r, "failover"), back = TimesOf(r, "failback");
    ASSERT_FALSE(away.empty() || back.empty());
    EXPECT_EQ(away.front(), said.moves[0].at + said.moves[0].first);
    EXPECT_EQ(away.back(), said.moves[0].at + said.moves[0].told);
    EXPECT_EQ(back.front(), said.moves[1].at + said.moves[1].first);
    EXPECT_EQ(back.back(), said.moves[1].at + said.moves[1].told);
    EXPECT_EQ(said.moves[1].connections, r.Service<StorageRecord>(0).failover.back);
  });
}

TEST(FailoverBounds, CallsWithoutAnAnswerAreFoundBetweenTheTimesSaid) {
  InChild([] {
    // No read ends before 2 ms: no connection is broken, but each is found to be.
    const Scenario s = Disks("fraction: 50%, detect: 730us", "blocks: [{size: 8KiB}], depth: 16", "",
                             "front: {protocol: sk_rdma}", "{read: 2ms}");
    const FailoverCheck said = Check(s);
    const RunRecord r = headroom::Run(s, {});
    Time first = kNever;
    for (const OperationRecord& o : r.operations) first = std::min(first, o.start);
    const std::vector<Time> away = TimesOf(r, "failover");
    ASSERT_FALSE(away.empty());
    EXPECT_GT(away.front(), first + said.least_detect);
    EXPECT_LE(away.front(), first + said.most_detect);
    EXPECT_GE(away.back(), first + said.least_detect + said.all_told);
  });
}

TEST(FailoverBounds, QueuePairsThatFailAreFoundInAPeriodAndComeBackNoSoonerThanSaid) {
  for (const char* to : {"protocol: su_rdma", "protocol: tcp"}) {
    InChild([to] {
      SCOPED_TRACE(to);
      const Time start = Microseconds(1030), stop = Microseconds(1500);
      const Scenario s = Disks("fraction: 100%, back: 930us", "blocks: [{size: 8KiB}], depth: 4",
                               "faults: [{type: nic_restart, node: c0, start: 1030us, stop: 1500us}]\n",
                               "front: {protocol: sk_rdma}", "{}", to);
      const FailoverCheck said = Check(s);
      EXPECT_EQ(said.least_back, Milliseconds(1));  // ten whole periods
      const RunRecord r = headroom::Run(s, {});
      const std::vector<Time> away = TimesOf(r, "failover"), back = TimesOf(r, "failback");
      ASSERT_FALSE(away.empty() || back.empty());
      EXPECT_GE(away.front(), start);
      EXPECT_LE(away.front(), start + said.every);
      EXPECT_GE(back.front(), stop + said.least_back);
      EXPECT_LT(back.front(), stop + said.least_back + Milliseconds(2));
    });
  }
}

}  // namespace
}  // namespace headroom::check_failover_against_runs_test
