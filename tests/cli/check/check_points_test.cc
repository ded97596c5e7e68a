#include "cli/check/check_points.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace headroom::check_points_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kStar = R"(name: star
topology: {type: star, hosts: 3, link: {rate: 100Gbps, length: 5m}}
switches: [{match: "*", ecn: {storage: {kmin: 100KB, kmax: 400KB, pmax: 5%}}}]
workloads: [{name: few, type: list, MESSAGES}]
vary: {mtu: [1024, 4096]}
expect: [{metric: drops.lossless, at: {mtu: 1024}, max: 0, source: here}]
seeds: 3
)";

class CheckPointsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/headroom-points-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    dir_ = name;
  }
  void TearDown() override { fs::remove_all(dir_); }

  Json Points(const std::string& scenario, const Json& points) {
    std::ofstream(dir_ / "star.yaml") << scenario;
    return CheckPoints(dir_ / "star.yaml", {}, points);
  }
  static std::string WithSize(const std::string& size) {
    std::string text = kStar;
    const std::string list = "MESSAGES";
    return text.replace(text.find(list), list.size(),
                        "messages: [{at: 0us, from: h0, to: h1, size: " + size + "}]");
  }

  fs::path dir_;
};

const std::string kKmin = "switches.0.ecn.storage.kmin";

TEST_F(CheckPointsTest, points_are_answered_in_order_and_errors_are_their_own) {
  const Json found = Points(WithSize("1MB"), {{{kKmin, "50KB"}}, {{kKmin, "50Q"}}, Json::object()});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_TRUE(found[0].contains("digest"));
  EXPECT_EQ(found[1]["error"].get<std::string>().find("--set " + kKmin + "=50Q: "), 0u);
  EXPECT_FALSE(found[1].contains("digest"));
  EXPECT_NE(found[0]["digest"], found[2]["digest"]);
}

TEST_F(CheckPointsTest, kmin_above_the_pause_threshold_is_told_by_its_number_of_groups) {
  // azure-24mb: a lone group pauses at 1/8 of the free bytes: 18 MB / (8 + 1) = 2 MB.
  const Json found =
      Points(WithSize("1MB"), {{{kKmin, "100KB"}}, {{"switches.0.ecn.storage.kmax", "9MB"}, {kKmin, "3MB"}}});
  EXPECT_TRUE(found[0]["pfc_before_ecn_from_groups"].is_null());
  EXPECT_EQ(found[1]["pfc_before_ecn_from_groups"], 1);
  EXPECT_EQ(found[1]["findings"][0]["severity"], "warning");
}

TEST_F(CheckPointsTest, the_least_phase_margin_is_told_where_flows_last) {
  const std::string many =
      "name: many\nduration: 1s\ntopology: {type: star, hosts: 11, link: {rate: 40Gbps, length: 5m}}\n"
      "switches: [{match: \"*\", ecn: {storage: {kmin: 5KB, kmax: 200KB, pmax: 1%}}}]\n"
      "workloads: [{name: all, type: stream, from: \"*\", to: h10, message: 1MB}]\n";
  const std::string latency = "switches.0.latency";
  const Json found =
      Points(many, {{{latency, "0ns"}}, {{latency, "48us"}}, {{"duration", "1ms"}, {"deadline", "1ms"}}});
  // Ten flows have about 9° without a delay, and 7.4° less for each 50 us.
  EXPECT_NEAR(found[0]["least_phase_margin_deg"].get<double>(), 9, 1);
  EXPECT_NEAR(found[1]["least_phase_margin_deg"].get<double>(), 9 - 7.4 * 96 / 50, 1);
  EXPECT_TRUE(found[2]["least_phase_margin_deg"].is_null());
}

TEST_F(CheckPointsTest, a_digest_is_of_what_runs) {
  const auto digest = [&](const std::string& text, const Json& point = Json::object()) {
    return Points(text, Json::array({point}))[0]["digest"].get<std::string>();
  };
  const std::string plain = digest(WithSize("1MB"));
  EXPECT_EQ(plain.size(), 16u);
  // The same variation in other words, with another seed and another varied key, gives the same runs.
  EXPECT_EQ(digest("# said\nseed: 7\n" + WithSize("1000KB")), plain);
  EXPECT_EQ(digest(WithSize("1MB"), {{kKmin, "0.1MB"}}), plain);
  EXPECT_NE(digest(WithSize("2MB")), plain);
  EXPECT_NE(digest(WithSize("1MB"), {{"mtu", "4096"}}), plain);
}

TEST_F(CheckPointsTest, points_that_are_none_are_refused) {
  EXPECT_THROW(Points(WithSize("1MB"), Json::object()), std::invalid_argument);
  EXPECT_THROW(Points(WithSize("1MB"), {1}), std::invalid_argument);
  EXPECT_THROW(Points(WithSize("1MB"), {{{"mtu", 4096}}}), std::invalid_argument);
}

}  // namespace
}  // namespace headroom::check_points_test
