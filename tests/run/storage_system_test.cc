// Complete runs of storage services with a back leg: replicas, order, and the treatment of nodes that do not
// answer.
#include <gtest/gtest.h>

#include "protocol/storage/storage_parameters.h"
#include "protocol/storage_record.h"
#include "run/fault_star.h"
#include "run/run.h"
#include "run/small_storage.h"
#include "support/in_child.h"
#include "workload/io_arrivals.h"

namespace headroom::storage_system_test {
namespace {

/// Two compute hosts h0 and h1, followed by storage servers.
Scenario System(int servers, double reads, StorageProtocol back = StorageProtocol::su_rdma) {
  Scenario s = StorageStar(2, servers, Blocks(8192, 65'536, reads, 8));
  s.duration = Milliseconds(2);
  s.deadline = Milliseconds(500);
  GiveBackLeg(s.services[0].As<StorageParameters>(), back);
  s.services[0].As<StorageParameters>().disk = {Microseconds(90), Microseconds(20), 0};
  return s;
}

void ExpectWhole(const RunRecord& record) {
  EXPECT_EQ(record.status, RunStatus::complete);
  EXPECT_TRUE(record.conservation.Ok());
  ASSERT_GT(record.operations.size(), 20u);
  for (const OperationRecord& o : record.operations) {
    ASSERT_TRUE(o.Finished());
    EXPECT_EQ(o.status, OperationStatus::ok);
    EXPECT_EQ(Sum(o).v, (o.completed - o.start).v);
    EXPECT_EQ(Part(o, OperationPart::other).v, 0);
  }
}

TEST(StorageSystem, a_write_is_done_by_all_its_replicas_and_a_read_by_one) {
  for (const StorageProtocol back : {StorageProtocol::su_rdma, StorageProtocol::sk_rdma}) {
    for (const int replicas : {1, 3, 5}) {
      InChild([=] {
        Scenario s = System(6, 0.5, back);
        s.services[0].As<StorageParameters>().replicas = replicas;
        const RunRecord record = headroom::Run(s, {});
        ExpectWhole(record);
        uint64_t writes = 0;
        for (const OperationRecord& o : record.operations) writes += o.kind == OperationKind::write ? 1 : 0;
        EXPECT_EQ(record.Service<StorageRecord>(0).system->appends, writes);
        const auto copies = static_cast<uint64_t>(replicas);
        EXPECT_EQ(record.Service<StorageRecord>(0).executed,
                  writes * copies + record.operations.size() - writes);
      });
    }
  }
}

TEST(StorageSystem, a_write_takes_as_long_as_the_slowest_of_its_replicas) {
  InChild([] {
    Scenario s = System(3, 0);
    s.workloads[0].arrivals = [&] {
      IoArrivals io = s.workloads[0].arrivals.As<IoArrivals>();
      io.depth = 1;
      io.blocks = {{Bytes(8192), 1}};
      return io;
    }();
    s.duration = Milliseconds(10);
    s.services[0].As<StorageParameters>().disk.write = Microseconds(500);
    const RunRecord record = headroom::Run(s, {});
    ExpectWhole(record);
    for (const OperationRecord& o : record.operations)  // one device's time, not three
      EXPECT_EQ(Part(o, OperationPart::device).v, Microseconds(500).v);
  });
}

TEST(StorageSystem, one_server_in_all_roles_asks_itself_without_a_message) {
  InChild([] {
    Scenario s = System(1, 0.5);
    s.services[0].As<StorageParameters>().replicas = 1;
    const RunRecord record = headroom::Run(s, {});
    ExpectWhole(record);
    EXPECT_EQ(record.Service<StorageRecord>(0).connections, 2u);  // of the two compute hosts
  });
}

TEST(StorageSystem, an_extent_that_is_full_is_followed_by_another) {
  InChild([] {
    Scenario s = System(3, 0);
    s.services[0].As<StorageParameters>().extent = Kibibytes(1024);
    s.services[0].As<StorageParameters>().disk_size = Kibibytes(65'536);
    const RunRecord record = headroom::Run(s, {});
    ExpectWhole(record);
    const StorageSystemRecord& system = *record.Service<StorageRecord>(0).system;
    EXPECT_EQ(system.seals, 0u);
    EXPECT_GE(system.filled + 2, system.appended_bytes / (1 << 20));
    EXPECT_GT(system.filled, 2u);
  });
}

/// A second replica answers reads of a disk that is sometimes much slower.
TEST(StorageSystem, hedged_reads_take_what_comes_first) {
  InChild([] {
    Scenario s = System(4, 1);
    s.services[0].As<StorageParameters>().disk = {Microseconds(90), Microseconds(20),
                                                  20'000};  // overloaded: queues differ
    s.workloads[0].arrivals.As<IoArrivals>().depth = 32;
    s.services[0].As<StorageParameters>().hedge = Microseconds(300);
    const RunRecord record = headroom::Run(s, {});
    ExpectWhole(record);
    const StorageSystemRecord& system = *record.Service<StorageRecord>(0).system;
    EXPECT_GT(system.hedges, 0u);
    EXPECT_EQ(record.Service<StorageRecord>(0).executed, record.operations.size() + system.hedges);
  });
}

/// Requests that a failed link delays are repeated, and executed once.
TEST(StorageSystem, what_is_asked_for_again_is_executed_once) {
  InChild([] {
    Scenario s = System(4, 0);
    s.services[0].As<StorageParameters>().timeout = Milliseconds(1);
    s.services[0].As<StorageParameters>().retries = 100;
    const NodeId sw = s.topology.hosts;
    s.faults.push_back(Down(3, sw, Microseconds(500), Milliseconds(4)));
    const RunRecord record = headroom::Run(s, {});
    ExpectWhole(record);
    uint64_t retries = 0;
    for (const OperationRecord& o : record.operations) retries += o.retries;
    EXPECT_GT(retries, 0u);
    EXPECT_GT(record.Service<StorageRecord>(0).repeated, 0u);
    EXPECT_EQ(record.Service<StorageRecord>(0).system->appends, record.operations.size());
  });
}

/// A node that does not answer in time receives no more writes.
TEST(StorageSystem, an_extent_whose_node_does_not_answer_is_sealed) {
  InChild([] {
    Scenario s = System(5, 0);
    s.services[0].As<StorageParameters>().seal.after = Microseconds(800);
    s.services[0].As<StorageParameters>().seal.takes = Microseconds(100);
    const NodeId sw = s.topology.hosts;
    s.faults.push_back(Down(6, sw, Microseconds(500), Milliseconds(20)));
    const RunRecord record = headroom::Run(s, {});
    EXPECT_EQ(record.status, RunStatus::complete);
    const StorageSystemRecord& system = *record.Service<StorageRecord>(0).system;
    EXPECT_GT(system.seals, 0u);
    EXPECT_EQ(system.appends, record.operations.size());
  });
}

TEST(StorageSystem, the_same_seed_gives_the_same_operations) {
  const auto run = [] {
    std::string text;
    for (const OperationRecord& o : headroom::Run(System(4, 0.5), {}).operations)
      text += std::to_string(o.completed.v) + ' ';
    return text;
  };
  const std::string first = TextFromChild(run);
  EXPECT_GT(first.size(), 100u);
  EXPECT_EQ(first, TextFromChild(run));
}

}  // namespace
}  // namespace headroom::storage_system_test
