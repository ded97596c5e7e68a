#include "analysis/check/buffers/check_thresholds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/scenario_of.h"
#include "switch/buffer/shared_buffer.h"

namespace headroom::check_thresholds_test {
namespace {

using Severity = Finding::Severity;
using ::testing::HasSubstr;

constexpr const char* kWorkload = "workloads: [{name: w, type: incast, size: 1MB, to: h0}]\n";

struct Checked {
  std::vector<ThresholdCheck> checks;
  Findings findings;
};

Checked Check(const Scenario& scenario) {
  const Fabric fabric(scenario);
  Checked out;
  out.checks = CheckThresholds(fabric, ClassifySwitches(fabric), out.findings);
  return out;
}

Scenario Star(int hosts, const std::string& ecn) {
  return StarOf(hosts, kWorkload + ("switches: [{match: \"*\", ecn: " + ecn + "}]\n"));
}

TEST(ThresholdOf, FallsWithTheNumberOfCongestedGroups) {
  // NSDI 2023: 18 MB and α = 1/8 give T = 18 MB / 8 / (1 + k / 8).
  SharedBuffer::Allowance group;
  group.alpha = 0.125;
  group.shared = group.cap = 18'000'000;
  EXPECT_DOUBLE_EQ(ThresholdOf(group, 1), 2.0e6);
  EXPECT_DOUBLE_EQ(ThresholdOf(group, 4), 1.5e6);
  EXPECT_DOUBLE_EQ(ThresholdOf(group, 16), 0.75e6);
  EXPECT_DOUBLE_EQ(ThresholdOf(group, 64), 0.25e6);
  // A static threshold holds as long as the pool has room: 18 MB / 6 MB.
  group.alpha.reset();
  group.fixed = 6'000'000;
  EXPECT_DOUBLE_EQ(ThresholdOf(group, 3), 6.0e6);
  EXPECT_DOUBLE_EQ(ThresholdOf(group, 6), 3.0e6);
}

Checked WithPolicy(const std::string& policy) {
  return Check(StarOf(17, kWorkload + ("switches: [{match: \"*\", ecn: {storage: {kmin: 400KB, kmax: 1600KB, "
                                       "pmax: 5%}}, buffer: {profile: azure-24mb, policy: " +
                                       policy + "}}]\n")));
}

TEST(CheckThresholds, OfAPolicyAreItsClosedFormsOrNotKnown) {
  EXPECT_EQ(WithPolicy("{type: static, limit: 300KB}").checks[0].xoff_at[1], Bytes(1'248 + 300'000));
  // 17 reserves of 1248 B are subtracted from the pool.
  EXPECT_EQ(WithPolicy("complete_sharing").checks[0].xoff_at[1],
            Bytes(1'248 + (18'000'000 - 17 * 1'248) / 4));
  for (const char* policy : {"abm", "reverie"}) {
    const Checked c = WithPolicy(policy);
    EXPECT_FALSE(c.checks[0].xoff_at[0]);
    EXPECT_FALSE(c.checks[0].pfc_before_ecn);
    ASSERT_FALSE(c.findings.empty());
    EXPECT_THAT(c.findings[0].what, HasSubstr("check cannot compute"));
  }
}

TEST(CheckThresholds, IsWhereTheSharedBufferPauses) {
  const Scenario s = Star(17, "{storage: {kmin: 400KB, kmax: 1600KB, pmax: 5%}}");
  const Checked c = Check(s);
  ASSERT_EQ(c.checks.size(), 1u);
  EXPECT_EQ(c.checks[0].groups, 17u);
  // The pool has 18 MB less 1248 B for each of 17 groups.
  EXPECT_EQ(c.checks[0].shared, Bytes(18'000'000 - 17 * 1'248));
  EXPECT_FALSE(c.checks[0].xoff_at[3]);

  for (const size_t i : {0, 1, 2}) {
    const auto k = static_cast<uint32_t>(ThresholdCheck::kGroups[i]);
    std::vector<BufferPort> ports;
    for (const TopologyLink& l : s.topology.links) ports.push_back({l.b.port, l.spec.rate, l.spec.delay});
    const auto buffer = ns3::CreateObject<SharedBuffer>();
    buffer->Setup(s.switches[0].buffer, ports, s.classes);
    // Frames of one cell arrive at k ports in turn and stay, for port 16.
    uint32_t port = 0;
    while (buffer->Admit({port, 16, 3, 3}, 208).signal != SharedBuffer::Signal::xoff) port = (port + 1) % k;
    EXPECT_NEAR(static_cast<double>(buffer->group_used(port, 3)),
                static_cast<double>(c.checks[0].xoff_at[i]->v), 2 * 208)
        << k << " groups";
  }
}

TEST(CheckThresholds, KminBelowTheThresholdOfAllGroupsIsNoFinding) {
  // With 17 groups: 17.98 MB / (8 + 17) + 1248 B = 720 kB.
  EXPECT_TRUE(Check(Star(17, "{storage: {kmin: 400KB, kmax: 1600KB, pmax: 5%}}")).findings.empty());
}

TEST(CheckThresholds, KminAboveTheThresholdOfOneGroupIsAWarning) {
  // 17.98 MB / 9 + 1248 B = 1.999 MB.
  const Checked c = Check(Star(17, "{storage: {kmin: 2MB, kmax: 3MB, pmax: 5%}}"));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].severity, Severity::warning);
  EXPECT_EQ(c.findings[0].what,
            "PFC fires before ECN marks: a single congested group goes XOFF at 2.00 MB, marking starts at "
            "2.00 MB (160 µs at 100Gbps)");
  EXPECT_EQ(c.checks[0].pfc_before_ecn, 1u);
}

TEST(CheckThresholds, SaysFromHowManyCongestedGroupsOnPfcFiresFirst) {
  // S / (8 + k) + 1248 < 1 MB with S = 17 978 784: 8 + k > 18.0012…, so from k = 11 on.
  const Checked c = Check(Star(17, "{storage: {kmin: 1MB, kmax: 1600KB, pmax: 5%}}"));
  EXPECT_EQ(c.checks[0].pfc_before_ecn, 11u);
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].severity, Severity::note);
  EXPECT_THAT(c.findings[0].what, HasSubstr("if 11 of 17 groups are congested"));
}

TEST(CheckThresholds, ScalesMarkingWithTheRateOfThePort) {
  const Checked c = Check(Star(3, "{storage: {kmin: 100KB, kmax: 400KB, pmax: 20%, per_rate: 25Gbps}}"));
  EXPECT_EQ(c.checks[0].ecn->kmin, Bytes(400'000));
  EXPECT_EQ(c.checks[0].ecn->kmax, Bytes(1'600'000));
  // In the middle between 400 kB and 1.6 MB half of 20 % are marked.
  EXPECT_DOUBLE_EQ(MarkingProbability(*c.checks[0].ecn, Bytes(1'000'000)), 0.1);
  EXPECT_DOUBLE_EQ(MarkingProbability(*c.checks[0].ecn, Bytes(400'000)), 0);
  EXPECT_DOUBLE_EQ(MarkingProbability(*c.checks[0].ecn, Bytes(1'600'001)), 1);
}

/// Hosts have 25 Gb/s, the bottleneck 100.
Scenario Mixed(const std::string& ecn) {
  return ScenarioOf(
      "name: d\nduration: 1ms\ntopology: {type: dumbbell, left: 3, right: 3, link: {rate: 25Gbps, length: "
      "5m}, bottleneck: {rate: 100Gbps, length: 5m}}\nworkloads: [{name: w, type: permutation, size: 1KB}]\n"
      "switches: [{match: \"*\", ecn: {storage: " +
      ecn + "}}]\n");
}

TEST(CheckThresholds, OneThresholdForRatesFarApartIsANote) {
  // 200 kB are 64 µs at 25 Gb/s (3.125 B/ns) and 16 µs at 100.
  const Checked c = Check(Mixed("{kmin: 200KB, kmax: 400KB, pmax: 5%}"));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].severity, Severity::note);
  EXPECT_EQ(c.findings[0].what,
            "ports of all rates have the same thresholds: kmin 200.0 kB and kmax 400.0 kB are 64 and 128 "
            "µs of queue at 25Gbps, but 16 and 32 µs at 100Gbps");
  EXPECT_TRUE(Check(Mixed("{kmin: 200KB, kmax: 400KB, pmax: 5%, per_rate: 100Gbps}")).findings.empty());
}

TEST(CheckThresholds, KminBelowAFrameIsAWarning) {
  // Frames are 1102 B. At 25 Gb/s 500 B remain of 2 kB per 100 Gb/s.
  const Checked c = Check(Mixed("{kmin: 2KB, kmax: 400KB, pmax: 5%, per_rate: 100Gbps}"));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].severity, Severity::warning);
  EXPECT_THAT(c.findings[0].what,
              HasSubstr("kmin 500 B (0.1600 µs at 25Gbps) is less than one frame of 1.10 kB"));
  EXPECT_TRUE(Check(Mixed("{kmin: 5KB, kmax: 400KB, pmax: 5%, per_rate: 100Gbps}")).findings.empty());
}

TEST(CheckThresholds, AClassThatIsNeverMarkedIsAWarningWhereDcqcnWaitsForIt) {
  const Checked c = Check(Star(3, "none"));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_THAT(c.findings[0].what, HasSubstr("ECN is off at switch"));
  const Scenario without =
      StarOf(3, std::string(kWorkload) + "nics: [{match: \"*\", congestion_control: none}]\n");
  EXPECT_TRUE(Check(without).findings.empty());
  const auto masked = [](const char* mask) {
    return StarOf(
        3, std::string(kWorkload) + "nics: [{match: \"*\", dcqcn: {roce_cc_prio_mask: " + mask + "}}]\n");
  };
  EXPECT_TRUE(Check(masked("0x10")).findings.empty());
  EXPECT_EQ(Check(masked("0x08")).findings.size(), 1u);
}

TEST(CheckThresholds, AClassThatIsNeverMarkedIsAWarningForEachControlThatWaitsForIt) {
  const auto with = [](const char* first, const char* others) {
    return Check(StarOf(3, std::string(kWorkload) + "nics: [{match: \"*\", congestion_control: " + others +
                               "}, {match: h1, congestion_control: " + first + "}]\n"))
        .findings;
  };
  const Findings alone = with("dctcp", "dctcp");
  ASSERT_EQ(alone.size(), 1u);
  EXPECT_THAT(alone[0].what, HasSubstr("which never marks frames, so dctcp does not react"));
  const Findings both = with("dctcp", "dcqcn");
  ASSERT_EQ(both.size(), 2u);
  EXPECT_THAT(both[0].what, HasSubstr("so dctcp does not react"));
  EXPECT_THAT(both[1].what, HasSubstr("so DCQCN does not react"));
  for (const char* control : {"hpcc", "timely", "swift", "receiver_credit"})
    EXPECT_TRUE(with(control, control).empty()) << control;
  EXPECT_TRUE(Check(StarOf(3, std::string(kWorkload) +
                                  "switches: [{match: \"*\", ecn: {storage: {kmin: 300KB, kmax: 300KB, pmax: "
                                  "100%}}}]\nnics: [{match: \"*\", congestion_control: dctcp}]\n"))
                  .findings.empty());
}

/// Storage over RDMA and monitoring over `front` have a class each, of which one is marked.
Findings OfTwoClasses(const std::string& marked, const std::string& front) {
  return Check(StarOf(3,
                      "priorities:\n  storage: {priority: 3, dscp: 3, lossless: true}\n"
                      "  monitor: {priority: 1, dscp: 8}\n  cnp: {priority: 6, dscp: 48, strict: true}\n"
                      "switches: [{match: \"*\", ecn: {" +
                          marked +
                          ": {kmin: 100KB, kmax: 400KB, pmax: 10%}}}]\n"
                          "services:\n  - {name: store, type: storage, compute: [h0, h1], extent_nodes: h2, "
                          "front: {protocol: sk_rdma, priority: storage}}\n"
                          "  - {name: mon, type: storage, compute: [h0, h1], extent_nodes: h2, front: {" +
                          front +
                          ", priority: monitor}}\n"
                          "workloads:\n  - {name: io, type: io, service: store, rate: 1000, blocks: [{size: "
                          "4KiB}]}\n"
                          "  - {name: m, type: io, service: mon, rate: 1000, blocks: [{size: 4KiB}]}\n"))
      .findings;
}

TEST(CheckThresholds, TcpNeedsNoMarksForDcqcn) {
  EXPECT_TRUE(OfTwoClasses("storage", "protocol: tcp").empty());
  const Findings unmarked = OfTwoClasses("monitor", "protocol: tcp");
  ASSERT_EQ(unmarked.size(), 1u);
  EXPECT_EQ(unmarked[0].where, "class storage");
}

TEST(CheckThresholds, ALossyQueueThatDropsBeforeItMarksIsAWarning) {
  const Scenario s = StarOf(3, R"(
priorities:
  web: {priority: 1, dscp: 1}
  cnp: {priority: 6, dscp: 48, strict: true}
switches: [{match: "*", ecn: {web: {kmin: 5MB, kmax: 6MB, pmax: 5%}}}]
workloads: [{name: w, type: incast, size: 1MB, to: h0, priority: web}]
)");
  // The lossy egress pool has 14 MB less 1664 B for each of 6 queues, and α = 1/2: 1664 + S / 3 = 4 665 003.
  const Checked c = Check(s);
  EXPECT_TRUE(c.checks.empty());
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].what,
            "the queue drops frames before ECN marks: its limit is 4.67 MB, but marking starts at 5.00 MB");
}

TEST(CheckThresholds, WhereNoSenderHeedsMarksItDoesNotMatterWhenTheyBegin) {
  const auto with = [](const std::string& nics) {
    return Check(
        StarOf(17, kWorkload + ("switches: [{match: \"*\", ecn: {storage: {kmin: 3MB, kmax: 4MB, pmax: "
                                "5%}}}]\nnics: [" +
                                nics + "]\n")));
  };
  for (const char* name : {"hpcc", "timely", "swift", "none"}) {
    const Checked c = with(std::string("{match: \"*\", congestion_control: ") + name + "}");
    EXPECT_FALSE(c.checks[0].pfc_before_ecn) << name;
    EXPECT_TRUE(c.findings.empty()) << name;
  }
  // One host that reacts to marks is enough.
  for (const char* name : {"dcqcn", "dctcp"}) {
    const Checked c =
        with(std::string("{match: \"*\", congestion_control: hpcc}, {match: h3, congestion_control: ") +
             name + "}");
    EXPECT_EQ(c.checks[0].pfc_before_ecn, 1u) << name;
    ASSERT_FALSE(c.findings.empty()) << name;
    EXPECT_THAT(c.findings.back().what, HasSubstr("PFC fires before ECN marks")) << name;
  }
}

TEST(CheckThresholds, DctcpExpectsOneThreshold) {
  const auto with = [](const std::string& control, const std::string& kmax) {
    return Check(StarOf(3, kWorkload +
                               ("switches: [{match: \"*\", ecn: {storage: {kmin: 100KB, kmax: " + kmax +
                                ", pmax: 100%}}}]\nnics: [{match: \"*\", congestion_control: " + control +
                                "}]\n")))
        .findings;
  };
  ASSERT_EQ(with("dctcp", "400KB").size(), 1u);
  EXPECT_EQ(with("dctcp", "400KB")[0].what,
            "dctcp expects one threshold above which every packet is marked, but here the marking "
            "probability rises from 100.0 kB to 400.0 kB");
  EXPECT_TRUE(with("dctcp", "100KB").empty());
  EXPECT_TRUE(with("dcqcn", "400KB").empty());
}

}  // namespace
}  // namespace headroom::check_thresholds_test
