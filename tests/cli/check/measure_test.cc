#include "cli/check/measure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/program_options.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/commands.h"
#include "support/test_folder.h"

namespace headroom::measure_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// Two hosts use a disk at the third.
constexpr const char* kDisks = R"(name: disks
duration: 8ms
topology: {type: star, hosts: 3, link: {rate: 100Gbps, length: 5m}}
hosts: [{match: "*", cores: 1, clock: 4GHz, rdma: {cycles_per_message: 400}}]
services:
  - {name: store, type: storage, compute: [h0, h1], extent_nodes: [h2],
     front: {protocol: sk_rdma, credits: 64}, disk: {read: 50us, write: 20us}}
workloads: [{name: reads, type: io, service: store, reads: 100%, depth: 32, blocks: [{size: 4KiB}]}]
)";
constexpr const char* kStream = R"(name: streams
duration: 2ms
topology: {type: star, hosts: 2, link: {rate: 100Gbps, length: 5m}}
workloads: [{name: stream, type: stream, from: h0, to: h1, message: 256KB, in_flight: 4}]
)";

struct Bound {
  const char* resource;
  const char* text;
  std::vector<std::string> sets, doubled;
};

class MeasureTest : public ::testing::TestWithParam<Bound> {
 protected:
  fs::path Write(const std::string& text) { return folder_.Write("scenario.yaml", text); }
  static nlohmann::json Only(const fs::path& file, const std::vector<std::string>& sets) {
    std::ostringstream out;
    EXPECT_EQ(Measure({file}, sets, 600, true, out), 0);
    return nlohmann::json::parse(out.str()).at("workloads").at(0);
  }

  TestFolder folder_;
};

/// The full resource limits the rate: with twice as much of it, the rate is higher.
TEST_P(MeasureTest, NamesTheResourceThatLimits) {
  const Bound& bound = GetParam();
  const fs::path file = Write(bound.text);
  const nlohmann::json once = Only(file, bound.sets);
  ASSERT_EQ(once.at("full").size(), 1u) << once;
  EXPECT_EQ(once.at("full").at(0).at("resource"), bound.resource);
  EXPECT_GE(once.at("full").at(0).at("share"), 0.95);
  std::vector<std::string> sets = bound.sets;
  sets.insert(sets.end(), bound.doubled.begin(), bound.doubled.end());
  EXPECT_GT(Only(file, sets).at("per_second").get<double>(), 1.5 * once.at("per_second").get<double>());
}

INSTANTIATE_TEST_SUITE_P(
    Each, MeasureTest,
    ::testing::Values(
        Bound{"disk", kDisks, {"services.store.disk.iops=200000"}, {"services.store.disk.iops=400000"}},
        Bound{"core", kDisks, {"hosts.*.rdma.cycles_per_message=8000"}, {"hosts.*.clock=8GHz"}},
        Bound{"credit", kDisks, {"services.store.front.credits=2"}, {"services.store.front.credits=4"}},
        Bound{"depth", kDisks, {"workloads.reads.depth=1"}, {"workloads.reads.depth=2"}},
        Bound{"link", kStream, {}, {"topology.link.rate=200Gbps"}}),
    [](const auto& test) { return std::string(test.param.resource); });

TEST_F(MeasureTest, LeavesOutARateAndSaysSo) {
  const fs::path file = Write(kDisks);
  const nlohmann::json one =
      Only(file, {"workloads.reads={name: reads, type: io, service: store, reads: 100%, "
                  "arrival: poisson, rate: 1000, blocks: [{size: 4KiB}]}"});
  EXPECT_EQ(one.at("load"), "closed loop, 64 open (rate left out)");
  EXPECT_GT(one.at("per_second"), 100'000);
}

TEST_F(MeasureTest, NamesWorkloadsThatTheBudgetLeavesOut) {
  std::ostringstream out;
  EXPECT_EQ(Measure({Write(kDisks)}, {}, 1e-9, false, out), 1);
  EXPECT_THAT(out.str(), HasSubstr("reads was not measured: the budget is exhausted; raise --budget"));
}

TEST_F(MeasureTest, RefusesABadBudget) {
  const std::string file = Write(kDisks).string();
  for (const char* budget : {"soon", "0", "-1", "1e9", "5min"}) {
    try {
      CheckCommand({file, "--measure", "--budget", budget});
      ADD_FAILURE() << budget;
    } catch (const boost::program_options::error& e) {
      EXPECT_THAT(e.what(), HasSubstr("give seconds, more than 0 and at most 86400, such as 60"));
    }
  }
}

}  // namespace
}  // namespace headroom::measure_test
