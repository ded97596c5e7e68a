#include "report/pooled.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>

#include "files/staged_directory.h"
#include "report/metric_path.h"

namespace headroom::pooled_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct Message {
  int64_t bytes, ns;
  bool finished = true;
};

class PooledTest : public ::testing::Test {
 protected:
  PooledTest() : root_(fs::temp_directory_path() / ("headroom-pooled-" + std::to_string(getpid()))) {}
  ~PooledTest() override { fs::remove_all(root_); }

  /// A result with one message that began in the warm-up, and these. Each began at 1 µs. The run ended at 9
  /// ms.
  SeedResult Write(uint64_t seed, const std::vector<Message>& messages) {
    const fs::path dir = root_ / fmt::format("seed-{}", seed);
    fs::create_directories(dir);
    std::ofstream out(dir / "messages.csv");
    out << "id,workload,src,dst,scope,priority,verb,bytes,start_ns,delivered_ns,completed_ns,ideal_ns,"
           "slowdown,"
           "finished\n";
    const auto line = [&](int64_t start, const Message& m) {
      const std::string end = m.finished ? fmt::format("{}.000", start + m.ns) : "";
      out << fmt::format("w/h/1,w,a,b,rack,3,write,{},{}.000,{},{},500.000,{},{:d}\n", m.bytes, start, end,
                         end, m.finished ? "1" : "", m.finished);
    };
    line(10, {1, 8'000'000});
    for (const Message& m : messages) line(1000, m);
    ordered_json summary;
    summary["seed"] = seed;
    summary["sim_time_us"] = 9000.0;
    summary["messages"]["w"] = {
        {"offered", messages.size()}, {"warmup_offered", 1}, {"slowdown", ordered_json::object()}};
    return {summary, dir};
  }

  ordered_json Pooled(const std::vector<SeedResult>& seeds) {
    auto list = ordered_json::array();
    for (const SeedResult& seed : seeds) list.push_back(seed.summary["seed"]);
    ordered_json summary = {{"seeds", {{"list", list}}}};
    AddPooled(summary, seeds);
    return summary["seeds"]["pooled"];
  }

  const fs::path root_;
};

/// By counting.
double Percentile(const std::vector<std::vector<Message>>& seeds, size_t without, double share) {
  std::vector<double> all;
  for (size_t i = 0; i < seeds.size(); ++i) {
    for (const Message& m : seeds[i])
      if (i != without) all.push_back(static_cast<double>(m.ns) / 1000);
  }
  std::sort(all.begin(), all.end());
  return all[static_cast<size_t>(std::ceil(share * static_cast<double>(all.size()) - 1e-9)) - 1];
}

TEST_F(PooledTest, PercentilesAreTheNearestRanksOfAllSeedsAndOfAllButOne) {
  std::mt19937 chance(1);
  std::lognormal_distribution<double> us(4, 1);
  for (const size_t seeds : {2u, 5u}) {
    std::vector<std::vector<Message>> messages(seeds);
    std::vector<SeedResult> results;
    for (size_t i = 0; i < seeds; ++i) {
      for (size_t n = 30 + 40 * i; n > 0; --n)
        messages[i].push_back({4096, static_cast<int64_t>(1000 * us(chance)) + 1});
      results.push_back(Write(i + 1, messages[i]));
    }
    const ordered_json pooled = Pooled(results);
    for (const auto& [name, share] : {std::pair("p50", 0.5), {"p90", 0.9}, {"p99", 0.99}, {"p999", 0.999}}) {
      const ordered_json& entry = pooled["messages"]["w"]["completion_us"][name];
      EXPECT_DOUBLE_EQ(entry["value"], Percentile(messages, seeds, share)) << name;
      ASSERT_EQ(entry["left_out"].size(), seeds);
      for (size_t i = 0; i < seeds; ++i)
        EXPECT_DOUBLE_EQ(entry["left_out"][i], Percentile(messages, i, share)) << name << ' ' << i;
      EXPECT_LE(entry["low"], entry["value"]);
      EXPECT_GE(entry["high"], entry["value"]);
      EXPECT_DOUBLE_EQ(pooled["messages"]["w"]["slowdown"][name]["value"].get<double>(),
                       entry["value"].get<double>() / 0.5);
      EXPECT_EQ(pooled["messages"]["w"]["delivery_us"][name]["value"], entry["value"]);
    }
  }
}

TEST_F(PooledTest, ASeedsEffectOnBothResultsCancels) {
  std::vector<SeedResult> a, b;
  for (const uint64_t seed : {1u, 2u, 3u}) {
    const auto ns = static_cast<int64_t>(1000 * seed * seed);
    a.push_back(Write(seed, {{4096, ns}, {4096, 2 * ns}}));
    b.push_back(Write(seed + 10, {{4096, 2 * ns}, {4096, 4 * ns}}));
  }
  const std::string path = "messages.w.completion_us.p99";
  const ordered_json in_a = Pooled(a), in_b = Pooled(b);
  const ordered_json &x = *FindMetric(in_a, path), &y = *FindMetric(in_b, path);
  EXPECT_NEAR(PooledChange(x, y, true).Change(), 1, 1e-12);
  EXPECT_NEAR(PooledChange(x, y, true).High(), 1, 1e-12);
  EXPECT_GT(PooledChange(x, y, false).High(), 1.5);
  const Effect one = PooledChangeFromOneRun(18, y);
  EXPECT_NEAR(one.Change(), 1, 1e-12);
  // t s √(1 + 1/n), where the interval of the percentile itself has t s / √n.
  EXPECT_NEAR(one.half, 2 * std::log(y["high"].get<double>() / y["value"].get<double>()), 1e-12);
}

TEST_F(PooledTest, WhatIsNotThereIsNotPooled) {
  SeedResult lacks = Write(2, {{4096, 20'000}});
  lacks.summary["messages"]["w"]["offered"] = 2;  // one in two has a line
  EXPECT_TRUE(Pooled({Write(1, {{4096, 10'000}}), lacks}).empty());
  EXPECT_TRUE(Pooled({Write(1, {{4096, 10'000}}), Write(2, {})}).empty());
  EXPECT_TRUE(Pooled({Write(1, {{4096, 10'000}})}).empty());
}

TEST_F(PooledTest, AnUnfinishedMessageMakesALowerBound) {
  const ordered_json pooled =
      Pooled({Write(1, {{4096, 10'000}, {4096, 0, false}}), Write(2, {{4096, 20'000}})});
  const ordered_json& of = pooled["messages"]["w"]["completion_us"];
  EXPECT_EQ(of["p99"]["value"], 8999.0);
  EXPECT_TRUE(of["p99"].contains("censored"));
  EXPECT_FALSE(of["p50"].contains("censored"));
}

TEST_F(PooledTest, MessagesOfASizeAreThoseOfTheUpperHalf) {
  const std::vector<Message> messages = {{32768, 1'000}, {32769, 2'000}, {65536, 3'000}, {65537, 4'000}};
  const std::string metric = "messages.w.slowdown.by_size.\"64KiB\".p50";
  SeedResult run = Write(1, messages);
  EXPECT_TRUE(AddBySize(run.summary, {run}, metric));
  EXPECT_EQ(FindNumber(run.summary, metric), 4.0);
  ordered_json several = run.summary;
  several["seeds"]["list"] = {1, 2};
  EXPECT_TRUE(AddBySize(several, {run, Write(2, messages)}, metric));
  EXPECT_EQ(FindNumber(several, "seeds.pooled." + metric + ".value"), 4.0);
  EXPECT_FALSE(AddBySize(run.summary, {run}, "messages.w.slowdown.p50"));
  EXPECT_FALSE(AddBySize(run.summary, {run}, "messages.other.slowdown.by_size.64KiB.p50"));
  for (const char* wrong : {"64us", "1MiB"}) {
    EXPECT_THROW(AddBySize(run.summary, {run}, fmt::format("messages.w.slowdown.by_size.{}.p50", wrong)),
                 ResultError)
        << wrong;
  }
}

ordered_json Percentile(const std::vector<SeedResult>& runs, const std::string& metric) {
  ReadValues read;
  return PooledPercentile(runs, metric, read);
}

TEST_F(PooledTest, APercentileIsThatOfTheSummaryOverTheSameRuns) {
  const std::vector<SeedResult> both = {Write(1, {{4096, 10'000}, {65536, 30'000}}),
                                        Write(2, {{4096, 20'000}, {65536, 50'000}})};
  const std::string path = "messages.w.completion_us.p99";
  EXPECT_EQ(Percentile(both, path), *FindMetric(Pooled(both), path));
  EXPECT_EQ(Percentile({both[0]}, path).dump(), R"({"value":30.0})");
  const std::string by_size = "messages.w.completion_us.by_size.\"4KiB\".p50";
  EXPECT_EQ(Percentile(both, by_size)["value"], 10.0);
  EXPECT_EQ(Percentile(both, "messages.w.completion_us.by_size.64B.p50").dump(), "{}");
  SeedResult lacks = both[0];
  lacks.summary["messages"]["w"]["offered"] = 3;
  EXPECT_TRUE(Percentile({lacks, both[1]}, path).is_null());
  EXPECT_TRUE(Percentile({lacks}, by_size).is_null());
  for (const char* other : {"messages.w.completion_us.mean", "messages.w.completion_us.p98", "pfc.p99",
                            "messages.w.offered", "messages.v.slowdown.p99", "p99"})
    EXPECT_TRUE(Percentile(both, other).is_null()) << other;
  EXPECT_THROW(Percentile(both, "messages.w.slowdown.by_size.\"64us\".p99"), ResultError);
}

TEST_F(PooledTest, SeveralPercentilesOfAResultReadItsFileOnce) {
  const std::vector<SeedResult> run = {Write(1, {{4096, 10'000}, {65536, 30'000}})};
  ReadValues read;
  const auto value = [&](const char* metric) { return PooledPercentile(run, metric, read)["value"]; };
  EXPECT_EQ(value("messages.w.completion_us.p99"), 30.0);
  std::filesystem::resize_file(run[0].dir / "messages.csv", 0);
  EXPECT_EQ(value("messages.w.completion_us.p50"), 10.0);
}

// A seed has an effect on its messages, and so do the two settings of a seed. 100 trials: a standard error of
// 2.2 %.
TEST_F(PooledTest, IntervalsCoverAChangeAsOftenAsTheySay) {
  std::mt19937 chance(3);
  std::normal_distribution<double> normal;
  constexpr int kTrials = 100, kSeeds = 6, kMessages = 100;
  const std::string path = "messages.w.completion_us.p90";
  int covered = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<SeedResult> sides[2];
    for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const double shared = 0.2 * normal(chance);
      for (const int side : {0, 1}) {
        const double own = shared + 0.1 * normal(chance);
        std::vector<Message> messages;
        for (int i = 0; i < kMessages; ++i)
          messages.push_back(
              {4096, std::llround((side ? 0.8e4 : 1e4) * std::exp(own + 1.2 * normal(chance))) + 1});
        sides[side].push_back(Write(seed + 100 * side, messages));
      }
    }
    const Effect found = PooledChange(Percentile(sides[0], path), Percentile(sides[1], path), true);
    covered += found.Low() <= -0.2 && -0.2 <= found.High();
  }
  EXPECT_NEAR(covered / double{kTrials}, 0.95, 0.06);
}

}  // namespace
}  // namespace headroom::pooled_test
