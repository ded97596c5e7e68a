// Complete runs of services of keys with judged histories: a GET returns the last PUT, despite losses, or a
// cache misses.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "protocol/keyvalue/key_value_record.h"
#include "run/judged.h"
#include "run/record_text.h"
#include "run/run.h"
#include "scenario/read/load.h"
#include "support/in_child.h"

namespace headroom::key_histories_test {
namespace {

using testing::HasSubstr;

/// The services that keep values: MICA's cache, a cuckoo table, two of hopscotch.
const char* const kStores[] = {"herd", "pilaf, tables: true", "farm, tables: true", "farm_var, tables: true"};

/// There are few keys and many clients that request them.
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
      return fmt::format("{} {}", record.Service<KeyValueRecord>(0).retried, record.histories->operations);
    });
    retried += std::stoull(text);
    judged += std::stoull(text.substr(text.find(' ')));
  }
  EXPECT_GT(retried, 200u);
  EXPECT_GT(judged, 10'000u);
}

// One or two requests are lost on their way, at any time. The client repeats its request after the timeout of
// 50 us, gets its answer within some microseconds, and continues, in any order of slots. There are so many
// keys that none is drawn again meanwhile: a request for the same key would wait for its slot.
TEST(KeyHistories, a_client_that_lost_a_request_stands_still_for_one_timeout_and_no_longer) {
  int lost = 0;
  for (int i = 0; i < 16; ++i) {
    const std::string yaml = fmt::format(
        "name: lost\nduration: 240us\ndeadline: 10ms\nmtu: 4096\nseed: {}\n"
        "topology: {{type: star, hosts: [h0, h1], link: {{rate: 54.32Gbps, delay: 10ns}}}}\n"
        "nics: [{{match: '*', congestion_control: none, resources: connectx3-pcie3-x8}}]\n"
        "services: [{{name: cache, type: {}, servers: h0, clients: h1, processes: {}, window: {}, timeout: "
        "50us}}]\n"
        "workloads: [{{name: items, type: kv, service: cache, keys: 100000, value: 32B, puts: {}%}}]\n"
        "faults: [{{type: loss, link: [h1, s0], probability: 100%, start: {}ns, stop: {}ns}}]\n",
        i + 1, i % 4 == 3 ? "pilaf, tables: true" : "herd", 1 + i % 3, 2 + i % 4, i % 4 == 3 ? 100 : 50,
        20'000 + 37 * i, 20'600 + 37 * i);
    SCOPED_TRACE(yaml);
    const std::string text = TextFromChild([&] {
      const RunRecord record = Judged(yaml);
      ExpectRight(record);
      std::vector<Time> ends;
      for (const OperationRecord& o : record.operations) ends.push_back(o.completed);
      std::ranges::sort(ends);
      Time longest;
      for (size_t n = 1; n < ends.size(); ++n) longest = std::max(longest, ends[n] - ends[n - 1]);
      EXPECT_LT(longest, Microseconds(60));
      // Another timeout would cost it a fifth of its operations.
      const auto after = static_cast<double>(std::ranges::count_if(
          ends, [](Time end) { return end > Microseconds(80) && end <= Microseconds(120); }));
      const auto later = static_cast<double>(std::ranges::count_if(
          ends, [](Time end) { return end > Microseconds(200) && end <= Microseconds(240); }));
      EXPECT_GT(after, 0.8 * later);
      return std::to_string(record.Service<KeyValueRecord>(0).retried);
    });
    lost += std::stoi(text);
  }
  EXPECT_GT(lost, 2);
}

TEST(KeyHistories, of_a_cache_that_forgets_are_right_and_misses_are_no_fault) {
  InChild([] {
    const RunRecord record =
        Judged(Yaml("herd, log: 4KiB, index_keys: 8", "", "value: 200B"), {"workloads.keys.keys=300"});
    ExpectRight(record);
    EXPECT_GT(record.Service<KeyValueRecord>(0).misses, 50u);
    EXPECT_GT(record.Service<KeyValueRecord>(0).hits, 50u);
  });
}

TEST(KeyHistories, find_what_was_damaged_behind_the_nics_checks) {
  InChild([] {
    const RunRecord record = Judged(Yaml("herd", "faults: [{type: corrupt, probability: 5%, node: h2}]\n"));
    ASSERT_TRUE(record.histories);
    EXPECT_FALSE(record.histories->Ok());
    EXPECT_THAT(record.histories->stories.at(0), HasSubstr("of store: a GET"));
    EXPECT_THAT(record.histories->stories.at(0), HasSubstr("nobody ever wrote to the key"));
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
  // Emulated services have no values.
  InChild([] { EXPECT_FALSE(Judged(Yaml("farm", "")).histories); });
}

}  // namespace
}  // namespace headroom::key_histories_test
