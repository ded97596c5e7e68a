#include "cli/compare/compare_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace headroom::compare_points_test {
namespace {

using Json = nlohmann::ordered_json;

/// A request about a metric that is no percentile, with these values of seeds 1, 2, ….
Json Request(const std::vector<double>& from, const std::vector<double>& to) {
  Json request = {{"metric", "pfc.paused_us"}};
  for (const auto& [side, values] : {std::pair("from", from), std::pair("to", to)}) {
    request[side] = Json::object();
    for (size_t i = 0; i < values.size(); ++i)
      request[side][std::to_string(i + 1)] = {{"value", values[i]}, {"dir", nullptr}};
  }
  return request;
}

Json Answer(const Json& request) { return ComparePoints(Json::array({request}))[0]; }

TEST(ComparePoints, AnswersAreInTheOrderOfTheRequests) {
  const Json found =
      ComparePoints(Json::array({Request({10, 20}, {9.75, 19.5}), Request({10, 20}, {20, 40})}));
  EXPECT_EQ(found[0]["verdict"], "none");
  EXPECT_EQ(found[1]["verdict"], "higher");
  EXPECT_NEAR(found[1]["change"].get<double>(), 1, 1e-12);
  EXPECT_EQ(found[1]["low"], found[1]["high"]);
  EXPECT_EQ(found[1]["seeds"], 2);
  EXPECT_TRUE(found[1]["pooled"].is_null());
  EXPECT_TRUE(found[1]["seeds_to_decide"].is_null());
}

TEST(ComparePoints, OneSeedHasNoIntervalAndSeedsOfOneSideDoNotCount) {
  const Json found = ComparePoints(Json::array({Request({10, 30}, {5}), Request({}, {5})}));
  EXPECT_EQ(found[0]["change"], -0.5);
  EXPECT_EQ(found[0]["seeds"], 1);
  for (const char* key : {"low", "high", "verdict", "seeds_to_decide"}) EXPECT_TRUE(found[0][key].is_null());
  EXPECT_TRUE(found[1].is_null());
}

TEST(ComparePoints, TheNumberOfSeedsIsOneOfTheCounts) {
  Json request = Request({10, 10, 10}, {7, 10, 9});
  const Json any = Answer(request);
  EXPECT_EQ(any["verdict"], "undecided");
  const size_t least = any["seeds_to_decide"];
  EXPECT_GT(least, 3u);
  request["counts"] = {least - 1, least + 2};
  EXPECT_EQ(Answer(request)["seeds_to_decide"], least + 2);
  request["counts"] = Json::array();
  EXPECT_TRUE(Answer(request)["seeds_to_decide"].is_null());
  request["error"] = 0.001;
  EXPECT_LT(Answer(request)["low"], any["low"]);
  request["resolution"] = 100.0;
  EXPECT_EQ(Answer(request)["verdict"], "none");
}

TEST(ComparePoints, WithoutFromOnlyAPercentileHasAnAnswer) {
  Json request = Request({}, {1, 2});
  request.erase("from");
  EXPECT_TRUE(Answer(request).is_null());
}

TEST(ComparePoints, StudentsT) {
  EXPECT_NEAR(Answer({{"degrees", 9}, {"error", 0.01}}).get<double>(), 3.250, 1e-3);
}

TEST(ComparePoints, OtherInputIsRefusedWithTheForm) {
  Json seed = Request({1}, {2}), metric = seed;
  seed["to"]["x"] = {{"value", 1.0}, {"dir", nullptr}};
  metric["metric"] = 3;
  for (const Json& wrong : {Json::object(), Json::array({3}), Json::array({Json::object()}),
                            Json::array({seed}), Json::array({metric})}) {
    try {
      ComparePoints(wrong);
      ADD_FAILURE() << wrong;
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr("give a JSON list of requests {\"metric\": PATH"));
    }
  }
}

}  // namespace
}  // namespace headroom::compare_points_test
