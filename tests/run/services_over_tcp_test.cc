// Complete runs of a storage service whose hosts use TCP.
#include <gtest/gtest.h>

#include "protocol/storage/storage_parameters.h"
#include "protocol/storage_record.h"
#include "run/record_text.h"
#include "run/run.h"
#include "run/small_storage.h"
#include "scenario/read/load.h"
#include "support/in_child.h"

namespace headroom::services_over_tcp_test {
namespace {

constexpr const char* kCosts =
    "hosts: [{match: '*', cores: 2, clock: 2.5GHz, rdma: {cycles_per_message: 1500, cycles_per_byte: 0.1},"
    " tcp: {cycles_per_message: 5000, cycles_per_byte_sent: 0.25, cycles_per_byte_received: 0.5,"
    " cycles_per_byte_crc: 0.1}, operation: {cycles_per_request: 2000}}]\n";

/// Three compute hosts and two extent nodes.
Scenario Disks(const std::string& leg, const std::string& io, const std::string& more = kCosts) {
  return LoadScenarioText(
      "duration: 2ms\ndeadline: 200ms\n"
      "topology: {type: star, hosts: [c0, c1, c2, e0, e1], link: {rate: 100Gbps, length: 100m}}\n"
      "services: [{name: store, type: storage, compute: 'c*', extent_nodes: 'e*', front: {" +
          leg + "}, disk: {read: 90us, write: 20us}}]\nworkloads: [{name: disks, type: io, service: store, " +
          io + "}]\n" + more,
      "s.yaml", ".");
}

Time BusyFor(const RunRecord& record, CoreWork work, NodeId host) {
  Time busy;
  for (const CoreRecord& c : record.cores)
    if (c.host == host) busy += c.busy_for[static_cast<size_t>(work)];
  return busy;
}

TEST(ServicesOverTcp, every_io_ends_and_its_parts_sum_to_its_time) {
  for (const char* leg : {"protocol: tcp", "protocol: tcp, congestion: dctcp, connections: 3, crc: false"}) {
    for (const char* size : {"4KiB", "64KiB", "1MiB"}) {
      SCOPED_TRACE(std::string(leg) + ' ' + size);
      InChild([=] {
        const Scenario s = Disks(leg, std::string("reads: 50%, depth: 4, blocks: [{size: ") + size + "}]");
        const RunRecord record = headroom::Run(s, {});
        EXPECT_EQ(record.status, RunStatus::complete);
        EXPECT_TRUE(record.conservation.Ok());
        ASSERT_GT(record.operations.size(), 20u);
        for (const OperationRecord& o : record.operations) {
          ASSERT_TRUE(o.Finished());
          EXPECT_EQ(o.status, OperationStatus::ok);
          EXPECT_EQ(Sum(o).v, (o.completed - o.start).v);
          EXPECT_EQ(Part(o, OperationPart::other).v, 0);
          EXPECT_GE(Part(o, OperationPart::device), Microseconds(20));
          EXPECT_GT(Part(o, OperationPart::core).v, 0);
          EXPECT_LT(o.start, o.times.posted);
          EXPECT_LT(o.times.posted, o.times.completed);
          EXPECT_LE(o.times.completed, o.times.polled);
          EXPECT_LE(o.times.polled, o.completed);
        }
        const StorageRecord& service = record.Service<StorageRecord>(0);
        EXPECT_EQ(service.executed, record.operations.size());
        ASSERT_TRUE(service.tcp);
        EXPECT_EQ(service.tcp->losses, 0u);
        EXPECT_EQ(service.tcp->connections,
                  6u * static_cast<uint64_t>(s.services[0].As<StorageParameters>().front.connections));
        uint64_t data = 0;
        for (const OperationRecord& o : record.operations) data += static_cast<uint64_t>(o.bytes.v) + 2 * 56;
        EXPECT_GE(service.tcp->bytes, data);
      });
    }
  }
}

// I/Os run one at a time: a read of 8 KiB is a request and an answer, of which one has the data.
TEST(ServicesOverTcp, an_io_costs_its_hosts_what_is_charged) {
  const Scenario s = Disks("protocol: tcp", "reads: 100%, depth: 1, blocks: [{size: 8KiB}], from: c0");
  InChild([&] {
    const RunRecord record = headroom::Run(s, {});
    const CoreCosts& costs = s.hosts[0].costs;
    const auto ios = static_cast<int64_t>(record.operations.size());
    ASSERT_GT(ios, 10);
    const Time client = costs.OfTcpSent(1, 56, 0) + costs.OfTcpReceived(1, 56 + 8192, 8192);
    const Time server = costs.OfTcpReceived(1, 56, 0) + costs.OfTcpSent(1, 56 + 8192, 8192);
    // The cores' times are read when no more I/Os begin: some work for the last one may be left.
    const auto near = [&](Time busy, Time each) {
      EXPECT_LE(busy, each * ios);
      EXPECT_GE(busy, each * (ios - 1));
    };
    near(BusyFor(record, CoreWork::tcp, 0), client);
    near(BusyFor(record, CoreWork::tcp, 3) + BusyFor(record, CoreWork::tcp, 4), server);
    near(BusyFor(record, CoreWork::operation, 0), costs.OfRequest());
    near(BusyFor(record, CoreWork::operation, 3) + BusyFor(record, CoreWork::operation, 4),
         costs.OfRequest());
    for (NodeId h = 0; h < 5; ++h)  // connections over RDMA cost this work, and here there are none
      EXPECT_EQ(BusyFor(record, CoreWork::rdma, h), Time(0));
    EXPECT_EQ(BusyFor(record, CoreWork::tcp, 1), Time(0));  // the host is idle
    // A core's work on an answer while the rest of it is still on its way belongs to the network's time.
    const Time all = client + server + costs.OfRequest() + costs.OfRequest();
    for (const OperationRecord& o : record.operations) {
      EXPECT_LE(Part(o, OperationPart::core), all);
      EXPECT_GT(Part(o, OperationPart::core), all - costs.OfTcpReceived(1, 56 + 8192, 8192));
    }
  });
}

TEST(ServicesOverTcp, losses_and_a_link_that_is_down_lose_no_io_and_repeat_none) {
  const Scenario s = Disks("protocol: tcp", "reads: 50%, depth: 4, blocks: [{size: 16KiB}]",
                           std::string(kCosts) +
                               "faults: [{type: link_down, link: [e0, s0], start: 500us, stop: 900us},"
                               " {type: loss, link: [e1, s0], probability: 1/500}]\n");
  InChild([&] {
    const RunRecord record = headroom::Run(s, {});
    EXPECT_EQ(record.status, RunStatus::complete);
    EXPECT_TRUE(record.conservation.Ok());
    std::map<std::pair<NodeId, uint32_t>, int> ended;
    for (const OperationRecord& o : record.operations) {
      ASSERT_TRUE(o.Finished());
      EXPECT_EQ(o.status, OperationStatus::ok);
      EXPECT_EQ(Sum(o).v, (o.completed - o.start).v);
      EXPECT_EQ(++(ended[{o.client, o.number}]), 1);
    }
    EXPECT_EQ(record.Service<StorageRecord>(0).executed, record.operations.size());
    EXPECT_GT(record.Service<StorageRecord>(0).tcp->retransmitted, 0u);
  });
}

TEST(ServicesOverTcp, a_run_repeats_itself) {
  const auto run = [] {
    return TextFromChild([] {
      return RecordText(headroom::Run(Disks("protocol: tcp, connections: 2",
                                            "reads: 70%, depth: 8, blocks: [{size: 8KiB, share: 70%}, "
                                            "{size: 256KiB, share: 30%}]"),
                                      {}));
    });
  };
  EXPECT_EQ(run(), run());
}

// Requests cost their hosts the same, whatever carries them.
TEST(ServicesOverTcp, operations_cost_over_rdma_what_they_cost_over_tcp) {
  for (const char* leg : {"protocol: sk_rdma", "protocol: su_rdma"}) {
    InChild([=] {
      const Scenario s = Disks(leg, "reads: 50%, depth: 1, blocks: [{size: 8KiB}], from: c0");
      const RunRecord record = headroom::Run(s, {});
      const auto ios = static_cast<int64_t>(record.operations.size());
      ASSERT_GT(ios, 10);
      EXPECT_LE(BusyFor(record, CoreWork::operation, 0), s.hosts[0].costs.OfRequest() * ios);
      EXPECT_GE(BusyFor(record, CoreWork::operation, 0), s.hosts[0].costs.OfRequest() * (ios - 1));
      EXPECT_GT(BusyFor(record, CoreWork::rdma, 0), Time(0));
      EXPECT_EQ(BusyFor(record, CoreWork::tcp, 0), Time(0));
      EXPECT_FALSE(record.Service<StorageRecord>(0).tcp);
      for (const OperationRecord& o : record.operations) EXPECT_EQ(Sum(o).v, (o.completed - o.start).v);
    });
  }
}

/// A request runs on its connection's core, and connections use the cores of a host in turn: two of three at
/// each extent node are on its first core.
TEST(ServicesOverTcp, requests_are_work_of_the_core_that_has_their_connection) {
  for (const char* leg : {"protocol: sk_rdma", "protocol: su_rdma", "protocol: tcp"}) {
    InChild([=] {
      const RunRecord record = headroom::Run(Disks(leg, "reads: 50%, depth: 4, blocks: [{size: 8KiB}]"), {});
      for (const NodeId node : {3u, 4u}) {
        Time first, both;
        for (const CoreRecord& c : record.cores) {
          if (c.host != node) continue;
          const Time busy = c.busy_for[static_cast<size_t>(CoreWork::operation)];
          if (c.core == 0) first = busy;
          both += busy;
        }
        EXPECT_NEAR(InMicroseconds(first) / InMicroseconds(both), 2 / 3.0, 0.1) << leg << ' ' << node;
      }
    });
  }
}

}  // namespace
}  // namespace headroom::services_over_tcp_test
