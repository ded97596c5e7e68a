// Extent nodes with a failed program, in complete runs.
#include <gtest/gtest.h>

#include "protocol/storage/storage_parameters.h"
#include "protocol/storage_record.h"
#include "run/record_text.h"
#include "run/small_storage.h"
#include "run/storms.h"

namespace headroom::extent_node_down_test {
namespace {

/// Two compute hosts, and eight storage servers with every role.
Scenario System(bool coded, double reads) {
  Scenario s = StorageStar(2, 8, Blocks(8192, reads, 8));
  s.duration = Milliseconds(3);
  s.deadline = Milliseconds(500);
  StorageParameters& store = s.services[0].As<StorageParameters>();
  GiveBackLeg(store);
  store.disk = {Microseconds(90), Microseconds(20), 0};
  store.seal.takes = Microseconds(200);
  if (coded) {
    store.erasure.emplace();
    store.erasure->data = 4;
    store.erasure->local = 2;
    store.erasure->global = 2;
  }
  return s;
}

TEST(ExtentNodeDown, others_stand_in_for_it) {
  for (const bool coded : {false, true}) {
    InChild([coded] {
      Scenario s = System(coded, 0.5);
      s.faults = {ExtentNodeDownFault{0, 4, {Milliseconds(1), Milliseconds(2), Time{}, 1}}};
      const RunRecord r = Checked(s);
      EXPECT_EQ(r.status, RunStatus::complete);
      ASSERT_GT(r.operations.size(), 200u);
      for (const OperationRecord& o : r.operations) {
        EXPECT_TRUE(o.Finished());
        EXPECT_EQ(o.status, OperationStatus::ok);
        EXPECT_EQ(Sum(o).v, (o.completed - o.start).v);
      }
      EXPECT_GT(r.Service<StorageRecord>(0).system->refused, 0u);
      EXPECT_EQ(r.Service<StorageRecord>(0).system->reconstructed > 0, coded);
      EXPECT_EQ(EventsOf(r, "fault_start").at(0).detail, "extent_node_down of store");
      EXPECT_EQ(EventsOf(r, "fault_stop").at(0).time, Milliseconds(2));
    });
  }
}

/// More nodes fail than the code survives: reads fail then, and none waits for an answer that does not
/// suffice.
TEST(ExtentNodeDown, reads_that_cannot_be_put_together_fail) {
  InChild([] {
    Scenario s = System(true, 1);
    s.services[0].As<StorageParameters>().erasure->local = 0;  // of 4 + 2 fragments
    for (const NodeId node : {3u, 4u, 5u, 6u})
      s.faults.push_back(ExtentNodeDownFault{0, node, {Time{}, Milliseconds(2), Time{}, 1}});
    const RunRecord r = Checked(s);
    EXPECT_EQ(r.status, RunStatus::complete);
    uint64_t ok = 0, failed = 0;
    for (const OperationRecord& o : r.operations) {
      EXPECT_TRUE(o.Finished());
      (o.status == OperationStatus::ok ? ok : failed) += 1;
      if (o.start > Milliseconds(2)) {
        EXPECT_EQ(o.status, OperationStatus::ok);
      }
    }
    EXPECT_GT(ok, 50u);
    EXPECT_GT(failed, 10u);
  });
}

/// One node refuses, another one does not answer for a long time: late fragments are computed without both.
TEST(ExtentNodeDown, a_late_fragment_is_replaced_though_another_is_refused) {
  InChild([] {
    Scenario s = System(true, 1);
    StorageParameters& store = s.services[0].As<StorageParameters>();
    store.front_ends = store.partition_servers = Hosts(2, 3);
    store.hedge = Microseconds(300);
    s.faults = {ExtentNodeDownFault{0, 4, {Time{}, kNever, Time{}, 1}},
                LinkDownFault{6, 10, {}, {}, Time{}, {Microseconds(200), Milliseconds(100), Time{}, 1}}};
    const RunRecord r = Checked(s);
    EXPECT_EQ(r.status, RunStatus::complete);
    ASSERT_GT(r.operations.size(), 100u);
    Time longest;
    for (const OperationRecord& o : r.operations) {
      EXPECT_EQ(o.status, OperationStatus::ok);
      longest = std::max(longest, o.completed - o.start);
    }
    EXPECT_LT(longest, Milliseconds(2));
    EXPECT_GT(r.Service<StorageRecord>(0).system->hedges, 0u);
  });
}

}  // namespace
}  // namespace headroom::extent_node_down_test
