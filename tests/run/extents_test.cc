// Complete runs of storage services whose extents are coded, moved and coded again during clients' I/Os.
#include <gtest/gtest.h>

#include "protocol/storage/storage_parameters.h"
#include "protocol/storage_record.h"
#include "run/run.h"
#include "run/small_storage.h"
#include "support/in_child.h"

namespace headroom::extents_test {
namespace {

/// One compute host, eight storage servers; a disk of 4 MiB in extents of 512 KiB.
Scenario Extents(double reads) {
  Scenario s = StorageStar(1, 8, Blocks(16'384, reads, 8));
  s.duration = Milliseconds(2);
  StorageParameters& store = s.services[0].As<StorageParameters>();
  GiveBackLeg(store);
  store.disk = {Microseconds(20), Microseconds(5), 0};
  store.disk_size = Bytes(4 << 20);
  store.extent = Bytes(512 << 10);
  store.erasure = ErasureParameters{4, 2, 2, 0};
  return s;
}

void ExpectWhole(const RunRecord& record) {
  EXPECT_EQ(record.status, RunStatus::complete);
  EXPECT_TRUE(record.conservation.Ok());
  ASSERT_GT(record.operations.size(), 20u);
  for (const OperationRecord& o : record.operations) EXPECT_EQ(o.status, OperationStatus::ok);
  EXPECT_EQ(record.Service<StorageRecord>(0).system->missing, 0u);
  EXPECT_EQ(record.Service<StorageRecord>(0).system->conflicts, 0u);
}

/// A read of a coded extent reads one fragment, or two at a fragment's end.
TEST(Extents, coded_ones_are_read_fragment_by_fragment) {
  InChild([] {
    Scenario s = Extents(1);
    s.services[0].As<StorageParameters>().erasure->coded = 1;
    const RunRecord record = headroom::Run(s, {});
    ExpectWhole(record);
    EXPECT_GE(record.Service<StorageRecord>(0).executed, record.operations.size());
    EXPECT_LT(record.Service<StorageRecord>(0).executed, record.operations.size() * 5 / 4);
    EXPECT_EQ(record.Service<StorageRecord>(0).system->reconstructed, 0u);
    EXPECT_FALSE(record.Service<StorageRecord>(0).system->background);
  });
}

TEST(Extents, what_goes_on_in_the_background_ends_with_the_workloads) {
  InChild([] {
    Scenario s = Extents(0.3);
    s.services[0].As<StorageParameters>().background =
        BackgroundParameters{GigabitsPerSecond(8), GigabitsPerSecond(8), Bytes(64 << 10)};
    const RunRecord record = headroom::Run(s, {});
    ExpectWhole(record);
    const BackgroundRecord& did = *record.Service<StorageRecord>(0).system->background;
    EXPECT_GT(did.collected, 0u);
    EXPECT_GT(did.coded, 0u);
    EXPECT_GT(did.gc_moved, 0u);
    // 4 data fragments and 4 parities; the last stripe may not have been written.
    EXPECT_GE(did.reencode_written + (128 << 10), 2 * did.reencode_read);
    EXPECT_EQ(did.failed, 0u);
    // One partition server at 8 Gbit/s for 2 ms, and the pieces that it had begun.
    EXPECT_LE(did.gc_read, 2'000'000u + (64u << 10));
  });
}

}  // namespace
}  // namespace headroom::extents_test
