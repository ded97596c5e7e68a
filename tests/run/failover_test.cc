// Storage services whose connections move from one protocol to another and return, in complete runs.
#include <gtest/gtest.h>

#include "protocol/storage/storage_parameters.h"
#include "protocol/storage_record.h"
#include "run/record_text.h"
#include "run/small_storage.h"
#include "run/storms.h"
#include "workload/io_arrivals.h"

namespace headroom::failover_test {
namespace {

constexpr NodeId kSwitch = 5;

/// Three compute hosts and two extent nodes have six connections.
Scenario Disks(StorageProtocol standby) {
  Scenario s = StorageStar(3, 2, Blocks(8192, 200'000, 0.5, 8));
  s.duration = Milliseconds(6);
  s.deadline = Milliseconds(200);
  s.hosts.assign(s.topology.hosts, {2, {2.5e9, {2000, 0.2}, {5000, 0.25, 0.5, 0.1}, {}}});
  StorageParameters& store = s.services[0].As<StorageParameters>();
  store.front.reopen = Microseconds(50);
  store.disk = {Microseconds(90), Microseconds(20), 0};
  store.failover.emplace();
  store.failover->to = store.front;
  store.failover->to.protocol = standby;
  store.failover->when.every = Microseconds(100);
  store.failover->when.fraction = 0.34;  // two connections
  store.failover->when.detect = Milliseconds(1);
  store.failover->when.back = Microseconds(500);
  return s;
}

void ExpectAllEnded(const RunRecord& r) {
  EXPECT_EQ(r.status, RunStatus::complete);
  EXPECT_TRUE(r.conservation.Ok());
  EXPECT_GT(r.operations.size(), 500u);
  uint64_t bytes = 0;
  for (const OperationRecord& o : r.operations) {
    ASSERT_TRUE(o.Finished());
    ASSERT_EQ(o.status, OperationStatus::ok);
    ASSERT_EQ(Sum(o).v, (o.completed - o.start).v);
    ASSERT_EQ(Part(o, OperationPart::other).v, 0);
    bytes += static_cast<uint64_t>(o.bytes.v);
  }
  EXPECT_EQ(
      r.Service<StorageRecord>(0).failover.main_bytes + r.Service<StorageRecord>(0).failover.standby_bytes,
      bytes);
}

std::string TextOf(const Scenario& s, const std::function<void(const RunRecord&)>& check) {
  const auto text = [&](const RunOptions& options) {
    return TextFromChild([&] {
      const RunRecord r = headroom::Run(s, options);
      check(r);
      return RecordText(r);
    });
  };
  const std::string once = text({});
  RunOptions other_way;
  other_way.lanes = false;
  other_way.driver = Driver::ns3_default;
  other_way.check = true;
  ExpectSameText(text(other_way), once);
  return once;
}

TEST(Failover, by_schedule_loses_nothing_and_each_io_is_executed_once) {
  for (const StorageProtocol standby : {StorageProtocol::su_rdma, StorageProtocol::tcp}) {
    Scenario s = Disks(standby);
    s.services[0].As<StorageParameters>().failover->when.schedule = {{Milliseconds(2), 1},
                                                                     {Milliseconds(4), 0}};
    TextOf(s, [](const RunRecord& r) {
      ExpectAllEnded(r);
      const StorageRecord& service = r.Service<StorageRecord>(0);
      EXPECT_EQ(service.connections, 6u);
      EXPECT_EQ(service.executed, r.operations.size());
      EXPECT_EQ(service.losses, 0u);
      EXPECT_EQ(service.failover.away, 6u);
      EXPECT_EQ(service.failover.back, 6u);
      EXPECT_EQ(service.failover.asked_again, 0u);
      EXPECT_EQ(service.failover.late, 0u);
      EXPECT_GT(service.failover.standby_bytes, service.failover.main_bytes / 4);
      EXPECT_TRUE(EventsOf(r, "qp_error").empty());
      const auto away = EventsOf(r, "failover");
      ASSERT_GE(away.size(), 3u);  // two connections at a time
      EXPECT_EQ(away[0].time, Milliseconds(2));
      EXPECT_EQ(away[0].detail, "2 connections of store: schedule");
      EXPECT_EQ(away.back().time, Microseconds(2200));
      EXPECT_EQ(EventsOf(r, "failback").front().time, Milliseconds(4));
    });
  }
}

TEST(Failover, a_nic_that_restarts_sends_its_connections_away_and_gets_them_back) {
  for (const StorageProtocol standby : {StorageProtocol::su_rdma, StorageProtocol::tcp}) {
    // Connections of h0; the queue pairs of both protocols have failed.
    Scenario s = Disks(standby);
    s.faults = {NicRestartFault{0, {Milliseconds(1), Microseconds(1500), Time{}, 1}}};
    TextOf(s, [](const RunRecord& r) {
      ExpectAllEnded(r);
      EXPECT_EQ(r.Service<StorageRecord>(0).failover.away, 2u);
      EXPECT_EQ(r.Service<StorageRecord>(0).failover.back, 2u);
      EXPECT_GT(r.Service<StorageRecord>(0).failover.asked_again, 0u);
      // Each has its own core, which is notified after its earlier work.
      ASSERT_FALSE(EventsOf(r, "failover").empty());
      for (const EventRecord& e : EventsOf(r, "failover")) {
        EXPECT_EQ(e.node, 0u);
        EXPECT_LT(e.time, Microseconds(1500));
        EXPECT_TRUE(e.detail.ends_with("of store: queue pair failed")) << e.detail;
      }
      ASSERT_EQ(EventsOf(r, "failback").size(), 1u);
      EXPECT_GE(EventsOf(r, "failback")[0].time, Milliseconds(2));
      EXPECT_EQ(EventsOf(r, "failback")[0].detail, "2 connections of store: works again");
    });
  }
}

/// Chunks are in flight when the channel leaves a leg, and cores lag: nothing of that may enter the next
/// connection.
TEST(Failover, nothing_of_a_way_that_was_left_gets_into_its_next_life) {
  TextFromChild([] {
    Scenario s = Disks(StorageProtocol::tcp);
    s.hosts.assign(s.topology.hosts, {3, {2e9, {1500, 0.6}, {5450, 0.1, 0.1, 0}, {}}});
    s.duration = Milliseconds(50);
    StorageParameters& store = s.services[0].As<StorageParameters>();
    store.compute = Hosts(0, 2);
    store.extent_nodes = Hosts(2, 5);
    store.front.protocol = StorageProtocol::su_rdma;
    store.failover->when.fraction = 1;
    store.failover->when.back = Microseconds(300);
    auto& io = s.workloads[0].arrivals.As<IoArrivals>();
    io.blocks = {{Bytes(512 << 10), 0.5}, {Bytes(8192), 0.5}};
    io.depth = 4;
    io.from = store.compute;
    io.to = store.extent_nodes;
    RunOptions options;
    options.histories = true;
    const RunRecord r = headroom::Run(s, options);
    ExpectAllEnded(r);
    EXPECT_GT(r.Service<StorageRecord>(0).failover.back, 5u);
    EXPECT_TRUE(r.histories->Ok());
    return std::string();
  });
}

TEST(Failover, a_standby_that_was_never_joined_is_closed_and_the_run_goes_on) {
  // The SYNs are lost with the NIC. Before they are sent again RDMA is back, and RSTs go to the listeners.
  TextFromChild([] {
    Scenario s = Disks(StorageProtocol::tcp);
    s.duration = Milliseconds(9);
    s.workloads[0] = WorkloadOf("disks", [&] {
      auto io = s.workloads[0].arrivals.As<IoArrivals>();
      io.depth = 1;
      return io;
    }());
    s.workloads[0].type = "io";
    s.faults = {NicRestartFault{0, {Milliseconds(1), Microseconds(1500), Time{}, 1}}};
    const RunRecord r = headroom::Run(s, {});
    EXPECT_EQ(r.status, RunStatus::complete);
    EXPECT_EQ(r.Service<StorageRecord>(0).failover.back, 2u);
    EXPECT_GT(r.operations.size(), 100u);
    for (const OperationRecord& o : r.operations) EXPECT_EQ(o.status, OperationStatus::ok);
    return std::string();
  });
}

TEST(Failover, whatever_breaks_meanwhile_every_io_ends_and_writes_are_executed_once) {
  for (const StorageProtocol standby : {StorageProtocol::su_rdma, StorageProtocol::tcp}) {
    Scenario s = Disks(standby);
    s.services[0].As<StorageParameters>().failover->when.schedule = {
        {Milliseconds(1), 0.5}, {Milliseconds(3), 1}, {Milliseconds(4), 0}};
    s.faults = {LossFault{0, kSwitch, 0.001, {}},
                NicRestartFault{3, {Microseconds(1100), Microseconds(1400), Milliseconds(1), 4}},
                NicRestartFault{1, {Microseconds(3050), Microseconds(3500), Time{}, 1}},
                WarmRestartFault{kSwitch, {Microseconds(2500), Microseconds(2900), Time{}, 1}},
                CorruptFault{4, 0.001, {}}};
    for (NicParameters& nic : s.nics) nic.transport.rto = Microseconds(200);
    s.services[0].As<StorageParameters>().front.crc = s.services[0].As<StorageParameters>().failover->to.crc =
        false;  // damage of data is not the subject of this test
    TextOf(s, [](const RunRecord& r) {
      ExpectAllEnded(r);
      uint64_t writes = 0;
      for (const OperationRecord& o : r.operations) writes += o.kind == OperationKind::write;
      EXPECT_GE(r.Service<StorageRecord>(0).executed, r.operations.size());
      EXPECT_GT(writes, 200u);
      EXPECT_GT(r.Service<StorageRecord>(0).failover.asked_again, 0u);
    });
  }
}

TEST(Failover, that_is_never_used_changes_nothing) {
  for (const StorageProtocol standby : {StorageProtocol::su_rdma, StorageProtocol::tcp}) {
    const auto text = [standby](bool with) {
      return TextFromChild([with, standby] {
        Scenario s = Disks(standby);
        s.duration = Milliseconds(1);
        if (!with) s.services[0].As<StorageParameters>().failover.reset();
        return OperationsText(headroom::Run(s, {}));
      });
    };
    ExpectSameText(text(true), text(false));
  }
}

}  // namespace
}  // namespace headroom::failover_test
