#include "scenario/hpcc_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "scenario/read/load.h"

namespace headroom::hpcc_files_test {
namespace {

namespace fs = std::filesystem;

class HpccFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = fs::path(::testing::TempDir()) /
            (std::string("headroom-hpcc-") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
  }
  void TearDown() override { fs::remove(path_); }

  template <class F>
  std::string ErrorOf(const std::string& text, F&& read) {
    std::ofstream(path_) << text;
    try {
      read(path_, Position{});
    } catch (const ScenarioError& e) {
      const std::string message = e.what();
      return message.starts_with(path_.string()) ? message.substr(path_.string().size()) : message;
    }
    return "no error";
  }

  fs::path path_;
};

TEST_F(HpccFiles, topology_errors_name_the_line) {
  const auto error = [&](const std::string& text) { return ErrorOf(text, ReadHpccTopology); };
  EXPECT_EQ(error(""), ":1:1: the file ends early; expected: nodes switches links");
  EXPECT_EQ(error("3 1\n"), ":1:1: 2 values in the line; expected: nodes switches links");
  EXPECT_EQ(error("3 1 2\n7\n"), ":2:1: \"7\" is out of range; allowed: 0 to 2");
  EXPECT_EQ(error("3 1 2\n2\n0 2 100Gbps 1us 0\n"),
            ":4:1: the file ends early; expected: src dst rate delay error_rate");
  EXPECT_EQ(error("3 1 1\n2\n0 0 100Gbps 1us 0\n"), ":3:1: \"n0\" is linked to itself");
  EXPECT_EQ(error("3 1 1\n2\n0 2 100Gbps 1us 1.5\n"), ":3:1: \"1.5\" is out of range; allowed: 0 to below 1");
  EXPECT_EQ(error("3 1 1\n2\n\n0 2 100Gps 1us 0\n").substr(0, 25), ":4:1: \"100Gps\" is not a r");
  EXPECT_EQ(error("3 1 1\n2\n0 2 100Gbps 1us 0\n"), ":1:1: host \"n1\" has no link");
  const std::string star = "2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n";
  EXPECT_EQ(error("3 1 2\n" + star), "no error");
  EXPECT_EQ(error("3 1 3\n" + star + "1 2 100Gbps 1us 0\n"),
            ":5:1: a second link of host \"n1\" is not supported yet; a host has one link");
  EXPECT_EQ(error("3 1 2 2\n" + star), ":1:1: 4 values in the line; expected: nodes switches links");
}

TEST_F(HpccFiles, flow_errors_name_the_line) {
  const auto error = [&](const std::string& text) { return ErrorOf(text, ReadHpccFlows); };
  EXPECT_EQ(error("1\n0 1 8 100 1 2\n"), ":2:1: \"8\" is out of range; allowed: 0 to 7");
  EXPECT_EQ(error("1\n0 1 3 100 0 2\n").substr(0, 26), ":2:1: \"0\" is out of range;");
  EXPECT_EQ(error("2\n0 1 3 100 1 2\n0 1 3 100 1 200000\n"),
            ":3:1: the flow starts more than a day after the first");
  EXPECT_EQ(error("1\n0 1 3 100 1 2.000000000\n"), "no error");
}

TEST_F(HpccFiles, of_the_simulator_itself) {
  const fs::path data = fs::path(HEADROOM_SOURCE_DIR) / "../shared/data/hpcc";
  if (!fs::exists(data)) GTEST_SKIP() << "the data are not at hand";
  const CustomSpec fat = ReadHpccTopology(data / "fat.txt", {});
  EXPECT_EQ(fat.hosts.size(), 320u);
  EXPECT_EQ(fat.switches.size(), 56u);
  EXPECT_EQ(fat.links.size(), 480u);
  const auto flows = ReadHpccFlows(data / "flow.txt", {});
  ASSERT_EQ(flows.size(), 2u);
  EXPECT_EQ(flows[0].size, Bytes(200'000'000));
  const std::string text =
      "topology: {type: hpcc, file: topology.txt}\n"
      "workloads: [{name: flows, type: hpcc, file: flow.txt}]\n";
  EXPECT_EQ(LoadScenarioText(text, "x.yaml", data).topology.hosts, 65u);
}

}  // namespace
}  // namespace headroom::hpcc_files_test
