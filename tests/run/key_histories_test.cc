// Whole runs of services of keys, judged: a GET gives what was last PUT, whatever is lost, or a cache misses.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "run/judged.h"
#include "run/record_text.h"
#include "run/run.h"
#include "scenario/read/load.h"
#include "support/in_child.h"

namespace headroom::key_histories_test {
namespace {

using testing::HasSubstr;

/// Those that keep values: MICA's cache, a cuckoo table, two of hopscotch.
const char* const kStores[] = {"herd", "pilaf, tables: true", "farm, tables: true", "farm_var, tables: true"};

/// Few keys and many who ask for them.
std::string Yaml(const std::string& service, const std::string& rest, const std::string& of = "value: 32B",
                 uint64_t seed = 1) {
  return fmt::format(R"(name: keys
seed: {}
duration: 300us
deadline: 100ms
topology: {{type: star, hosts: 5, link: {{rate: 100Gbps, length: 5m}}}}
nics: [{{match: "*", resources: gen2, transport: {{rto: 100us}}}}]
services:
  - {{name: store, type: {}, servers: [h0, h1], clients: [h2, h3, h4], processes: 2, client_processes: 2}}
workloads:
  - {{name: keys, type: kv, service: store, keys: 30, puts: 40%, read_modify_writes: 10%, distribution: zipf, {}}}
{})",
                     seed, service, of, rest);
}

uint64_t Ended(const RunRecord& record) {
  uint64_t ended = 0;
  for (const OperationRecord& o : record.operations) {
    if (!o.Finished() || o.status != OperationStatus::ok) continue;
    ended += o.kind == OperationKind::read_modify_write ? 2 : 1;
  }
  return ended;
}

TEST(KeyHistories, of_every_store_are_right_and_every_operation_is_judged) {
  for (const char* store : kStores) {
    SCOPED_TRACE(store);
    InChild([=] {
      const RunRecord record = Judged(Yaml(store, ""));
      ExpectRight(record);
      EXPECT_GT(record.operations.size(), 200u);
      EXPECT_EQ(record.histories->operations, Ended(record));
      EXPECT_EQ(record.histories->keys, 30u);
      EXPECT_EQ(record.histories->left_out, 0u);
    });
  }
}

TEST(KeyHistories, of_lossy_networks_are_right_though_requests_go_out_again) {
  uint64_t retried = 0, judged = 0;
  for (uint32_t seed = 1; seed <= 30; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    const std::string yaml =
        Yaml(fmt::format("{}, window: {}, timeout: {}us, retries: {}", kStores[seed % std::size(kStores)],
                         1 + below(8), 40 + below(100), 1 + below(6)),
             fmt::format("faults:\n"
                         "  - {{type: loss, probability: {}%, link: [h{}, s0], start: {}us, stop: 250us}}\n"
                         "  - {{type: loss, probability: {}%, link: [h{}, s0], start: 20us, stop: 250us}}\n",
                         1 + below(8), below(2), below(50), 1 + below(8), 2 + below(3)),
             fmt::format("value: {}B, inserts: {}%", 8 + below(200), below(2) * 5), seed);
    SCOPED_TRACE(yaml);
    const std::string text = TextFromChild([&] {
      const RunRecord record = Judged(yaml);
      ExpectRight(record);
      return fmt::format("{} {}", record.key_values[0].retried, record.histories->operations);
    });
    retried += std::stoull(text);
    judged += std::stoull(text.substr(text.find(' ')));
  }
  EXPECT_GT(retried, 200u);
  EXPECT_GT(judged, 10'000u);
}

TEST(KeyHistories, of_a_cache_that_forgets_are_right_and_misses_are_no_fault) {
  InChild([] {
    const RunRecord record =
        Judged(Yaml("herd, log: 4KiB, index_keys: 8", "", "value: 200B"), {"workloads.keys.keys=300"});
    ExpectRight(record);
    EXPECT_GT(record.key_values[0].misses, 50u);
    EXPECT_GT(record.key_values[0].hits, 50u);
  });
}

TEST(KeyHistories, find_what_was_damaged_behind_the_nics_checks) {
  InChild([] {
    const RunRecord record = Judged(Yaml("herd", "faults: [{type: corrupt, probability: 5%, node: h2}]\n"));
    ASSERT_TRUE(record.histories);
    EXPECT_FALSE(record.histories->Ok());
    EXPECT_THAT(record.histories->stories.at(0), HasSubstr("of store: a GET"));
    EXPECT_THAT(record.histories->stories.at(0), HasSubstr("no version of it"));
  });
}

TEST(KeyHistories, are_kept_where_asked_for_and_where_there_are_values_and_change_nothing) {
  for (const char* store : kStores) {
    const auto text = [=](bool histories) {
      return TextFromChild([=] {
        RunOptions options;
        options.histories = histories;
        const RunRecord record = headroom::Run(LoadScenarioText(Yaml(store, ""), "test.yaml", "."), options);
        EXPECT_EQ(record.histories.has_value(), histories);
        return RecordText(record);
      });
    };
    ExpectSameText(text(true), text(false));
  }
  // What is emulated has no values.
  InChild([] { EXPECT_FALSE(Judged(Yaml("farm", "")).histories); });
}

}  // namespace
}  // namespace headroom::key_histories_test
