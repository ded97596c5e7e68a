#include "analysis/check/buffers/check_memory.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/scenario_of.h"
#include "run/run.h"
#include "support/in_child.h"
#include "support/own_tables.h"

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

/// A switch of 20 MB with five hosts at 100 Gb/s and 5 m. Groups of 1000 B use an ingress pool of 10 MB with
/// alpha 1/2; in addition there is `pool_xoff`, and `xoff` for each group. Lossless queues hold `queue` in a
/// pool of 20 MB.
OwnTables Tables() {
  return {.size = "20MB",
          .in = "mode: dynamic, size: 10MB, xoff: 500KB",
          .out = "mode: dynamic, size: 20MB",
          .pg = "size: 1000, xon: 1000, xoff: 20KB, dynamic_th: -1",
          .q = "static_th: 20000000"};
}
Scenario Star(const OwnTables& tables) {
  return StarOf(5, "workloads: [{name: w, type: incast, size: 1MB, to: h0}]\n" + tables.Text());
}
/// Lossless queues that have this limit.
Scenario Queue(const std::string& limit) {
  OwnTables tables = Tables();
  tables.q = limit;
  return Star(tables);
}

TEST(CheckMemory, PoolsAndHeadroomThatFitAreNoFinding) {
  const Checked c = Check(Star(Tables()));
  ASSERT_EQ(c.checks.memory.size(), 1u);
  const MemoryCheck& m = c.checks.memory[0];
  EXPECT_EQ(m.memory, Bytes(20'000'000));
  EXPECT_EQ(m.ingress_pools, Bytes(10'000'000));
  EXPECT_EQ(m.shared_headroom, Bytes(500'000));
  EXPECT_EQ(m.own_headroom, Bytes());
  EXPECT_EQ(m.reserved_ingress, Bytes(5 * 1000));
  // The pool of the tables, and another for queues without a row.
  EXPECT_EQ(m.egress_pools, Bytes(40'000'000));
  EXPECT_EQ(m.Ingress(), Bytes(10'500'000));
  EXPECT_THAT(c.findings, IsEmpty());
}

TEST(CheckMemory, MoreThanThereIsIsAnError) {
  // A second pool of 9.8 MB: 10 MB + 9.8 MB + 500 kB = 20.3 MB of 20 MB.
  const auto second = [](const std::string& size) {
    OwnTables tables = Tables();
    tables.more_pools = ", lossy_in: {type: ingress, mode: static, size: " + size + "}";
    return Star(tables);
  };
  const Checked c = Check(second("9800000"));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].severity, Severity::error);
  EXPECT_EQ(c.findings[0].where, "switch, memory");
  EXPECT_THAT(
      c.findings[0].what,
      HasSubstr("19.8 MB of ingress pools + 500.0 kB of shared headroom = 20.3 MB (of which 5.00 kB are "
                "reserved) exceed the memory of 20.0 MB by 300.0 kB"));
  EXPECT_THAT(Check(second("9500000")).findings, IsEmpty());
}

/// Groups that have `xoff` each, and no headroom pool.
Scenario OfTheirOwn(const std::string& xoff) {
  OwnTables tables = Tables();
  tables.in = "mode: dynamic, size: 19900000, xoff: 0";
  tables.pg = "size: 1000, xon: 1000, dynamic_th: -1, xoff: " + xoff;
  tables.q = "static_th: 30000000";
  return Star(tables);
}

TEST(CheckMemory, HeadroomOfTheGroupsOwnCounts) {
  // 19.9 MB and 5 groups of 20 kB are exactly 20 MB; with 20 001 B they are 5 B too many.
  EXPECT_THAT(Check(OfTheirOwn("20000")).findings, IsEmpty());
  const Checked c = Check(OfTheirOwn("20001"));
  EXPECT_EQ(c.checks.memory[0].own_headroom, Bytes(5 * 20'001));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_THAT(c.findings[0].what, HasSubstr("+ 100.0 kB of the groups' own headroom"));
}

TEST(CheckMemory, HeadroomOfPortsThatAreNotLinkedCounts) {
  // Of the eight ports with 20 kB five are linked.
  Scenario s = OfTheirOwn("20000");
  for (int port = 0; port < 8; ++port)
    s.switches[0].buffer.chip_ports.push_back(
        {"p" + std::to_string(port), GigabitsPerSecond(100), Nanoseconds(25)});
  const Checked c = Check(s);
  EXPECT_EQ(c.checks.memory[0].own_headroom, Bytes(8 * 20'000));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_THAT(c.findings[0].what, HasSubstr("exceed the memory of 20.0 MB by 60.0 kB"));
}

TEST(CheckMemory, ReservesThatLeaveNothingAreAnError) {
  // The reservations take 5 · 2 MB of 10 MB.
  const auto reserving = [](const std::string& size) {
    OwnTables tables = Tables();
    tables.pg = "xon: 1000, xoff: 20KB, dynamic_th: -1, size: " + size;
    return Star(tables);
  };
  const Checked c = Check(reserving("2000000"));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].where, "switch, in");
  EXPECT_EQ(c.findings[0].what,
            "groups reserve 10.0 MB of the pool's 10.0 MB and leave nothing to share, so a group goes "
            "XOFF above its reserve");
  EXPECT_THAT(Check(reserving("1999999")).findings, IsEmpty());
}

TEST(CheckMemory, AQueueThatHoldsAllThatWaitsForItIsNoFinding) {
  // Four groups send to the fifth port's queue. S = 10 MB − 5 · 1000 = 9 995 000; each group takes a third of
  // the rest: together they hold 4 · 1000 + S · (1 − (2/3)⁴) = 8 024 679 before they pause. Headroom: 20 kB
  // for each group, of which the link fills at most 4001 B. These are the frame over the limit and the last
  // one, 2 · 1102 B, and less than 1831 · 1102 / 1122 B of cable (25 ns both ways, 625 B), a frame before the
  // pause (1122 B) and the pause (84 B).
  const Checked c = Check(Star(Tables()));
  ASSERT_EQ(c.checks.egress.size(), 1u);
  const EgressCheck& e = c.checks.egress[0];
  EXPECT_EQ(e.groups, 4u);
  EXPECT_EQ(e.before_xoff, Bytes(8'024'679));
  EXPECT_EQ(e.headroom, Bytes(4 * 4'001));
  EXPECT_EQ(e.limit, Bytes(20'000'000));
  EXPECT_THAT(c.findings, IsEmpty());
}

TEST(CheckMemory, AQueueThatDoesNotHoldASingleGroupIsAnError) {
  // One group: 1000 + S / 3 = 3 332 667; at least one frame of 1102 B follows, because the 709 B of cable and
  // pause do not include a second: 3 333 769. With 4001 B of headroom: 3 336 668.
  const Checked c = Check(Queue("static_th: 3333768"));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].severity, Severity::error);
  EXPECT_EQ(c.findings[0].where, "switch, class storage, egress");
  EXPECT_EQ(
      c.findings[0].what,
      "a queue holds at most 3.33 MB, and a single group fills it before the groups that send to it "
      "pause or fill their headroom: 4 such groups hold 8.02 MB when they are full, and 16.0 kB more in "
      "headroom");
  for (const auto& [limit, too_many] :
       {std::pair("static_th: 3333769", 1u), std::pair("static_th: 3336668", 2u)}) {
    const Checked more = Check(Queue(limit));
    EXPECT_EQ(more.findings.at(0).severity, Severity::warning);
    EXPECT_EQ(more.checks.egress[0].too_many, too_many);
  }
}

TEST(CheckMemory, AQueueThatDoesNotHoldAllOfThemIsAWarning) {
  // Two groups: 2000 + S · 5/9 + 8002 = 5 562 780; three: 3000 + S · 19/27 + 12 003 = 7 048 522.
  const Checked c = Check(Queue("static_th: 6000000"));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.checks.egress[0].too_many, 3u);
  EXPECT_EQ(c.findings[0].severity, Severity::warning);
  EXPECT_THAT(c.findings[0].what, HasSubstr("a queue holds at most 6.00 MB, and 3 of 4 groups fill it"));
}

/// 12 hosts are on one switch: 11 send `each` to the last, groups pause at `pause` bytes, and its queue takes
/// 3 MB.
Scenario Incast(const std::string& pause, const std::string& each, const std::string& queue = "3000000") {
  const OwnTables tables{.size = "16MB",
                         .in = "mode: static, size: 12000000, xoff: 4000000",
                         .out = "mode: static, size: 16000000",
                         .pg = "size: 0, xon: 0, xon_offset: 10000, xoff: 60000, static_th: " + pause,
                         .q = "static_th: " + queue};
  return StarOf(12, "deadline: 20ms\nworkloads: [{name: burst, type: incast, size: " + each +
                        ", to: h11, at: 1us}]\nnics: [{match: \"*\", congestion_control: none}]\n" +
                        tables.Text());
}

bool HasError(const Findings& findings) {
  return std::ranges::any_of(findings, [](const Finding& f) { return f.severity == Severity::error; });
}

TEST(CheckMemory, AWorkloadThatOverrunsALosslessQueueIsAnError) {
  // 11 · 300 kB = 3.3 MB fit before the groups pause; of a burst of 323 frames of 1102 B 10/11 stay, 3.56 MB.
  const Checked c = Check(Incast("300000", "330KB"));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].severity, Severity::error);
  EXPECT_THAT(
      c.findings[0].what,
      HasSubstr("Workload burst brings 3.00 MB into s0 by 11 ports at once, before anything but pauses "
                "slows the senders down: 25.45 µs into the run, lossless frames to h11 are dropped"));
  // (3 000 000 − 11 · 4001 of headroom) / 11.
  const std::string profile = "switches.*.buffer.tables.BUFFER_PROFILE.";
  EXPECT_EQ(c.findings[0].remedies,
            (std::vector{Remedy{profile + "q.static_th=3344011"}, Remedy{profile + "pg.static_th=268726"}}));
  // 264 frames: 2.91 MB stay.
  EXPECT_EQ(Check(Incast("300000", "270KB")).findings.at(0).severity, Severity::warning);
}

// A slice admits at most 2.5 + 0.5 MB at its ports, and its part of the egress pool holds 3.75 MB.
TEST(CheckMemory, OtherClassesHoldNoMoreOfASliceThanItsOwnGroupsAdmit) {
  const std::string tables =
      "BUFFER_POOL: {in: {type: ingress, mode: dynamic, size: 10000000, xoff: 2000000}, out: {type: egress, "
      "mode: static, size: 15000000}}, BUFFER_PROFILE: {pg: {pool: in, size: 1248, xon: 2288, xoff: 200000, "
      "dynamic_th: -3}, lossy: {pool: in, size: 0, dynamic_th: 0}, q: {pool: out, size: 0, static_th: "
      "15000000}}, BUFFER_PG: {'*|3-4': {profile: pg}, '*|6': {profile: lossy}}, BUFFER_QUEUE: {'*|3-6': "
      "{profile: q}}";
  const Scenario s = StarOf(
      4,
      "priorities: {a: {priority: 3, dscp: 3, lossless: true}, b: {priority: 4, dscp: 4, lossless: true}, "
      "cnp: {priority: 6, dscp: 48}}\nnics: [{match: '*', congestion_control: none}]\n"
      "switches: [{match: '*', buffer: {size: 16MiB, asic: th, tables: {" +
          tables +
          "}}}]\nworkloads: [{name: x, type: incast, size: 4MB, to: h0, priority: a}, {name: y, type: "
          "incast, size: 4MB, to: h0, priority: b}]\n");
  EXPECT_TRUE(Check(s).findings.empty());
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
       {std::tuple("300000", "330KB", "3000000"), std::tuple("300000", "290KB", "3000000"),
        std::tuple("300000", "270KB", "3000000"), std::tuple("300000", "1MB", "3299000"),
        std::tuple("300000", "1MB", "3344011"), std::tuple("268726", "1MB", "3000000")}) {
    const Scenario s = Incast(pause, each, queue);
    const bool error = HasError(Check(s).findings);
    SCOPED_TRACE(fmt::format("{} {} {}", pause, each, queue));
    EXPECT_EQ(error, std::string(queue) < "3300000" && std::string(pause) == "300000" &&
                         std::string(each) != "270KB");
    InChild([&] { EXPECT_EQ(drops(s) > 0, error); });
  }
}

TEST(CheckMemory, HeadroomCountsAtEgressToo) {
  // 8 024 679 + 16 004 = 8 040 683.
  EXPECT_THAT(Check(Queue("static_th: 8040683")).findings, IsEmpty());
  EXPECT_EQ(Check(Queue("static_th: 8040682")).checks.egress[0].too_many, 4u);
}

TEST(CheckMemory, AnEgressPoolSmallerThanIngressIsAWarning) {
  // With alpha 1 a pool of 12 MB limits a queue to 6 MB.
  OwnTables tables = Tables();
  tables.out = "mode: dynamic, size: 12MB";
  tables.q = "dynamic_th: 0";
  const Checked c = Check(Star(tables));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.checks.egress[0].limit, Bytes(6'000'000));
  // alpha 4 and 12 MB allow 9.6 MB.
  tables.q = "dynamic_th: 2";
  EXPECT_THAT(Check(Star(tables)).findings, IsEmpty());
}

TEST(CheckMemory, ALosslessClassWithoutALosslessGroupIsAnError) {
  OwnTables tables = Tables();
  tables.groups = "\"*|0-7\": {profile: in_lossy}";
  const Checked c = Check(Star(tables));
  EXPECT_FALSE(c.checks.memory[0].lossless_groups);
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].severity, Severity::error);
  EXPECT_THAT(c.findings[0].what, HasSubstr("PFC is on for class storage, but its group 3 has profile "
                                            "in_lossy, without headroom (xoff)"));
}

}  // namespace
}  // namespace headroom::check_memory_test
