#include "analysis/check/check_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/check/check_flows.h"
#include "analysis/scenario_of.h"

namespace headroom::check_order_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Two leaves with two hosts each, and three spines.
std::string Fabric3(const std::string& more, const std::string& host_link = "") {
  return "name: order\nduration: 1ms\ntopology: {type: leaf_spine, leaves: 2, spines: 3, hosts_per_leaf: 2, "
         "host_link: [{match: \"*\", rate: 100Gbps, length: 3m}" +
         host_link + "], fabric_link: {rate: 25Gbps, length: 30m}}\n" + more;
}

std::vector<std::string> Judged(const std::string& yaml) {
  const Scenario s = ScenarioOf(yaml);
  Findings findings;
  JudgeOrder(Fabric(s), findings);
  std::vector<std::string> texts;
  for (const Finding& f : findings) texts.push_back(f.where + ": " + f.what);
  return texts;
}

const std::string kAcross = "workloads: [{name: w, type: incast, size: 1MB, from: h3, to: h0}]\n";
const std::string kWithin = "workloads: [{name: w, type: incast, size: 1MB, from: h1, to: h0}]\n";

TEST(CheckOrder, PacketsOfOneFlowOnSeveralPathsAreWarnedOf) {
  for (const std::string routing : {"spray", "adaptive", "{type: flowlet}"}) {
    const auto texts = Judged(Fabric3("switches: [{match: \"*\", routing: " + routing + "}]\n" + kAcross));
    ASSERT_EQ(texts.size(), 1u);
    EXPECT_THAT(texts[0], HasSubstr("workload w: packets of one flow may take several paths ("));
    EXPECT_THAT(texts[0], HasSubstr("at leaf1)"));  // the flow to h3: a spine has one link down
  }
}

TEST(CheckOrder, FlowsOfOnePathAreNot) {
  EXPECT_THAT(Judged(Fabric3(kAcross)), IsEmpty());
  EXPECT_THAT(Judged(Fabric3("switches: [{match: \"*\", routing: spray}]\n" + kWithin)), IsEmpty());
  EXPECT_THAT(Judged(Fabric3("switches: [{match: spine*, routing: spray}]\n" + kAcross)), IsEmpty());
}

TEST(CheckOrder, RecoveryDecidesWhatItCosts) {
  const auto with = [](const std::string& recovery) {
    return Judged(
        Fabric3("switches: [{match: \"*\", routing: spray}]\nnics: [{match: \"*\", transport: {recovery: " +
                recovery + ", window: bdp}}]\n" + kAcross));
  };
  EXPECT_THAT(with("go_back_n"), ElementsAre(HasSubstr("With go-back-N, each packet")));
  EXPECT_THAT(with("selective_repeat"), ElementsAre(HasSubstr("With nack_after: 1, each overtaken packet")));
  EXPECT_THAT(with("{type: selective_repeat, nack_after: 40}"), IsEmpty());
  EXPECT_THAT(with("{type: selective_repeat, nack_after: 10us}"), IsEmpty());
}

TEST(CheckOrder, LinksThatDelayAtRandomAreWarnedOfWhereTheWorkloadCrossesThem) {
  const std::string link = ", {match: h3, reorder: {probability: 1%, delay: 0us..64us}}";
  EXPECT_THAT(Judged(Fabric3(kAcross, link)),
              ElementsAre(HasSubstr("links delay frames at random: h3:p0 – leaf1:p1 by up to 64us.")));
  EXPECT_THAT(Judged(Fabric3(kWithin, link)), IsEmpty());
}

TEST(CheckFlows, AFlowThatIsSplitSharesAllItsPaths) {
  // There are three uplinks of 25 Gb/s: one flow takes 25 Gb/s with ECMP and 75 Gb/s with spraying, of which
  // 1024 of 1106 bytes are payload.
  const auto most = [](const std::string& more) {
    const Scenario s = ScenarioOf(Fabric3(more + kAcross));
    Findings findings;
    return CheckFlows(Fabric(s), findings).workloads.at(0);
  };
  EXPECT_NEAR(most("").most_bps, 25e9 * 1024 / 1106, 1);
  const FlowsCheck split = most("switches: [{match: \"*\", routing: spray}]\n");
  EXPECT_NEAR(split.most_bps, 75e9 * 1024 / 1106, 1);
  EXPECT_EQ(split.split, 1u);
}

}  // namespace
}  // namespace headroom::check_order_test
