#include "analysis/check/check_traffic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "analysis/bounds/traffic_shares.h"
#include "analysis/check/check.h"
#include "analysis/scenario_of.h"

namespace headroom::check_traffic_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Checked {
  FlowsChecks flows;
  TrafficCheck traffic;
  Findings findings;
};

Checked Check(const Scenario& scenario) {
  const Fabric fabric(scenario);
  Checked out;
  out.flows = CheckFlows(fabric, out.findings);
  out.traffic = CheckTraffic(fabric, out.flows, out.findings);
  return out;
}

const LinkLoad& Load(const TrafficCheck& check, const std::string& from, const std::string& to) {
  for (const LinkLoad& load : check.loads) {
    if (load.from == from && load.to == to) return load;
  }
  throw std::out_of_range(from + " to " + to);
}

Scenario LeafSpine(const std::string& workloads) {
  return ScenarioOf(R"(
name: leaf-spine
duration: 4ms
topology: {type: leaf_spine, leaves: 4, spines: 2, hosts_per_leaf: 4, host_link: {rate: 100Gbps, length: 3m},
           fabric_link: {rate: 400Gbps, length: 30m}}
workloads:
)" + workloads);
}

TEST(CheckTraffic, PoissonLoadOnEveryTier) {
  const Checked c = Check(LeafSpine("  - {name: all, type: poisson, sizes: 10KB, load: 40%}\n"));
  const WorkloadCheck& w = c.traffic.workloads.at(0);
  EXPECT_DOUBLE_EQ(*w.offered_bps, 16 * 40e9);
  EXPECT_NEAR(w.messages, 16 * 40e9 / 8e4 * 4e-3, 1e-6);  // 32 000
  // Of 15 targets 3 are 2 hops away and 12 are 4.
  EXPECT_NEAR(w.hops, (3 * 2 + 12 * 4) / 15.0, 1e-9);
  // 10 packets go forward and 10 ACKs back.
  EXPECT_NEAR(w.packet_hops, 32'000 * 3.6 * 20, 1e-3);
  EXPECT_NEAR(c.traffic.run_seconds, 32'000 * 3.6 * 20 / 5e6, 1e-9);

  // On the wire there are 10 000 + 10 · 82 + 16 B forward and 10 · 86 B of ACKs back, in both directions
  // because all hosts send alike: 0.4 · 11 696 / 10 000 = 46.784 %.
  EXPECT_NEAR(Load(c.traffic, "host", "leaf").Mean(), 0.46784, 1e-9);
  EXPECT_NEAR(Load(c.traffic, "leaf", "host").Most(), 0.46784, 1e-9);
  // 12 of 15 messages leave the rack: 4 hosts · 46.784 Gb/s · 0.8 over two links of 400 Gb/s.
  EXPECT_NEAR(Load(c.traffic, "leaf", "spine").Mean(), 4 * 46.784 * 0.8 / 800, 1e-9);
  EXPECT_NEAR(Load(c.traffic, "spine", "leaf").Most(), 4 * 46.784 * 0.8 / 800, 1e-9);
  EXPECT_TRUE(c.findings.empty());
}

TEST(CheckTraffic, HeadersOfAControlCountWhereItIs) {
  // Half of the hosts add 42 B to each of 10 packets, and other hosts' ACKs return these bytes. Of 15 hosts
  // that send to a host, 7 are of its kind and 8 are not.
  const std::string all = "  - {name: all, type: poisson, sizes: 10KB, load: 40%";
  const Checked half = Check(LeafSpine(all + "}\nnics: [{match: \"h[0-7]\", congestion_control: hpcc}]\n"));
  EXPECT_NEAR(Load(half.traffic, "host", "leaf").Mean(), 0.4 * (11'696 + 420) / 1e4, 1e-9);
  EXPECT_NEAR(Load(half.traffic, "host", "leaf").Most(), 0.4 * (11'696 + 420 + 420 * 7 / 15.0) / 1e4, 1e-9);
  const Checked whole = Check(LeafSpine(all + "}\nnics: [{match: \"*\", congestion_control: hpcc}]\n"));
  EXPECT_NEAR(Load(whole.traffic, "host", "leaf").Most(), 0.4 * (11'696 + 840) / 1e4, 1e-9);
  // There is a request, 10 responses of which two have an AETH, and 10 ACKs, which are only for controls that
  // read them.
  const auto reads = [&](const char* control) {
    return Check(
        LeafSpine(all + ", verb: read}\nnics: [{match: \"*\", congestion_control: " + control + "}]\n"));
  };
  const double plain = 10'000 + 820 + 8 + 98;
  EXPECT_NEAR(Load(reads("none").traffic, "host", "leaf").Mean(), 0.4 * plain / 1e4, 1e-9);
  EXPECT_NEAR(Load(reads("dctcp").traffic, "host", "leaf").Mean(), 0.4 * (plain + 860) / 1e4, 1e-9);
  EXPECT_NEAR(Load(reads("hpcc").traffic, "host", "leaf").Mean(), 0.4 * (plain + 860 + 840) / 1e4, 1e-9);
}

TEST(CheckTraffic, AScopeKeepsLoadOffTheFabric) {
  const Checked c =
      Check(LeafSpine("  - {name: near, type: poisson, sizes: 10KB, load: 40%, scope: rack}\n"));
  EXPECT_EQ(c.traffic.loads.size(), 2u);  // host to leaf and back
  EXPECT_NEAR(c.traffic.workloads.at(0).hops, 2, 1e-9);
}

TEST(CheckTraffic, BurstsOnALinkWithLittleRoomAreANote) {
  const std::string load = R"(
  - {name: all, type: poisson, sizes: 10KB, load: 70%, from: "h[0-3]", to: "h1[2-5]"}
)";
  // Each of four hosts receives 0.7 · 100 · 1.0836 = 75.852 Gb/s, which alone causes no finding.
  EXPECT_TRUE(Check(LeafSpine(load)).findings.empty());
  // The finding is the same whichever of the equal links the burst crosses, and however often it repeats.
  for (const char* const to : {"h12", "h15"}) {
    for (const char* const more : {"", ", repeat: {every: 1ms, count: 3}"}) {
      const std::string burst = std::string("  - {name: burst, type: incast, from: \"h[0-7]\", to: ") + to +
                                ", size: 64KB, at: 1ms" + more + "}\n";
      const Checked both = Check(LeafSpine(load + burst));
      const auto at = std::ranges::find(both.findings, "leaf → host, 100Gbps", &Finding::where);
      ASSERT_NE(at, both.findings.end());
      EXPECT_EQ(at->severity, Finding::Severity::note);
      // 8 Mbit take their time over 24.148 Gb/s.
      EXPECT_THAT(at->what, HasSubstr("76 % of its rate"));
      EXPECT_THAT(at->what,
                  HasSubstr("bursts of burst add to it: each MB of a burst there takes 331.3 µs to drain"));
    }
  }
}

TEST(CheckTraffic, AcksThatShareTheClassOfBurstsAreANoteWithTheKey) {
  const auto notes = [](const std::string& more) {
    Findings found;
    for (const Finding& f :
         Check(LeafSpine("  - {name: burst, type: incast, to: \"h[01]\", size: 64KB" + more)).findings) {
      if (f.where.starts_with("class ")) found.push_back(f);
    }
    return found;
  };
  const Findings shared = notes("}\n");
  ASSERT_EQ(shared.size(), 1u);
  EXPECT_THAT(shared[0].what, HasSubstr("at 16 of 16 hosts"));
  EXPECT_TRUE(notes("}\nnics: [{match: '*', transport: {ack_priority: cnp}}]\n").empty());
  EXPECT_THAT(notes("}\nnics: [{match: h0, transport: {ack_priority: cnp}}]\n").at(0).what,
              HasSubstr("at 15 of 16 hosts"));
  EXPECT_TRUE(notes(", priority: plain}\npriorities: {plain: {priority: 1, dscp: 1, lossless: false, weight: "
                    "1}, cnp: {priority: 6, dscp: 48, lossless: false, strict: true}}\n")
                  .empty());
}

TEST(CheckTraffic, MoreThanALinkCarriesIsAWarning) {
  // Eight hosts send 60 Gb/s each to one host.
  const Checked c =
      Check(LeafSpine("  - {name: w, type: poisson, sizes: 10KB, load: 60%, from: \"h[0-7]\", to: h15}\n"));
  // 8 · 60 · 1.0836 = 520.1 Gb/s without ACKs, which go the other way.
  EXPECT_NEAR(Load(c.traffic, "leaf", "host").Most(), 5.20128, 1e-9);
  EXPECT_EQ(Load(c.traffic, "leaf", "host").fullest, "leaf3:p3");
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].severity, Finding::Severity::warning);
  EXPECT_EQ(c.findings[0].where, "leaf → host, 100Gbps");
  EXPECT_THAT(c.findings[0].what, HasSubstr("520 % of its rate"));
}

/// The most loaded link of a workload over one storage service.
double MostOf(const std::string& workload, const char* jobs, Findings& findings) {
  std::ofstream(::testing::TempDir() + "/check_traffic.fio") << jobs;
  const Scenario s = LoadScenarioText(
      "name: t\nduration: 10ms\ntopology: {type: star, hosts: 2, link: {rate: 100Gbps, length: 5m}}\n"
      "services: [{name: s, type: storage, compute: h0, extent_nodes: h1, front: {protocol: sk_rdma}, "
      "disk: {write: 20us, read: 85us}}]\nworkloads: [{name: j, service: s, " +
          workload + "}]\n",
      "test.yaml", ::testing::TempDir());
  const CheckReport report = CheckScenario(Fabric(s));
  findings = report.findings;
  double most = 0;
  for (const LinkLoad& load : report.traffic.loads) most = std::max(most, load.Most());
  return most;
}

TEST(CheckTraffic, JobsOfFioWithARateOfferIt) {
  const std::string jobs = "type: fio, file: check_traffic.fio, span: 10ms";
  Findings findings;
  const double io = MostOf("type: io, reads: 100%, rate: 30000, blocks: [{size: 4KiB}]", "", findings);
  const auto fio = [&](const char* rate) {
    return MostOf(
        jobs, (std::string("[j]\nrw=randread\nbs=4k\niodepth=32\ntime_based\nruntime=1s\n") + rate).c_str(),
        findings);
  };
  EXPECT_GT(io, 0);
  EXPECT_NEAR(fio("rate_iops=30000\n"), io, io * 1e-9);
  EXPECT_NEAR(fio("rate=122880000\n"), io, io * 1e-9);
  EXPECT_NEAR(fio("rate_iops=15000\nnumjobs=2\n"), io, io * 1e-9);
  EXPECT_EQ(fio(""), 0);  // a closed loop
  // The rate asks for more than the line has, and jobs wait for answers: no queue grows.
  EXPECT_LE(fio("rate_iops=9000000\n"), 1);
  for (const Finding& finding : findings) EXPECT_THAT(finding.what, Not(HasSubstr("the queue grows")));
}

TEST(CheckTraffic, CallsOverTcpOfferSegments) {
  // 100 000 calls a second of 14 600 B, each ten full segments of 1538 B on the wire, fill 12.3 % of 100
  // Gb/s.
  const Scenario s = StarOf(2, R"(
services: [{name: b, type: brpc, servers: h0, clients: h1, transport: tcp}]
workloads: [{name: w, type: rpc, service: b, request: 14600B, answer: 1B, rate: 100000}]
)");
  const CheckReport report = CheckScenario(Fabric(s));
  double most = 0;
  for (const LinkLoad& load : report.traffic.loads) most = std::max(most, load.Most());
  EXPECT_NEAR(most, 0.12304, 0.002);
}

TEST(CheckTraffic, BurstsOfAnIncast) {
  const Checked c =
      Check(LeafSpine("  - {name: burst, type: incast, size: 1MB, to: h0, fan_in: 8, at: 0us, repeat: "
                      "{every: 1ms, count: 3}}\n"));
  const Burst& burst = c.traffic.bursts.at(0);
  EXPECT_EQ(burst.fan_in, 8u);
  EXPECT_EQ(burst.bytes, Bytes(8'000'000));
  // 977 packets: 1 000 000 + 977 · 82 + 16 B = 1 080 130 B, eight times at 12.5 B/ns: 691.2832 µs.
  EXPECT_EQ(burst.drain, Nanoseconds(691'283) + Picoseconds(200));
  EXPECT_TRUE(c.findings.empty());
  // The average is 8 · 1 080 130 B in 1 ms: 69.1 % of the target's link.
  EXPECT_NEAR(Load(c.traffic, "leaf", "host").Most(), 0.6912832, 1e-7);

  const Checked overlap =
      Check(LeafSpine("  - {name: burst, type: incast, size: 1MB, to: h0, fan_in: 8, at: 0us, repeat: "
                      "{every: 500us, count: 3}}\n"));
  EXPECT_THAT(overlap.findings.at(0).what, HasSubstr("bursts overlap: a burst takes 691.3 µs"));
}

TEST(CheckTraffic, AStreamCompletesWhatItsFairRateAllows) {
  // Three senders share the link of h0: 4 ms at 100 Gb/s · 1024 / 1106 are 46.29 MB, 463 messages of 100 KB,
  // and one of each sender in flight.
  const Checked c = Check(
      LeafSpine("  - {name: s, type: stream, from: [h4, h8, h12], to: h0, message: 100KB, in_flight: 2}\n"));
  EXPECT_NEAR(c.traffic.workloads.at(0).messages, 3 + 4e-3 * 100e9 / 8 * 1'024 / 1'106 / 1e5, 1e-6);
}

TEST(ExpectedCrossings, OfAllMessagesOneCrossesAnUplink) {
  const Scenario s = LeafSpine(
      "  - {name: burst, type: incast, size: 1MB, to: [h0, h5], fan_in: 3}\n"
      "  - {name: perm, type: permutation, size: 1MB}\n"
      "  - {name: list, type: list, messages: [{from: h0, to: h15, size: 1B}, {from: h0, to: h1, size: "
      "1B}]}\n");
  const Fabric fabric(s);
  for (const WorkloadParameters& w : s.workloads) {
    const std::vector<double> crossings = ExpectedCrossings(SharesOf(w, fabric), fabric);
    double up = 0, down = 0;
    for (uint32_t link = 0; link < 16; ++link) {  // the links of hosts
      up += crossings[2 * link];
      down += crossings[2 * link + 1];
    }
    EXPECT_NEAR(up, 1, 1e-9) << w.name;
    EXPECT_NEAR(down, 1, 1e-9) << w.name;
  }
  // Of the list's two messages one stays below the leaf, the other crosses one of the two spines: 1/2 · 1/2
  // on each way.
  const std::vector<double> list = ExpectedCrossings(SharesOf(s.workloads[2], fabric), fabric);
  EXPECT_DOUBLE_EQ(list[2 * 16], 0.25);      // leaf0 to spine0
  EXPECT_DOUBLE_EQ(list[2 * 17], 0.25);      // leaf0 to spine1
  EXPECT_DOUBLE_EQ(list[2 * 22 + 1], 0.25);  // spine0 to leaf3
}

}  // namespace
}  // namespace headroom::check_traffic_test
