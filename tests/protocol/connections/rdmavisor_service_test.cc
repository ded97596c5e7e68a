// Complete runs of services of connections: messages on one of a thousand interleaved connections arrive on
// it, in order, whatever is lost on the way; each system reports its resources.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "protocol/connections/connection_parameters.h"
#include "protocol/connections/connection_record.h"
#include "run/run.h"
#include "support/in_child.h"
#include "support/operation_parts.h"
#include "support/scenarios.h"
#include "workload/transfer_arrivals.h"

namespace headroom::rdmavisor_service_test {
namespace {

LinkSpec Link(double loss = 0) { return {GigabitsPerSecond(40), Nanoseconds(100), Time{}, loss}; }

/// Each of four hosts is connected to the others; SENDs, READs and WRITEs of 512 B use all connections at
/// once.
Scenario Cluster(ConnectionSystem system, int connections, double loss = 0) {
  Scenario s = StarScenario(4, Link(loss));
  s.duration = Microseconds(300);
  for (NicParameters& nic : s.nics) nic.transport.rto = Microseconds(100);
  ConnectionParameters p;
  p.name = "service";
  p.type = ConnectionSystemName(system);
  p.system = system;
  p.priority = 3;
  p.clients = p.servers = Hosts(0, 4);
  p.connections = connections;
  p.applications = 2;
  p.threads = 3;
  if (system == ConnectionSystem::locked) p.share = 3;
  s.services = {p};
  for (const OperationKind kind : {OperationKind::send, OperationKind::read, OperationKind::write}) {
    TransferArrivals a;
    a.from = a.to = p.clients;
    a.connections = connections;
    a.threads = p.threads_in_all();
    a.size = Bytes(512);
    a.kind = kind;
    a.window = 2;
    s.workloads.push_back(WorkloadOf(OperationKindName(kind), a));
    s.workloads.back().type = "transfers";
  }
  return s;
}

/// Totals of all workloads, by kind.
OperationTotals TotalsOf(const RunRecord& record, OperationKind kind) {
  for (const auto& of_workload : record.operation_totals) {
    const OperationTotals& totals = of_workload[static_cast<size_t>(kind)];
    if (totals.offered > 0) return totals;
  }
  return {};
}

void ExpectAllRight(const RunRecord& record) {
  EXPECT_EQ(record.status, RunStatus::complete);
  EXPECT_TRUE(record.conservation.Ok());
  const ConnectionRecord& r = record.Service<ConnectionRecord>(0);
  EXPECT_EQ(r.misdelivered, 0u);
  EXPECT_EQ(r.lost, 0u);
  EXPECT_EQ(r.delivered, r.sends);
  EXPECT_EQ(r.sends, TotalsOf(record, OperationKind::send).finished);
  EXPECT_EQ(r.reads, TotalsOf(record, OperationKind::read).finished);
  EXPECT_EQ(r.writes, TotalsOf(record, OperationKind::write).finished);
  for (const OperationRecord& o : record.operations) {
    ASSERT_TRUE(o.Finished());
    EXPECT_EQ(o.status, OperationStatus::ok);
    EXPECT_EQ(Sum(o), o.completed - o.start);
    EXPECT_EQ(Part(o, OperationPart::network), Time{});
    ExpectWaitsOfParts(record, o);
  }
}

TEST(Connections, what_is_sent_on_one_of_1000_interleaved_comes_to_it_in_order) {
  InChild([] {
    const RunRecord record = headroom::Run(Cluster(ConnectionSystem::rdmavisor, 250), {});
    ExpectAllRight(record);
    const ConnectionRecord& r = record.Service<ConnectionRecord>(0);
    EXPECT_EQ(r.connections, 1000u);
    EXPECT_EQ(r.queue_pairs, 12u);  // each of four hosts has one for each of three peers
    EXPECT_GT(r.delivered, 2000u);  // so each connection has had more messages than its first ones
    EXPECT_LT(r.batches, r.sends + r.reads + r.writes);
  });
}

TEST(Connections, a_queue_pair_each_or_under_a_lock_is_as_right) {
  for (const ConnectionSystem system : {ConnectionSystem::queue_pairs, ConnectionSystem::locked}) {
    InChild([=] {
      const RunRecord record = headroom::Run(Cluster(system, 60), {});
      ExpectAllRight(record);
      EXPECT_EQ(record.Service<ConnectionRecord>(0).queue_pairs,
                system == ConnectionSystem::locked ? 160u : 480u);
      EXPECT_EQ(record.Service<ConnectionRecord>(0).lock_wait > 0, system == ConnectionSystem::locked);
    });
  }
}

TEST(Connections, what_the_network_loses_comes_all_the_same) {
  for (const ConnectionSystem system : {ConnectionSystem::rdmavisor, ConnectionSystem::queue_pairs}) {
    InChild([=] {
      const RunRecord record = headroom::Run(Cluster(system, 100, 0.001), {});
      ExpectAllRight(record);
      EXPECT_GT(record.retransmitted_packets, 0u);
    });
  }
}

TEST(Connections, equal_runs_are_equal) {
  const auto run = [] {
    return TextFromChild([] {
      const RunRecord record = headroom::Run(Cluster(ConnectionSystem::rdmavisor, 40, 0.001), {});
      std::string text = fmt::format("{} events\n", record.events);
      for (const OperationRecord& o : record.operations)
        text += fmt::format("{}/{}/{} {} {}\n", o.workload, o.client, o.number, o.start.v, o.completed.v);
      return text;
    });
  };
  const std::string first = run();
  EXPECT_GT(first.size(), 10'000u);
  EXPECT_EQ(first, run());
}

/// One client and one server, with payloads whose way the daemon chooses.
RunRecord Chosen(int64_t bytes, double busy) {
  Scenario s = Cluster(ConnectionSystem::rdmavisor, 12);
  auto& p = s.services[0].As<ConnectionParameters>();
  p.clients = {0};
  p.servers = {1};
  p.busy = busy;
  p.load_window = Microseconds(10);
  s.workloads.resize(1);
  auto& a = s.workloads[0].arrivals.As<TransferArrivals>();
  a.from = {0};
  a.to = {1};
  a.kind = OperationKind::transfer;
  a.size = Bytes(bytes);
  return headroom::Run(s, {});
}

TEST(Connections,
     small_payloads_go_by_send_large_ones_by_write_or_the_peer_reads_them_while_the_worker_is_busy) {
  InChild([] {
    const RunRecord record = Chosen(4096, 0.8);
    const ConnectionRecord& small = record.Service<ConnectionRecord>(0);
    EXPECT_GT(small.sends, 100u);
    EXPECT_EQ(small.writes + small.reads, 0u);
  });
  InChild([] {
    const RunRecord record = Chosen(4097, 1);
    const ConnectionRecord& large = record.Service<ConnectionRecord>(0);
    EXPECT_GT(large.writes, 50u);  // one worker registers one buffer in 5 µs
    EXPECT_EQ(large.sends + large.reads, 0u);
    EXPECT_EQ(large.registrations, large.writes);
  });
  InChild([] {
    const RunRecord record = Chosen(4097, 0.2);
    const ConnectionRecord& busy = record.Service<ConnectionRecord>(0);
    EXPECT_GT(busy.fetched, 50u);
    EXPECT_EQ(busy.fetched, busy.reads);
    EXPECT_EQ(busy.misdelivered, 0u);
    EXPECT_EQ(record.operation_totals[0][static_cast<size_t>(OperationKind::transfer)].finished,
              busy.fetched + busy.writes);
  });
}

}  // namespace
}  // namespace headroom::rdmavisor_service_test
