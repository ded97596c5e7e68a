// `results: stream` gives the files of `results: memory`, in memory that does not grow with the run.
#include "run/stream/streamed_records.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/result.h"
#include "report/summary/summary.h"
#include "run/run.h"
#include "scenario/memory/memory.h"
#include "scenario/read/load.h"
#include "support/fewer.h"
#include "support/in_child.h"
#include "support/short_runs.h"
#include "support/streamed.h"
#include "support/test_folder.h"
#include "support/text_file.h"

namespace headroom::streamed_records_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Runs up to this number of events in this process. `folder`: for the records of `results: stream`.
RunRecord RunFor(const Scenario& scenario, uint64_t events, const fs::path& folder, size_t buffer) {
  RunOptions options;
  options.ended = EndedFor(scenario, folder, nullptr, buffer);
  options.progress_every = events;
  options.on_progress = [](const Progress&) { return false; };
  return headroom::Run(scenario, options);
}

/// The CSV files as one text, then the summary as `exact` values allow.
std::string Files(const ScenarioFile& file, const fs::path& folder, size_t exact = kExactValues) {
  return TextFromChild([&] {
    constexpr uint64_t kMost = 150'000;
    RunRecord record = RunFor(file.scenario, kMost, folder / "stream", kSmallBuffer);
    const auto summary = Summarise(file.scenario, record, {}, exact);
    WriteResult(folder / "result", file.scenario, record, summary, {}, false);
    std::vector<fs::path> names;
    for (const auto& entry : fs::directory_iterator(folder / "result"))
      if (entry.path().extension() == ".csv") names.push_back(entry.path());
    std::ranges::sort(names);
    std::string text;
    for (const fs::path& name : names) text += name.filename().string() + ": " + ReadTextFile(name) + "\n";
    return text + '\0' + ReadTextFile(folder / "result" / "summary.json");
  });
}

std::string CsvOf(const std::string& files) { return files.substr(0, files.find('\0')); }

/// The summary without what only `results: stream` has.
json SummaryOf(const std::string& files) {
  json summary = json::parse(files.substr(files.find('\0') + 1));
  summary.erase("run");
  summary.erase("percentiles");
  return summary;
}

void EraseErrors(json& node, bool of_lines) {
  if (!node.is_object()) return;
  if (of_lines) node.erase("error");
  for (json& below : node) EraseErrors(below, of_lines);
}

/// The first lines that differ.
std::string Difference(const std::string& a, const std::string& b) {
  const auto at = std::ranges::mismatch(a, b).in1 - a.begin();
  const size_t from = a.rfind('\n', static_cast<size_t>(at)) + 1;
  return a.substr(from, 300) + "\n  in place of\n" + b.substr(std::min(from, b.size()), 300);
}

TEST(StreamedRecords, random_scenarios_give_the_same_files) {
  const TestFolder folder;
  int pauses = 0, operations = 0;
  for (uint64_t seed = 1; seed <= FewerIfSanitized(MoreIfLong(60)); ++seed) {
    const std::string kept =
        Files(LoadRandomScenarioFor("memory", seed), folder / fmt::format("{}-memory", seed));
    const std::string streamed =
        Files(LoadRandomScenarioFor("stream", seed), folder / fmt::format("{}-stream", seed));
    if (CsvOf(streamed) != CsvOf(kept))
      ADD_FAILURE() << "seed " << seed << ": " << Difference(CsvOf(streamed), CsvOf(kept));
    json of_kept = SummaryOf(kept), of_streamed = SummaryOf(streamed);
    EraseErrors(of_kept, true);
    EraseErrors(of_streamed, true);
    EXPECT_EQ(of_streamed, of_kept) << "seed " << seed << json::diff(of_kept, of_streamed).dump(1);
    pauses += of_kept["pfc"]["pauses"] > 0;
    operations += of_kept.contains("operations");
    EXPECT_FALSE(fs::exists(folder / fmt::format("{}-stream/stream", seed)));
  }
  EXPECT_GE(pauses, LeastOf(5));
  EXPECT_GE(operations, LeastOf(5));
}

TEST(StreamedRecords, unreliable_messages_arrive_after_their_end) {
  const TestFolder folder;
  const auto files = [&](const std::string& results) {
    return Files(
        LoadScenarioFileText(
            "name: unreliable\nduration: 50us\nobserve: {causes: false}\nresults: " + results +
                "\ntopology: {type: star, hosts: 3, link: {rate: 100Gbps, length: 5m}}\n"
                "switches: [{match: \"*\", oscillator: exact}]\nnics: [{match: \"*\", oscillator: exact}]\n"
                "workloads:\n  - {name: w, type: verbs, verb: send, transport: uc, from: \"h[01]\", to: h2, "
                "message: 200B}\n",
            "unreliable.yaml", "."),
        folder / results);
  };
  const std::string kept = files("memory"), streamed = files("stream");
  EXPECT_NE(CsvOf(kept).find("w/h0/0,w,h0,h2,rack,3,send,200,0.000,595.120,22.560,"), std::string::npos);
  EXPECT_EQ(CsvOf(streamed), CsvOf(kept)) << Difference(CsvOf(streamed), CsvOf(kept));
}

/// Compares a summary with percentiles in buckets with an exact one.
void ExpectAlike(const json& buckets, const json& exact, const std::string& at) {
  if (exact.is_object()) {
    for (const auto& [key, below] : exact.items()) {
      ASSERT_TRUE(buckets.contains(key)) << at << '.' << key;
      // A bound in a percentile's bucket counts as below it; bands end at buckets.
      if (key == "censored" || key.starts_with("parts_") || key.starts_with("waits_") || key == "error")
        continue;
      ExpectAlike(buckets[key], below, at + '.' + key);
    }
    return;
  }
  const std::string last = at.substr(at.rfind('.') + 1);
  const bool inexact = last.starts_with("p") && last.size() <= 4 && last != "pfc";
  if (exact.is_number() && (inexact || last == "mean" || last == "max")) {
    const double value = exact, error = inexact ? 1e-3 : 1e-9;
    EXPECT_NEAR(buckets.get<double>(), value, error * value) << at;
  } else {
    EXPECT_EQ(buckets, exact) << at;
  }
}

TEST(StreamedRecords, beyond_the_exact_values_only_percentiles_differ_by_a_thousandth) {
  const TestFolder folder;
  int in_buckets = 0;
  for (uint64_t seed = 1; seed <= FewerIfSanitized(30); ++seed) {
    constexpr size_t kFew = 20;
    const std::string kept =
        Files(LoadRandomScenarioFor("memory", seed), folder / fmt::format("{}-memory", seed));
    const std::string streamed =
        Files(LoadRandomScenarioFor("stream", seed), folder / fmt::format("{}-stream", seed), kFew);
    EXPECT_EQ(CsvOf(streamed), CsvOf(kept)) << "seed " << seed;
    ExpectAlike(SummaryOf(streamed), SummaryOf(kept), fmt::format("seed {}", seed));
    const json all = json::parse(streamed.substr(streamed.find('\0') + 1));
    in_buckets += all["percentiles"] == "log_buckets";
    EXPECT_TRUE(all["percentiles"] == "log_buckets" || all["percentiles"] == "exact");
  }
  EXPECT_GE(in_buckets, LeastOf(5));
}

/// The most memory of the heap during a run of small messages and I/Os, and pauses, for this long.
double MostMemory(const std::string& results, int ms) {
  const Scenario s = LoadScenarioText(
      fmt::format("name: s\nduration: {}ms\nobserve: {{causes: false}}\nresults: {}\n", ms, results) +
          "topology: {type: star, hosts: 9, link: {rate: 100Gbps, length: 5m}}\n"
          "switches: [{match: \"*\", buffer: {profile: azure-24mb, alpha: 1/256}}]\n"
          "nics: [{match: \"*\", congestion_control: none}]\n"
          "services:\n  - {name: store, type: storage, compute: h0, extent_nodes: \"h[1-3]\",\n"
          "     front: {protocol: sk_rdma}}\n"
          "workloads:\n"
          "  - {name: few, type: stream, from: \"h[4-7]\", to: h8, message: 2KB, in_flight: 8}\n"
          "  - {name: each, type: stream, from: h4, to: h5, message: 2KB, in_flight: 4, qp: per_message}\n"
          "  - {name: disks, type: io, service: store, blocks: [{size: 4KiB, share: 100%}], reads: 50%, "
          "depth: 16}\n",
      "s.yaml", ".");
  const TestFolder folder;
  return std::stod(TextFromChild([&] {
    double most = 0;
    RunOptions options;
    options.ended = EndedFor(s, folder / "stream", nullptr, size_t{1} << 16);
    options.progress_every = 10'000;
    options.on_progress = [&](const Progress&) {
      most = std::max(most, HeapMemory());
      return true;
    };
    const RunRecord record = headroom::Run(s, options);
    most = std::max(most, HeapMemory());
    Summarise(s, record, {}, 1000);
    EXPECT_GT(record.packet_hops, 10'000u);
    return std::to_string(std::max(most, HeapMemory()));
  }));
}

TEST(StreamedRecords, memory_does_not_grow_with_the_run) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer has a heap of its own";
#endif
  // The first 32 ms fill what does not grow further: steps of operations, and places of messages.
  constexpr int kFull = 32, kMore = 8;
  const double grown = MostMemory("stream", kFull + kMore) - MostMemory("stream", kFull);
  const double in_memory = MostMemory("memory", 2 * kMore) - MostMemory("memory", kMore);
  EXPECT_GT(in_memory, 3e6);
  EXPECT_LT(grown, in_memory / 20);
}

}  // namespace
}  // namespace headroom::streamed_records_test
