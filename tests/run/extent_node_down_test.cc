// Extent nodes whose program is away, in whole runs.
#include <gtest/gtest.h>

#include <numeric>

#include "run/record_text.h"
#include "run/storms.h"

namespace headroom::extent_node_down_test {
namespace {

/// Two compute hosts, eight storage servers of every role.
Scenario System(bool coded, double reads) {
  Scenario s = StarScenario(10, {GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0});
  s.duration = Milliseconds(3);
  s.deadline = Milliseconds(500);
  s.hosts.resize(s.topology.hosts);
  StorageParameters store;
  store.name = "store";
  store.compute = Hosts(0, 2);
  store.extent_nodes = Hosts(2, 10);
  store.front_ends = store.partition_servers = store.extent_nodes;
  store.back.emplace().protocol = StorageProtocol::su_rdma;
  store.disk.read = Microseconds(90);
  store.disk.write = Microseconds(20);
  store.seal.takes = Microseconds(200);
  if (coded) {
    store.erasure.emplace();
    store.erasure->data = 4;
    store.erasure->local = 2;
    store.erasure->global = 2;
  }
  IoArrivals io;
  io.blocks = {{Bytes(8192), 1}};
  io.reads = reads;
  io.depth = 8;
  io.from = store.compute;
  io.to = store.front_ends;
  s.services = {store};
  s.workloads = {WorkloadOf("disks", io)};
  s.workloads[0].type = "io";
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
        EXPECT_EQ(std::accumulate(o.parts.begin(), o.parts.end(), Time{}).v, (o.completed - o.start).v);
      }
      EXPECT_GT(r.services[0].system->refused, 0u);
      EXPECT_EQ(r.services[0].system->reconstructed > 0, coded);
      EXPECT_EQ(EventsOf(r, "fault_start").at(0).detail, "extent_node_down of store");
      EXPECT_EQ(EventsOf(r, "fault_stop").at(0).time, Milliseconds(2));
    });
  }
}

}  // namespace
}  // namespace headroom::extent_node_down_test
