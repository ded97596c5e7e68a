#include "scenario/experiment.h"

#include <gtest/gtest.h>

#include "scenario/read/load.h"

namespace headroom::experiment_test {
namespace {

const std::string kBase =
    "topology: {type: star, hosts: 4, link: {rate: 100Gbps, length: 3m}}\n"
    "workloads: [{name: perm, type: permutation, size: 2MB}]\n";

Experiment Read(const std::string& text) {
  return LoadScenarioFileText(kBase + text, "e.yaml", ".").experiment;
}

TEST(Experiment, points_are_the_cross_product) {
  const Experiment e = Read("vary: {workloads.perm.size: [1MB, 2MB], mtu: [1024, 4096, 512]}\nseeds: 3\n");
  EXPECT_EQ(e.seeds, 3);
  const auto points = Points(e);
  ASSERT_EQ(points.size(), 6u);
  EXPECT_EQ(points[1], (Point{{"workloads.perm.size", "1MB"}, {"mtu", "4096"}}));
  EXPECT_EQ(PointSets(points[1], 4),
            (std::vector<std::string>{"workloads.perm.size=1MB", "mtu=4096", "seed=4"}));
  EXPECT_TRUE(Agrees(points[1], {{"mtu", "4096"}}));
  EXPECT_FALSE(Agrees(points[1], {{"mtu", "512"}}));
  EXPECT_EQ(Points(Experiment{}).size(), 1u);
}

TEST(Experiment, a_point_goes_by_the_names_that_the_file_gives) {
  const Experiment e = Read(
      "nics: [{match: '*'}]\n"
      "vary: {mtu: [512], nics.0: [&off {match: '*', congestion_control: none}, {match: h0}], "
      "workloads.perm.size: "
      "[&one 1MB]}\n");
  const auto points = Points(e);
  EXPECT_EQ(PointText(points.at(0), e.vary), "mtu=512, nics.0=off, size=one");
  EXPECT_EQ(PointText(points.at(1), e.vary, ","), "mtu=512,nics.0={match: h0},size=one");
  const Experiment twice = Read("vary: {mtu: [&a 512, &a 1024]}\n");
  EXPECT_EQ(PointText({{"mtu", "512"}}, twice.vary), "mtu=a");
  EXPECT_EQ(PointText({{"mtu", "1024"}}, twice.vary),
            "mtu=1024");  // names distinguish points and their folders
  const Experiment other = Read("vary: {topology.link.rate: [&40Gbps 100Gbps, 40Gbps]}\n");
  EXPECT_EQ(PointText({{"topology.link.rate", "100Gbps"}}, other.vary), "rate=100Gbps");
  EXPECT_EQ(PointText({{"switches.0.ecn.storage.kmin", "1MB"}, {"a.0.1", "x"}}, {}), "kmin=1MB, a.0.1=x");
}

TEST(Experiment, keys_that_move_together_are_one_key_with_a_list_for_each_value) {
  const std::string text = kBase +
                           "vary: {\"mtu, workloads.perm.size\": [&small [512, 1MB], &large [4096, 2MB]]}\n"
                           "expect: [{order: [m, [[512, 1MB], [4096, 2MB]]], source: s}]\n";
  const Experiment e = LoadScenarioFileText(text, "e.yaml", ".").experiment;
  ASSERT_EQ(Points(e).size(), 2u);
  EXPECT_EQ(PointText(Points(e)[1], e.vary), "mtu=large");
  const Scenario large = LoadScenarioText(text, "e.yaml", ".", PointSets(Points(e)[1], 1));
  const Scenario small = LoadScenarioText(text, "e.yaml", ".", PointSets(Points(e)[0], 1));
  EXPECT_EQ(small.mtu, 512);
  EXPECT_EQ(large.mtu, 4096);
  EXPECT_NE(small.workloads, large.workloads);
  EXPECT_EQ(std::get<OrderExpectation>(e.expect[0].what).terms[1].at, Points(e)[1]);
  const auto refusal = [](const std::string& vary) -> std::string {
    try {
      Read("vary: " + vary + "\n");
    } catch (const std::exception& wrong) {
      return wrong.what();
    }
    return "";
  };
  EXPECT_NE(refusal("{\"mtu, seed\": [[512, 1]]}").find("\"seed\" cannot be varied"), std::string::npos);
  EXPECT_NE(refusal("{\"mtu, mtu\": [[512, 1]]}").find("appears twice"), std::string::npos);
  EXPECT_NE(refusal("{\"mtu, workloads.perm.size\": [[512, 1MB], [512]]}")
                .find("2 keys that change together need lists of 2 values"),
            std::string::npos);
}

TEST(Experiment, each_point_loads) {
  const std::string text =
      kBase + "vary: {topology.link: [{rate: 10Gbps, length: 1m}, {rate: 40Gbps, delay: 1us}]}\n";
  const Experiment e = LoadScenarioFileText(text, "e.yaml", ".").experiment;
  std::vector<Rate> rates;
  for (const Point& point : Points(e))
    rates.push_back(LoadScenarioText(text, "e.yaml", ".", PointSets(point, 1)).topology.links[0].spec.rate);
  EXPECT_EQ(rates, (std::vector<Rate>{GigabitsPerSecond(10), GigabitsPerSecond(40)}));
}

TEST(Experiment, all_shapes_of_expectations) {
  const Experiment e = Read(R"(vary: {mtu: [512, 1024, 4096]}
expect:
  - {metric: a.p99, at: {mtu: 1024}, max: 300, source: "s", published: 280}
  - {metric: [a.p50, b.p50], min: 1, unit: Gbps, source: "s"}
  - {metric: rates.a.0.at(155us), within: [29.9, 30.1], unit: Gbps, source: "s"}
  - {ratio: [m, {mtu: 1024}, {mtu: 512}], min: 2.0, max: 3.0, source: "s"}
  - {ratio: [m, n], at: {mtu: 512}, max: 2, source: "s"}
  - {order: [m, [512, 1024, 4096]], source: "s"}
  - {order: [m, n], at: {mtu: 512}, source: "s"}
  - {order: [[m, {mtu: 512}], [n, {mtu: 1024}]], source: "s"}
)");
  ASSERT_EQ(e.expect.size(), 8u);
  EXPECT_EQ(e.expect[0].line, 5);
  EXPECT_EQ(e.expect[0].value, "280");
  EXPECT_EQ(e.expect[0].max, 300);
  EXPECT_FALSE(e.expect[0].min);
  EXPECT_EQ(std::get<MetricExpectation>(e.expect[0].what).at, (Point{{"mtu", "1024"}}));
  EXPECT_EQ(std::get<MetricExpectation>(e.expect[1].what).metrics,
            (std::vector<std::string>{"a.p50", "b.p50"}));
  EXPECT_EQ(std::get<MetricExpectation>(e.expect[2].what).metrics[0], "rates.a.0.at(155us)");
  EXPECT_EQ(e.expect[2].min, 29.9);
  const auto& ratio = std::get<RatioExpectation>(e.expect[3].what);
  EXPECT_EQ(ratio.numerator, (MetricAt{"m", {{"mtu", "1024"}}}));
  EXPECT_EQ(ratio.denominator, (MetricAt{"m", {{"mtu", "512"}}}));
  EXPECT_EQ(std::get<RatioExpectation>(e.expect[4].what).denominator, (MetricAt{"n", {{"mtu", "512"}}}));
  const auto& order = std::get<OrderExpectation>(e.expect[5].what).terms;
  ASSERT_EQ(order.size(), 3u);
  EXPECT_EQ(order[2], (MetricAt{"m", {{"mtu", "4096"}}}));
  EXPECT_EQ(std::get<OrderExpectation>(e.expect[6].what).terms[1], (MetricAt{"n", {{"mtu", "512"}}}));
  EXPECT_EQ(std::get<OrderExpectation>(e.expect[7].what).terms[1], (MetricAt{"n", {{"mtu", "1024"}}}));
}

TEST(Experiment, expectations_say_what_their_figure_is) {
  const Experiment e = Read(R"(expect:
  - {metric: m, max: 300, kind: published, published: 280, range: "± 7 %", source: "s"}
  - {metric: m, max: 300, kind: computed, value: 280, source: "s", misses: "the model is of averages"}
  - {metric: m, max: 300, kind: calibrated, published: 280, source: "s"}
  - {metric: m, max: 300, kind: ours, source: "s"}
  - {metric: m, max: 300, published: 280, source: "s"}
  - {metric: m, max: 300, value: 280, source: "s"}
  - {metric: m, max: 300, kind: published, source: "s"}
)");
  std::vector<FigureKind> kinds;
  for (const Expectation& one : e.expect) kinds.push_back(one.kind);
  using enum FigureKind;
  // An expectation without a kind is `ours`, unless it gives a published value.
  EXPECT_EQ(kinds,
            (std::vector<FigureKind>{published, computed, calibrated, ours, published, ours, published}));
  EXPECT_EQ(e.expect[0].range, "± 7 %");
  EXPECT_EQ(e.expect[1].value, "280");
  EXPECT_EQ(e.expect[1].misses, "the model is of averages");
  EXPECT_EQ(e.expect[6].value, "");
  EXPECT_EQ(e.expect[3].value + e.expect[3].misses + e.expect[3].range, "");
}

}  // namespace
}  // namespace headroom::experiment_test
