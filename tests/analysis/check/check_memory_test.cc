#include "analysis/check/check_memory.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/scenario_of.h"
#include "run/run.h"
#include "support/in_child.h"

namespace headroom::check_memory_test {
namespace {

using Severity = Finding::Severity;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Checked {
  MemoryChecks checks;
  Findings findings;
};

Checked Check(const Scenario& s) {
  const Fabric fabric(s);
  Checked out;
  out.checks = CheckMemory(fabric, ClassifySwitches(fabric), out.findings);
  return out;
}

/// A switch of 20 MB with five hosts at 100 Gb/s and 5 m: an ingress pool of 10 MB that groups of 1000 B use
/// with alpha 1/2, `pool_xoff` beside it, `xoff` a group, and lossless queues that hold `queue` in a pool of
/// 20 MB.
struct Tables {
  std::string pool_size = "10MB", pool_xoff = "500KB", xoff = "20KB", queue = "static_th: 20000000",
              groups = "\"*|3\": {profile: lossless}, \"*|6\": {profile: lossy}", size = "1000",
              egress_size = "20MB", more_pools{};
};
Scenario Star(const Tables& t, const std::string& more = "") {
  return StarOf(5, "workloads: [{name: w, type: incast, size: 1MB, to: h0}]\n" + more + R"(
switches:
  - match: "*"
    buffer:
      size: 20MB
      tables:
        BUFFER_POOL: {in: {type: ingress, mode: dynamic, size: )" +
                       t.pool_size + ", xoff: " + t.pool_xoff +
                       "}, out: {type: egress, mode: dynamic, size: " + t.egress_size + "}" + t.more_pools +
                       R"(}
        BUFFER_PROFILE:
          lossless: {pool: in, size: )" +
                       t.size + ", xon: 1000, xoff: " + t.xoff + R"(, dynamic_th: -1}
          lossy: {pool: in, size: 0, static_th: 20000000}
          queue: {pool: out, size: 0, )" +
                       t.queue + R"(}
          lossy_queue: {pool: out, size: 0, static_th: 20000000}
        BUFFER_PG: {)" +
                       t.groups + R"(}
        BUFFER_QUEUE: {"*|3": {profile: queue}, "*|6": {profile: lossy_queue}}
)");
}

TEST(CheckMemory, PoolsAndHeadroomThatFitAreNoFinding) {
  const Checked c = Check(Star({}));
  ASSERT_EQ(c.checks.memory.size(), 1u);
  const MemoryCheck& m = c.checks.memory[0];
  EXPECT_EQ(m.memory, Bytes(20'000'000));
  EXPECT_EQ(m.ingress_pools, Bytes(10'000'000));
  EXPECT_EQ(m.shared_headroom, Bytes(500'000));
  EXPECT_EQ(m.own_headroom, Bytes());
  EXPECT_EQ(m.reserved_ingress, Bytes(5 * 1000));
  // The one of the tables, and another for what their rows leave out.
  EXPECT_EQ(m.egress_pools, Bytes(40'000'000));
  EXPECT_EQ(m.Ingress(), Bytes(10'500'000));
  EXPECT_THAT(c.findings, IsEmpty());
}

TEST(CheckMemory, MoreThanThereIsIsAnError) {
  // A second pool of 9.8 MB: 10 MB + 9.8 MB + 500 kB = 20.3 MB of 20 MB.
  const auto second = [](const std::string& size) {
    return Tables{.more_pools = ", lossy_in: {type: ingress, mode: static, size: " + size + "}"};
  };
  const Checked c = Check(Star(second("9800000")));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].severity, Severity::error);
  EXPECT_EQ(c.findings[0].where, "switch, memory");
  EXPECT_THAT(
      c.findings[0].what,
      HasSubstr("19.8 MB of ingress pools + 500.0 kB of shared headroom = 20.3 MB (of which 5.00 kB are "
                "reserved) exceed the memory of 20.0 MB by 300.0 kB"));
  EXPECT_THAT(Check(Star(second("9500000"))).findings, IsEmpty());
}

TEST(CheckMemory, HeadroomOfTheGroupsOwnCounts) {
  // 19.9 MB and 5 groups of 20 kB: exactly 20 MB; of 20 001 B: 5 B too many.
  EXPECT_THAT(
      Check(Star({.pool_size = "19900000", .pool_xoff = "0", .queue = "static_th: 30000000"})).findings,
      IsEmpty());
  const Checked c = Check(
      Star({.pool_size = "19900000", .pool_xoff = "0", .xoff = "20001", .queue = "static_th: 30000000"}));
  EXPECT_EQ(c.checks.memory[0].own_headroom, Bytes(5 * 20'001));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_THAT(c.findings[0].what, HasSubstr("+ 100.0 kB of the groups' own headroom"));
}

TEST(CheckMemory, HeadroomOfPortsThatAreNotLinkedCounts) {
  // Eight ports of 20 kB, of which five are linked.
  Scenario s = Star({.pool_size = "19900000", .pool_xoff = "0", .queue = "static_th: 30000000"});
  for (int port = 0; port < 8; ++port)
    s.switches[0].buffer.chip_ports.push_back(
        {"p" + std::to_string(port), GigabitsPerSecond(100), Nanoseconds(25)});
  const Checked c = Check(s);
  EXPECT_EQ(c.checks.memory[0].own_headroom, Bytes(8 * 20'000));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_THAT(c.findings[0].what, HasSubstr("exceed the memory of 20.0 MB by 60.0 kB"));
}

TEST(CheckMemory, ReservesThatLeaveNothingAreAnError) {
  // 5 · 2 MB of 10 MB.
  const Checked c = Check(Star({.size = "2000000"}));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].where, "switch, in");
  EXPECT_EQ(c.findings[0].what,
            "groups reserve 10.0 MB of its 10.0 MB: nothing is left to share, so a group is XOFF above its "
            "reserve");
  EXPECT_THAT(Check(Star({.size = "1999999"})).findings, IsEmpty());
}

TEST(CheckMemory, AQueueThatHoldsAllThatWaitsForItIsNoFinding) {
  // Four groups send to the fifth port's queue. S = 10 MB − 5 · 1000 = 9 995 000; alphas 4 · 1/2 = 2: the
  // groups hold 4 · 1000 + S · 2/3 = 6 667 333 before they pause. Headroom: 20 kB a group, of which the link
  // brings no more than the frame over the limit and the one begun, 2 · 1102 B; and in 25 ns both ways (625
  // B), a frame in the way (1122 B) and the pause (84 B) less than 1831 · 1102 / 1122 B: 4001 B.
  const Checked c = Check(Star({}));
  ASSERT_EQ(c.checks.egress.size(), 1u);
  const EgressCheck& e = c.checks.egress[0];
  EXPECT_EQ(e.groups, 4u);
  EXPECT_EQ(e.before_xoff, Bytes(6'667'333));
  EXPECT_EQ(e.headroom, Bytes(4 * 4'001));
  EXPECT_EQ(e.limit, Bytes(20'000'000));
  EXPECT_THAT(c.findings, IsEmpty());
}

TEST(CheckMemory, AQueueThatDoesNotHoldASingleGroupIsAnError) {
  // One group: 1000 + S / 3 = 3 332 667, and 4001 of headroom: 3 336 668.
  const Checked c = Check(Star({.queue = "static_th: 3336667"}));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].severity, Severity::error);
  EXPECT_EQ(c.findings[0].where, "switch, class storage, egress");
  EXPECT_EQ(c.findings[0].what,
            "a queue takes 3.34 MB, and a single group fills it before its groups pause or use up their "
            "headroom: 4 "
            "groups that send to it hold 6.67 MB when they are full and 16.0 kB more in headroom");
  EXPECT_EQ(Check(Star({.queue = "static_th: 3336668"})).findings.at(0).severity, Severity::warning);
}

TEST(CheckMemory, AQueueThatDoesNotHoldAllOfThemIsAWarning) {
  // Two: 2000 + S / 2 + 8002 = 5 007 502; three: 3000 + S · 3/5 + 12 003 = 6 012 003.
  const Checked c = Check(Star({.queue = "static_th: 6000000"}));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.checks.egress[0].too_many, 3u);
  EXPECT_EQ(c.findings[0].severity, Severity::warning);
  EXPECT_THAT(c.findings[0].what, HasSubstr("a queue takes 6.00 MB, and 3 of 4 groups fill it"));
}

/// 12 hosts on one switch: 11 send `each` to the last, groups pause at `pause` bytes, and its queue takes 3
/// MB.
Scenario Incast(const std::string& pause, const std::string& each, const std::string& queue = "3000000") {
  return StarOf(12, "deadline: 20ms\nworkloads: [{name: burst, type: incast, size: " + each +
                        ", to: h11, at: 1us}]\nnics: [{match: \"*\", congestion_control: none}]\n" + R"(
switches:
  - match: "*"
    buffer:
      size: 16MB
      tables:
        BUFFER_POOL: {in: {type: ingress, mode: static, size: 12000000, xoff: 4000000},
                      out: {type: egress, mode: static, size: 16000000}}
        BUFFER_PROFILE:
          pg: {pool: in, size: 0, xon: 0, xon_offset: 10000, xoff: 60000, static_th: )" +
                        pause + R"(}
          q: {pool: out, size: 0, static_th: )" +
                        queue + R"(}
          lossy: {pool: out, size: 0, static_th: 2000000}
          ilossy: {pool: in, size: 0, static_th: 2000000}
        BUFFER_PG: {"*|3": {profile: pg}, "*|6": {profile: ilossy}}
        BUFFER_QUEUE: {"*|3": {profile: q}, "*|6": {profile: lossy}}
)");
}

bool HasError(const Findings& findings) {
  return std::ranges::any_of(findings, [](const Finding& f) { return f.severity == Severity::error; });
}

TEST(CheckMemory, AWorkloadThatOverrunsALosslessQueueIsAnError) {
  // 11 · 300 kB = 3.3 MB before the groups pause; of a burst 10/11 stay, 11 · 330 kB · 10/11 = 3.3 MB.
  const Checked c = Check(Incast("300000", "330KB"));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].severity, Severity::error);
  EXPECT_THAT(c.findings[0].what,
              HasSubstr("Workload burst sends to h11 by 11 groups at once, which hold 3.30 "
                        "MB before they pause"));
  // 3 000 000 less 11 · 4001 of headroom, by 11.
  EXPECT_THAT(c.findings[0].change,
              HasSubstr("static_th of at least 3344011 B in profile q and a pool as large, "
                        "or static_th of at most 268726 B in profile pg"));
  // A smaller burst does not fill the groups.
  EXPECT_EQ(Check(Incast("300000", "290KB")).findings.at(0).severity, Severity::warning);
}

TEST(CheckMemory, ErrorsAboutAWorkloadComeTrueAndTheirCuresHold) {
  const auto drops = [](const Scenario& s) {
    uint64_t lost = 0;
    const RunRecord r = headroom::Run(s, {});
    for (const PortRecord& port : r.ports)
      for (const uint64_t of_reason : port.priority[3].drops) lost += of_reason;
    return lost;
  };
  for (const auto& [pause, each, queue] :
       {std::tuple("300000", "330KB", "3000000"), std::tuple("300000", "1MB", "3299000"),
        std::tuple("300000", "1MB", "3344011"), std::tuple("268726", "1MB", "3000000")}) {
    const Scenario s = Incast(pause, each, queue);
    const bool error = HasError(Check(s).findings);
    SCOPED_TRACE(fmt::format("{} {} {}", pause, each, queue));
    EXPECT_EQ(error, std::string(queue) < "3300000" && std::string(pause) == "300000");
    InChild([&] { EXPECT_EQ(drops(s) > 0, error); });
  }
}

TEST(CheckMemory, HeadroomCountsAtEgressToo) {
  // 6 667 333 + 16 004 = 6 683 337.
  EXPECT_THAT(Check(Star({.queue = "static_th: 6683337"})).findings, IsEmpty());
  EXPECT_EQ(Check(Star({.queue = "static_th: 6683336"})).checks.egress[0].too_many, 4u);
}

TEST(CheckMemory, AnEgressPoolSmallerThanIngressIsAWarning) {
  // alpha 1 in a pool of 12 MB limits a queue to 6 MB.
  const Checked c = Check(Star({.queue = "dynamic_th: 0", .egress_size = "12MB"}));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.checks.egress[0].limit, Bytes(6'000'000));
  // alpha 2 and 12 MB: 8 MB.
  EXPECT_THAT(Check(Star({.queue = "dynamic_th: 1", .egress_size = "12MB"})).findings, IsEmpty());
}

TEST(CheckMemory, ALosslessClassWithoutALosslessGroupIsAnError) {
  const Checked c = Check(Star({.groups = "\"*|0-7\": {profile: lossy}"}));
  EXPECT_FALSE(c.checks.memory[0].lossless_groups);
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].severity, Severity::error);
  EXPECT_THAT(c.findings[0].what, HasSubstr("PFC is on for class storage, but its group 3 has profile "
                                            "lossy, without headroom (xoff)"));
}

}  // namespace
}  // namespace headroom::check_memory_test
