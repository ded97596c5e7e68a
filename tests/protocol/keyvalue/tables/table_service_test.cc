// Pilaf with a real table: it makes the READs that its buckets require.
#include "protocol/keyvalue/tables/table_service.h"

#include <gtest/gtest.h>

#include "protocol/keyvalue/stores/cuckoo_table.h"
#include "protocol/keyvalue/versioned_value.h"
#include "support/in_child.h"
#include "support/verbs_lab.h"

namespace headroom::table_service_test {
namespace {

constexpr int64_t kKeys = 400, kValue = 40;

/// A server of two processes and a client, with one operation at a time, which the test starts.
struct Pilaf : VerbsLab {
  Pilaf()
      : VerbsLab(StarScenario(2, {GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0})),
        operations({{}}, 2, 0, Time(0)),
        hosts{{&verbs(0), network->context(0)}, {&verbs(1), network->context(1)}},
        service(MakeService(
            [] {
              KeyValueParameters p;
              p.name = p.type = "pilaf";
              p.system = KeyValueSystem::pilaf;
              p.servers = {0};
              p.clients = {1};
              p.processes = 2;
              p.priority = 3;
              p.tables = true;
              return p;
            }(),
            {hosts, scenario.topology, operations, Time(0),
             ServiceLoad{.largest = Bytes(kValue), .keys = kKeys, .key = Bytes(16)}})) {
    operations.SetOnDone([this](const OperationRecord& o) {
      EXPECT_EQ(o.status, OperationStatus::ok);
      ++done;
    });
  }
  void Do(OperationKind kind, uint64_t record) {
    OperationRequest request;
    request.client = 1;
    request.kind = kind;
    request.target = record;
    request.bytes = kValue;
    request.operation = operations.Begin(0, request, false);
    const uint64_t before = done;
    service->Submit(request);
    ns3::Simulator::Stop(ns3::TimeStep(20'000'000));
    ns3::Simulator::Run();
    EXPECT_EQ(done, before + 1);
  }
  KeyValueRecord Record() { return dynamic_cast<const KeyValueRecord&>(*service->Record()); }
  uint64_t done = 0;
  Operations operations;
  std::vector<ServiceHost> hosts;
  std::unique_ptr<Service> service;
};

TEST(TableService, a_get_of_pilaf_reads_the_buckets_that_its_table_says_and_then_the_value) {
  InChild([] {
    Pilaf pilaf;
    // The tables are equal: equal orders of PUTs give equal buckets.
    std::vector<CuckooTable> tables;
    for (int process = 0; process < 2; ++process) tables.emplace_back(kKeys / 2 * 4 / 3 + 8, 1 << 20);
    std::vector<uint8_t> value(kValue);
    for (uint64_t record = 0; record < kKeys; ++record) {
      const Key key = KeyOfRecord(record);
      FillVersion(key, 0, value);
      EXPECT_TRUE(tables[key.high % 2].Put(key, value));
    }
    uint64_t reads = 0, several = 0;
    for (uint64_t record = 0; record < kKeys + 20; ++record) {
      const Key key = KeyOfRecord(record);
      const CuckooTable::Lookup lookup = tables[key.high % 2].Get(key);
      EXPECT_EQ(lookup.hit, record < kKeys);
      reads += lookup.probes + lookup.hit;
      several += lookup.probes > 1;
      pilaf.Do(OperationKind::get, record);
      ASSERT_EQ(pilaf.Record().reads, reads) << record;
    }
    EXPECT_GT(several, kKeys / 4u);
    const KeyValueRecord record = pilaf.Record();
    EXPECT_EQ(record.hits, static_cast<uint64_t>(kKeys));
    EXPECT_EQ(record.misses, 20u);
    EXPECT_EQ(record.wrong + record.torn, 0u);
  });
}

TEST(TableService, what_was_put_is_there) {
  InChild([] {
    Pilaf pilaf;
    for (uint64_t record = kKeys; record < kKeys + 8; ++record) {
      pilaf.Do(OperationKind::get, record);
      pilaf.Do(OperationKind::insert, record);
      pilaf.Do(OperationKind::get, record);
      pilaf.Do(OperationKind::read_modify_write, record);
    }
    const KeyValueRecord record = pilaf.Record();
    EXPECT_EQ(record.misses, 8u);
    EXPECT_EQ(record.hits, 16u);
    EXPECT_EQ(record.wrong, 0u);
  });
}

}  // namespace
}  // namespace headroom::table_service_test
