// Complete runs of services with judged histories: answers of a correct store, whatever fails, and of a
// broken one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "history/block_ids.h"
#include "protocol/storage_record.h"
#include "run/judged.h"
#include "run/record_text.h"
#include "run/run.h"
#include "run/troubled_store.h"
#include "scenario/read/load.h"
#include "support/in_child.h"

namespace headroom::histories_test {
namespace {

using testing::HasSubstr;

/// Without faults: four disks' blocks on two nodes each, or a system of nine servers.
constexpr char kNodes[] = R"(name: nodes
duration: 1ms
topology: {type: star, hosts: 6, link: {rate: 100Gbps, length: 5m}}
services:
  - {name: store, type: storage, compute: [h0, h1, h2, h3], extent_nodes: [h4, h5], front: {protocol: sk_rdma},
     disk: {read: 20us, write: 5us}, disk_size: 1MiB, extent: 1MiB}
workloads: [{name: disks, type: io, service: store, reads: 50%, depth: 16, blocks: [{size: 4KiB, share: 50%},
  {size: 12KiB, share: 50%}]}]
)";
constexpr char kSystem[] = R"(name: system
duration: 1ms
topology: {type: star, hosts: 11, link: {rate: 100Gbps, length: 5m}}
services:
  - {name: store, type: storage, compute: [h0, h1], extent_nodes: [h2, h3, h4, h5, h6, h7, h8, h9, h10],
     front: {protocol: sk_rdma}, back: {protocol: su_rdma}, disk: {read: 20us, write: 5us}, disk_size: 1MiB,
     extent: 4MiB}
workloads: [{name: disks, type: io, service: store, reads: 50%, depth: 16, blocks: [{size: 4KiB, share: 50%},
  {size: 12KiB, share: 50%}]}]
)";

TEST(Histories, of_stores_in_good_health_are_right_and_every_operation_is_judged) {
  for (const char* front : {"sk_rdma", "su_rdma"}) {
    for (const char* yaml : {kNodes, kSystem}) {
      InChild([=] {
        const RunRecord record = Judged(yaml, {std::string("services.store.front.protocol=") + front});
        ExpectRight(record);
        EXPECT_GT(record.operations.size(), 200u);
        EXPECT_EQ(record.histories->operations, record.operations.size());
        EXPECT_EQ(record.histories->left_out, 0u);
        EXPECT_GT(record.histories->blocks, 300u);
        const auto& system = record.Service<StorageRecord>(0).system;
        EXPECT_EQ(record.histories->appends, system ? system->appends : 0);
      });
    }
  }
}

TEST(Histories, are_kept_where_asked_for_and_change_nothing) {
  for (const char* yaml : {kNodes, kSystem}) {
    const auto text = [=](bool histories) {
      return TextFromChild([=] {
        RunOptions options;
        options.histories = histories;
        const RunRecord record = headroom::Run(LoadScenarioText(yaml, "test.yaml", "."), options);
        EXPECT_EQ(record.histories.has_value(), histories);
        return RecordText(record);
      });
    };
    ExpectSameText(text(true), text(false));
  }
}

TEST(Histories, ios_without_a_whole_block_are_left_out_and_said_to_be) {
  InChild([] {
    const RunRecord record =
        Judged(kSystem, {"workloads.disks.blocks=[{size: 512B, share: 50%}, {size: 4KiB, share: 50%}]",
                         "workloads.disks.reads=20%"});
    ExpectRight(record);
    EXPECT_GT(record.histories->left_out, 100u);
    EXPECT_GT(record.histories->in_part, 100u);
  });
}

struct Defect {
  const char* name;
  const char* keys;
  const char* story;
};

TEST(Histories, find_what_broken_stores_do) {
  const Defect defects[] = {
      {"early_answer", "", "when only 2 of 3 nodes had executed them"},
      {"repeats", "timeout: 30us", "was executed twice"},
      {"stale_reads", "seal: {takes: 100us}", "must come before"},
  };
  for (const Defect& defect : defects) {
    for (const bool broken : {false, true}) {
      SCOPED_TRACE(defect.name);
      InChild([&] {
        std::vector<std::string> sets{fmt::format("services.store.bugs={{{}: {}}}", defect.name, broken)};
        if (const std::string keys = defect.keys; !keys.empty()) {
          const size_t colon = keys.find(':');
          sets.push_back("services.store." + keys.substr(0, colon) + '=' + keys.substr(colon + 2));
        }
        const RunRecord record = Judged(kSystem, sets);
        EXPECT_EQ(record.histories->Ok(), !broken);
        if (!broken) return;
        EXPECT_THAT(record.histories->stories.at(0), HasSubstr(defect.story));
      });
    }
  }
}

constexpr uint32_t kSeeds = 20;

/// Least number of judged operations of all seeds: a million if HEADROOM_HISTORIES is set, as in `./test
/// long`, and a fiftieth of it in `./test`.
uint64_t Wanted() {
  const char* const wanted = std::getenv("HEADROOM_HISTORIES");
  if (wanted != nullptr) return std::strtoull(wanted, nullptr, 10);
  return kAssertions ? 5000 : 20'000;  // without optimization the runs take ten times as long
}

class StoresInTrouble : public testing::TestWithParam<uint32_t> {};

/// Runs one scenario until then. Returns the number of judged operations.
uint64_t JudgedIn(uint32_t seed, int64_t until_us) {
  const std::string text = TextFromChild([&] {
    const RunRecord record = Judged(TroubledStore(seed, until_us));
    ExpectRight(record);
    EXPECT_EQ(record.status, RunStatus::complete);
    EXPECT_TRUE(record.conservation.Ok());
    constexpr uint64_t kDisks = 3, kDisk = uint64_t{1} << 20, kPieces = 16;  // of the reads at the end
    EXPECT_EQ(record.histories->blocks, kDisks * kDisk / kHistoryBlock);
    constexpr uint32_t kLast = 1;
    std::set<std::pair<NodeId, uint64_t>> read;
    for (const OperationRecord& o : record.operations) {
      if (o.workload == kLast && o.status == OperationStatus::ok) read.insert({o.client, o.number % kPieces});
    }
    EXPECT_EQ(read.size(), kDisks * kPieces);
    return std::to_string(record.histories->operations);
  });
  return std::strtoull(text.c_str(), nullptr, 10);
}

/// A short history determines the necessary length: stores differ by a factor of five.
TEST_P(StoresInTrouble, answer_as_correct_ones) {
  const uint64_t wanted = Wanted() / kSeeds;
  int64_t until_us = 1000 + static_cast<int64_t>(wanted) / 4;
  for (uint64_t judged = 0; judged < wanted && !HasFailure();) {
    const uint64_t more = JudgedIn(GetParam(), until_us);
    judged += more;
    if (judged < wanted)
      until_us = 1000 + until_us * static_cast<int64_t>(wanted - judged) / static_cast<int64_t>(more);
  }
  if (HasFailure()) std::fprintf(stderr, "%s", TroubledStore(GetParam(), until_us).c_str());
}

INSTANTIATE_TEST_SUITE_P(Seeds, StoresInTrouble, testing::Range(1u, 1 + kSeeds));

}  // namespace
}  // namespace headroom::histories_test
