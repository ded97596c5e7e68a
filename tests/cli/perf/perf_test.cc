// `headroom perf`: its plan, its errors, its output.
#include "cli/perf/perf.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "cli/run_request.h"

namespace headroom::perf_test {
namespace {

constexpr const char* kScenario = R"(
topology: {type: star, hosts: 4, link: {rate: 100Gbps, length: 3m}}
mtu: 1024
priorities:
  lossy: {priority: 0}
  storage: {priority: 3, lossless: true}
  cnp: {priority: 6, strict: true}
workloads: [{name: all, type: permutation, size: 2MB}]
)";

class PerfCommandTest : public ::testing::Test {
 protected:
  PerfCommandTest()
      : file_(std::filesystem::temp_directory_path() /
              ("headroom-perf-" + std::to_string(getpid()) + ".yaml")) {
    std::ofstream(file_) << kScenario;
    options_.from = "h0";
    options_.to = "h3";
  }
  ~PerfCommandTest() override { std::filesystem::remove(file_); }

  PerfPlan Plan() const { return PlanPerf(file_, {}, options_); }
  std::string Refusal() const {
    try {
      Plan();
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  }

  const std::filesystem::path file_;
  PerfOptions options_;
};

TEST_F(PerfCommandTest, DefaultsArePerftests) {
  PerfPlan plan = Plan();
  EXPECT_TRUE(plan.scenario.workloads.empty());
  ASSERT_EQ(plan.sizes.size(), 1u);
  EXPECT_EQ(plan.sizes[0].size, 65536u);
  EXPECT_EQ(plan.sizes[0].iterations, 5000);
  EXPECT_EQ(plan.sizes[0].cq_mod, 1);
  EXPECT_EQ(plan.sizes[0].inline_size, 0u);
  EXPECT_EQ(plan.sizes[0].priority, 3);
  EXPECT_EQ(plan.sizes[0].from, 0u);
  EXPECT_EQ(plan.sizes[0].to, 3u);
  options_.test = "ib_send_lat";
  options_.connection = "UD";
  options_.traffic_class = "lossy";
  plan = Plan();
  EXPECT_EQ(plan.sizes[0].size, 2u);
  EXPECT_EQ(plan.sizes[0].iterations, 1000);
  EXPECT_EQ(plan.sizes[0].inline_size, 188u);
  EXPECT_EQ(plan.sizes[0].priority, 0);
}

TEST_F(PerfCommandTest, FlagsOnAcksNeedAcks) {
  std::ofstream(file_) << kScenario << "nics: [{match: h3, generation: hpcc-sim}]\n";
  Plan();
  options_.test = "ib_read_bw";
  Plan();  // h0 receives the data
  std::swap(options_.from, options_.to);
  EXPECT_EQ(
      Refusal(),
      "the NIC of \"h3\" reports ECN marks only in a flag on ACKs (coalescing: ack_flag), but a READ has "
      "no ACKs; choose another generation than hpcc-sim, because other NICs send CNPs");
  options_.test = "ib_send_bw";
  options_.connection = "UC";
  Plan();  // h0 receives the data
  options_.test = "ib_send_lat";
  EXPECT_EQ(Refusal().substr(0, 15), "the NIC of \"h3\"");
}

TEST_F(PerfCommandTest, AllSizesAreThePowersOfTwoUpTo8MiBOrTheMtu) {
  options_.all = true;
  PerfPlan plan = Plan();
  ASSERT_EQ(plan.sizes.size(), 23u);
  EXPECT_EQ(plan.sizes.front().size, 2u);
  EXPECT_EQ(plan.sizes.front().cq_mod, 100);
  EXPECT_EQ(plan.sizes.back().size, 1u << 23);
  EXPECT_EQ(plan.sizes.back().iterations, 128);  // 1 GiB
  options_.test = "ib_send_bw";
  options_.connection = "UD";
  EXPECT_EQ(Plan().sizes.back().size, 1024u);
}

TEST_F(PerfCommandTest, RefusesWhatCannotBe) {
  const PerfOptions good = options_;
  const auto with = [&](auto change) {
    options_ = good;
    change(options_);
    return Refusal();
  };
  EXPECT_EQ(with([](PerfOptions& o) { o.test = "ib_write_lta"; }),
            "there is no test \"ib_write_lta\"; did you mean \"ib_write_lat\"?");
  EXPECT_EQ(with([](PerfOptions& o) { o.to = "h33"; }), "there is no host \"h33\"; did you mean \"h3\"?");
  EXPECT_EQ(with([](PerfOptions& o) { o.to = "h0"; }), "--from and --to are the same host; give two");
  EXPECT_EQ(with([](PerfOptions& o) { o.connection = "UD"; }), "UD has no WRITE");
  EXPECT_EQ(with([](PerfOptions& o) { o.test = "ib_read_bw", o.connection = "UC"; }), "UC has no READ");
  EXPECT_EQ(with([](PerfOptions& o) { o.connection = "XRC"; }),
            "there is no connection \"XRC\"; there are: RC, UC, UD");
  EXPECT_EQ(with([](PerfOptions& o) { o.test = "ib_send_bw", o.connection = "UD", o.size = 1025; }),
            "--size 1025 is out of range; allowed: 1 to 1024, because a UD message fits into one mtu");
  EXPECT_EQ(with([](PerfOptions& o) { o.test = "ib_read_lat", o.queue_pairs = 2; }),
            "--qp needs a bandwidth test, such as ib_write_bw");
  EXPECT_EQ(with([](PerfOptions& o) { o.cq_mod = 129; }), "--cq-mod 129 is out of range; allowed: 1 to 128");
  EXPECT_EQ(with([](PerfOptions& o) { o.all = true, o.size = 2; }), "--all and --size exclude each other");
  EXPECT_EQ(with([](PerfOptions& o) { o.traffic_class = "bulk"; }),
            "there is no traffic class \"bulk\"; there are: lossy, storage, cnp");
}

TEST_F(PerfCommandTest, RowsComeInTheOrderOfTheSizesAndAreTheSameWhateverTheJobs) {
  options_.all = true;
  options_.iterations = 10;
  options_.test = "ib_send_lat";
  options_.connection = "UD";
  const PerfPlan plan = Plan();
  std::vector<nlohmann::ordered_json> one, three;
  EXPECT_EQ(MeasurePerf(plan, 1, [&](const auto& row) { one.push_back(row); }), kDone);
  EXPECT_EQ(MeasurePerf(plan, 3, [&](const auto& row) { three.push_back(row); }), kDone);
  ASSERT_EQ(one.size(), 10u);
  EXPECT_EQ(one, three);
  for (size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i]["bytes"], 2 << i);
  const auto json = PerfJson(plan, one);
  EXPECT_EQ(json["results"].size(), 10u);
  EXPECT_EQ(json["priority"], "storage");
}

TEST_F(PerfCommandTest, TablesHavePerftestsColumns) {
  const nlohmann::ordered_json row = {{"bytes", 65536},
                                      {"iterations", 5000},
                                      {"bw_peak_gbps", 91.25},
                                      {"bw_average_gbps", 8.388608},
                                      {"msg_rate_mpps", 0.173}};
  // 8.388608 Gb/s are 1000 MiB/s.
  EXPECT_EQ(PerfHead(Plan(), false),
            "ib_write_bw: RDMA WRITE bandwidth from h0 to h3, RC, mtu 1024, class storage, 1 queue pair, tx "
            "depth 128, "
            "a completion for each\n"
            " #bytes   #iterations    BW peak[MiB/sec]   BW average[MiB/sec]   MsgRate[Mpps]\n");
  EXPECT_EQ(PerfRow(Plan(), row, false),
            " 65536    5000           10877.85           1000.00               0.173000\n");
  EXPECT_EQ(PerfRow(Plan(), row, true),
            " 65536    5000           91.25              8.39                  0.173000\n");
  options_.test = "ib_read_lat";
  EXPECT_EQ(
      PerfHead(Plan(), false),
      "ib_read_lat: RDMA READ latency from h0 to h3, RC, mtu 1024, class storage\n"
      " #bytes   #iterations  t_min[usec]   t_max[usec]   t_typical[usec]  t_avg[usec]   t_stdev[usec]   "
      "99% percentile[usec]   99.9% percentile[usec]\n");
}

}  // namespace
}  // namespace headroom::perf_test
