// Services with failover do what `check` states: core time of I/Os, throughput of either transport, and the
// times at which connections get the order to move.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/check/services/check_services.h"
#include "analysis/scenario_of.h"
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
const std::string kAll = "schedule: [{at: 0us, share: 100%}]";

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

struct Checked {
  ServicesChecks checks;
  Findings findings;
  const FailoverCheck& failover() const { return checks.failovers.at(0); }
  size_t Saying(const std::string& text) const {
    return static_cast<size_t>(std::ranges::count_if(
        findings, [&](const Finding& f) { return f.what.find(text) != std::string::npos; }));
  }
};

Checked Check(const Scenario& s) {
  const Fabric fabric(s);
  Checked out;
  out.checks = CheckServices(fabric, ClassifySwitches(fabric), out.findings);
  return out;
}

/// The share of their cores' time that hosts use whose names begin so.
double UseOf(const Scenario& s, const RunRecord& r, char first) {
  double busy = 0, span = 0;
  for (const CoreRecord& core : r.cores) {
    if (s.topology.nodes[core.host].name.front() != first) continue;
    busy += InSeconds(core.busy());
    span += InSeconds(core.span);
  }
  return busy / span;
}

/// Operations a second that ended while the load lasted.
double Reached(const Scenario& s, const RunRecord& r) {
  double within = 0;
  for (const OperationRecord& o : r.operations) within += o.completed <= s.duration;
  return within / InSeconds(s.duration);
}

std::vector<Time> TimesOf(const RunRecord& r, const std::string& kind) {
  std::vector<Time> times;
  for (const EventRecord& e : r.events_log)
    if (e.kind == kind) times.push_back(e.time);
  return times;
}

TEST(FailoverBounds, CoresWorkAsLongAsIosAtARateCostThem) {
  for (const char* front : {"protocol: sk_rdma", "protocol: su_rdma"}) {
    for (const char* io : {"blocks: [{size: 8KiB}], rate: 20000, arrival: even",
                           "blocks: [{size: 200KiB}], rate: 4000, arrival: even, reads: 50%"}) {
      for (const bool standby : {false, true}) {
        InChild([&] {
          SCOPED_TRACE(std::string(front) + ", " + io + (standby ? ", tcp" : ""));
          const Scenario s = Disks("fraction: 100%" + (standby ? ", " + kAll : ""), io, kCores,
                                   "front: {credits: 4, " + std::string(front) + "}");
          const FailoverCheck said = Check(s).failover();
          const IoLoads& loads = standby ? said.by_standby : said.by_main;
          const RunRecord r = headroom::Run(s, {});
          const double compute = ShareOf(loads, IoLoad::Of::cores);
          const double servers = ShareOf(loads, IoLoad::Of::server_cores);
          ASSERT_GT(compute, 0.02);
          // In addition there is the setup, and RECVs that a queue pair returns when it is closed (few of 4
          // credits).
          EXPECT_NEAR(UseOf(s, r, 'c') / compute, 1, 0.05);
          EXPECT_NEAR(UseOf(s, r, 'e') / servers, 1, 0.05);
        });
      }
    }
  }
}

TEST(FailoverBounds, WithABackLegServersWorkAtLeastAsLongAndComputeHostsAsLong) {
  for (const bool standby : {false, true}) {
    InChild([&] {
      const Scenario s = Disks("fraction: 100%" + (standby ? ", " + kAll : ""),
                               "blocks: [{size: 8KiB}], rate: 15000, arrival: even, reads: 50%", kCores,
                               "front: {protocol: sk_rdma, credits: 4}, back: {protocol: su_rdma, credits: "
                               "4}, placement: {across: host}");
      const FailoverCheck said = Check(s).failover();
      const IoLoads& loads = standby ? said.by_standby : said.by_main;
      const RunRecord r = headroom::Run(s, {});
      EXPECT_EQ(r.Service<StorageRecord>(0).connections, said.connections);
      EXPECT_NEAR(UseOf(s, r, 'c') / ShareOf(loads, IoLoad::Of::cores), 1, 0.05);
      const double servers = ShareOf(loads, IoLoad::Of::server_cores);
      EXPECT_GT(servers, 0.05);
      EXPECT_GE(UseOf(s, r, 'e'), 0.97 * servers);  // operations that are open at the end
    });
  }
}

struct Limited {
  IoLoad::Of first;
  Scenario scenario;
};

TEST(FailoverBounds, NoMoreIsReachedThanTheFirstThatRunsOutLetsThrough) {
  using enum IoLoad::Of;
  const std::string away = "fraction: 100%, detect: never, " + kAll;
  const std::string sk = "front: {protocol: sk_rdma}";
  const Limited all[] = {
      {cores, Disks(away, "blocks: [{size: 4KiB}], rate: 160000",
                    "hosts: [{match: \"c*\", clock: 2.5GHz, " + kCosts + "]\n")},
      {server_cores, Disks(away, "blocks: [{size: 4KiB}], rate: 255000",
                           "hosts: [{match: \"e*\", clock: 2.5GHz, " + kCosts + "]\n")},
      {line, Disks(away, "blocks: [{size: 64KiB}], rate: 190000", "")},
      {disks, Disks(away, "blocks: [{size: 4KiB}], rate: 160000", "", sk, "{read: 10us, iops: 100000}")}};
  for (const Limited& limited : all) {
    InChild([&] {
      SCOPED_TRACE(LoadName(limited.first));
      const Checked checked = Check(limited.scenario);
      const FailoverCheck& said = checked.failover();
      ASSERT_EQ(FirstOf(said.by_standby).of, limited.first);
      EXPECT_GT(FirstOf(said.by_standby).share, 1);
      EXPECT_EQ(checked.Saying("if all connections use tcp"), 1u);
      const double reached = Reached(limited.scenario, headroom::Run(limited.scenario, {}));
      EXPECT_LE(reached, said.Most(said.by_standby) * 1.001);
      EXPECT_GE(reached, said.Most(said.by_standby) * 0.8);
    });
  }
}

TEST(FailoverBounds, WhatIsBelowAllOfThemIsReached) {
  InChild([] {
    const Scenario s = Disks("fraction: 100%, " + kAll, "blocks: [{size: 4KiB}], rate: 60000, arrival: even");
    const Checked checked = Check(s);
    EXPECT_LT(FirstOf(checked.failover().by_standby).share, 0.7);
    EXPECT_EQ(checked.Saying("if all connections use tcp"), 0u);
    EXPECT_NEAR(Reached(s, headroom::Run(s, {})) / checked.failover().asked, 1, 0.02);
  });
}

TEST(FailoverBounds, ConnectionsAreToldToMoveWhenTheScheduleSays) {
  InChild([] {
    // There are six connections, and two move in 100 us.
    const Scenario s = Disks("fraction: 34%, schedule: [{at: 1050us, share: 100%}, {at: 3ms, share: 50%}]",
                             "blocks: [{size: 8KiB}], depth: 4");
    const FailoverCheck said = Check(s).failover();
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
    const Checked checked = Check(s);
    EXPECT_EQ(checked.Saying("the time of a call of workload w without other traffic"), 1u);
    const FailoverCheck& said = checked.failover();
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
      const FailoverCheck said = Check(s).failover();
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
