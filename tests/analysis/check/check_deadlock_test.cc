#include "analysis/check/check_deadlock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/scenario_of.h"

namespace headroom::check_deadlock_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Checked {
  DeadlockCheck check;
  Findings findings;
};

Checked Check(const std::string& topology, const std::string& more = "") {
  const Scenario s = ScenarioOf("name: d\nduration: 1ms\n" + topology +
                                "workloads: [{name: w, type: permutation, size: 1KB}]\n" + more);
  const Fabric fabric(s);
  Checked out;
  out.check = CheckDeadlock(fabric, out.findings);
  return out;
}

/// Switches s0 … in a ring with a host at each.
std::string Ring(int n) {
  std::string hosts, switches, links;
  for (int i = 0; i < n; ++i) {
    hosts += (i == 0 ? "h" : ", h") + std::to_string(i);
    switches += (i == 0 ? "s" : ", s") + std::to_string(i);
    links +=
        "    - {ends: [h" + std::to_string(i) + ", s" + std::to_string(i) + "], rate: 100Gbps, length: 3m}\n";
  }
  for (int i = 0; i < n; ++i)
    links += "    - {ends: [\"s" + std::to_string(i) + ":right\", \"s" + std::to_string((i + 1) % n) +
             ":left\"], rate: 100Gbps, length: 3m}\n";
  return "topology:\n  type: custom\n  hosts: [" + hosts + "]\n  switches: [" + switches + "]\n  links:\n" +
         links;
}

TEST(CheckDeadlock, ARingOfFourClosesACircle) {
  // Frames over two hops, h0 to h2 by s1, let s0 → s1 wait for s1 → s2, and so on around the ring.
  const Checked c = Check(Ring(4));
  EXPECT_THAT(c.check.cycle, ElementsAre("s0:right", "s1:right", "s2:right", "s3:right"));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].severity, Finding::Severity::warning);
  EXPECT_EQ(c.findings[0].where, "s0, s1, s2, s3");
  EXPECT_THAT(c.findings[0].what, HasSubstr("s0:right → s1:right → s2:right → s3:right → s0:right."));
}

TEST(CheckDeadlock, OnATorusDimensionOrderNeedsADatelineForLosslessClasses) {
  // With one class each ring of four is a cycle, in either direction; the other lossless class alone is also
  // one. A dateline between the two classes breaks both cycles.
  const std::string torus = "topology: {type: torus, dims: [4, 4], link: {rate: 100Gbps, length: 3m}}\n";
  const std::string two =
      "priorities: {storage: {priority: 3, lossless: true}, behind: {priority: 4, lossless: true}, cnp: "
      "{priority: 6}}\n";
  const auto routed = [](const std::string& routing) {
    return "switches: [{match: \"*\", routing: " + routing + "}]\n";
  };
  EXPECT_EQ(Check(torus, routed("dimension_order")).check.cycle.size(), 4u);
  EXPECT_EQ(Check(torus, two + routed("dimension_order")).check.cycle.size(), 4u);
  const Checked with = Check(torus, two + routed("{type: dimension_order, dateline: [3, 4]}"));
  EXPECT_TRUE(with.check.lossless);
  EXPECT_THAT(with.check.cycle, IsEmpty());
  // A third lossless class has no dateline.
  const std::string three =
      "priorities: {storage: {priority: 3, lossless: true}, behind: {priority: 4, lossless: true}, other: "
      "{priority: 5, lossless: true}, cnp: {priority: 6}}\n";
  EXPECT_EQ(Check(torus, three + routed("{type: dimension_order, dateline: [3, 4]}")).check.cycle.size(), 4u);
  // Without dimension order turns close cycles, whatever the classes in the rings are. One switch without a
  // dateline is enough.
  EXPECT_FALSE(Check(torus, routed("spray")).check.cycle.empty());
  EXPECT_FALSE(
      Check(torus, two + "switches: [{match: \"*\", routing: {type: dimension_order, dateline: [3, 4]}}, "
                         "{match: [s0, s3], routing: dimension_order}]\n")
          .check.cycle.empty());
}

TEST(CheckDeadlock, ARingOfThreeDoesNot) {
  // Every host is one hop away: no link between switches waits for another.
  const Checked c = Check(Ring(3));
  EXPECT_TRUE(c.check.lossless);
  EXPECT_THAT(c.check.cycle, IsEmpty());
  EXPECT_THAT(c.findings, IsEmpty());
}

TEST(CheckDeadlock, ATorusHasOneAndAFatTreeNone) {
  const std::string link = "link: {rate: 100Gbps, length: 5m}}\n";
  EXPECT_EQ(Check("topology: {type: torus, dims: [4, 4], " + link).check.cycle.size(), 4u);
  // Routes go up and then down.
  EXPECT_THAT(Check("topology: {type: fat_tree, k: 4, " + link).check.cycle, IsEmpty());
}

TEST(CheckDeadlock, AChainIsOpenAtItsEnds) {
  // In a ring of four without its last cable s0 → s1 waits for s1 → s2 and that for s2 → s3, which waits for
  // no link; the other direction is alike.
  std::string chain = Ring(4);
  chain.erase(chain.rfind("    - {ends: [\"s3:right\""));
  EXPECT_THAT(Check(chain).check.cycle, IsEmpty());
}

TEST(CheckDeadlock, ASwitchWithoutPfcBreaksIt) {
  EXPECT_THAT(Check(Ring(4), "switches: [{match: s2, pfc: {enabled: false}}]\n").check.cycle, IsEmpty());
}

TEST(CheckDeadlock, WithoutALosslessClassThereIsNothingToWaitFor) {
  const Checked c = Check(
      Ring(4), "priorities: {web: {priority: 1, dscp: 1}, cnp: {priority: 6, dscp: 48, strict: true}}\n");
  EXPECT_FALSE(c.check.lossless);
  EXPECT_THAT(c.findings, IsEmpty());
}

/// The ring of four with both diagonals, over which each host is two hops away.
std::string CrossedRing() {
  return Ring(4) +
         "    - {ends: [\"s0:across\", \"s2:across\"], rate: 400Gbps, length: 3m}\n"
         "    - {ends: [\"s1:across\", \"s3:across\"], rate: 400Gbps, length: 3m}\n";
}

TEST(CheckDeadlock, ACircleThatFaultsCloseIsFoundWithItsTime) {
  const std::string cut = "{type: link_down, link: [s0, s2], start: 100us}";
  EXPECT_THAT(Check(CrossedRing()).findings, IsEmpty());
  // Over the other diagonal the links between switches do not wait in a circle.
  const Checked one = Check(CrossedRing(), "faults: [" + cut + "]\n");
  EXPECT_EQ(one.check.changes, 1u);
  EXPECT_THAT(one.check.later, IsEmpty());
  const Checked both =
      Check(CrossedRing(), "faults: [" + cut + ", {type: link_down, link: [s1, s3], start: 300us}]\n");
  EXPECT_THAT(both.check.cycle, IsEmpty());
  ASSERT_EQ(both.check.later.size(), 1u);
  EXPECT_EQ(both.check.later[0].at, Microseconds(300));
  EXPECT_EQ(both.check.later[0].cycle.size(), 4u);
  ASSERT_EQ(both.findings.size(), 1u);
  EXPECT_THAT(both.findings[0].what,
              HasSubstr("from 300us on, when the faults have removed s0:across – s2:across, s1:across – "
                        "s3:across, the routes close a cycle of queues: s0:"));
}

TEST(CheckDeadlock, LinksThatAreNotDownTogetherCloseNone) {
  const Checked c = Check(CrossedRing(),
                          "faults: [{type: link_down, link: [s0, s2], start: 100us, stop: 200us},\n"
                          "         {type: link_down, link: [s1, s3], start: 200us, stop: 300us}]\n");
  EXPECT_EQ(c.check.changes, 2u);
  EXPECT_THAT(c.findings, IsEmpty());
  // With a convergence of 50 us the routes use neither diagonal until 250 us.
  const Checked late =
      Check(CrossedRing(),
            "faults: [{type: link_down, link: [s0, s2], start: 100us, stop: 200us, convergence: 50us},\n"
            "         {type: link_down, link: [s1, s3], start: 180us, stop: 300us}]\n");
  ASSERT_EQ(late.check.later.size(), 1u);
  EXPECT_EQ(late.check.later[0].at, Microseconds(180));
}

TEST(CheckDeadlock, LinksThatGoDownAgainAndAgainAreLookedAtOnce) {
  const Checked c = Check(CrossedRing(),
                          "faults: [{type: link_down, link: [s0, s2], start: 10us, stop: 15us, "
                          "repeat: {every: 10us, count: 900}}]\n");
  EXPECT_EQ(c.check.changes, 1u);
  EXPECT_TRUE(c.check.all_changes);
}

}  // namespace
}  // namespace headroom::check_deadlock_test
