#include "analysis/check/services/check_services.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/check/check_flows.h"
#include "analysis/check/check_traffic.h"
#include "analysis/scenario_of.h"
#include "protocol/storage/wire/sk_message.h"
#include "protocol/storage/wire/su_message.h"

namespace headroom::check_services_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using enum IoCheck::Limit;

struct Checked {
  ServicesChecks checks;
  Findings findings;
  TrafficCheck traffic;
  const IoCheck& io() const { return checks.ios.at(0); }
  const ServiceCheck& service() const { return checks.services.at(0); }
  /// The one finding with this text; it must have this severity.
  const Finding& Found(const std::string& text, Finding::Severity severity) const {
    static const Finding none{};
    const Finding* found = &none;
    for (const Finding& f : findings) {
      if (f.what.find(text) == std::string::npos) continue;
      EXPECT_EQ(found, &none) << "twice: " << text;
      found = &f;
    }
    EXPECT_NE(found, &none) << text;
    if (found != &none) {
      EXPECT_EQ(found->severity, severity);
    }
    return *found;
  }
};

/// Compute hosts c0 … and extent nodes e0, e1 are on one switch, with 100 Gb/s and `delay` on each link.
Checked Check(const std::string& front, const std::string& io, const std::string& delay = "1us",
              const std::string& more = "", int compute = 2, const std::string& disk = "{}") {
  std::string hosts;
  for (int i = 0; i < compute; ++i) hosts += "c" + std::to_string(i) + ", ";
  const Scenario s = ScenarioOf(
      "duration: 1ms\ntopology: {type: star, hosts: [" + hosts + "e0, e1], link: {rate: 100Gbps, delay: " +
      delay + "}}\nservices: [{name: s, type: storage, compute: \"c*\", extent_nodes: \"e*\", front: {" +
      front + "}, disk: " + disk + "}]\nworkloads: [{name: w, " +
      (io.empty() ? "type: permutation, size: 1KB" : "type: io, service: s, " + io) + "}]\n" + more);
  const Fabric fabric(s);
  Checked out;
  out.checks = CheckServices(fabric, ClassifySwitches(fabric), out.findings);
  Findings others;
  out.traffic = CheckTraffic(fabric, {}, out.checks, others);
  return out;
}

const std::string kBlock = "blocks: [{size: 8KiB}]";
constexpr auto kNote = Finding::Severity::note;
constexpr auto kWarning = Finding::Severity::warning;

TEST(CheckServices, CountsConnectionsAndWhatIsRegisteredForMessages) {
  // Each extent node has 3 connections; of sK a RECV for each credit, of sU one more for each answer, and
  // two.
  const ServiceCheck sk =
      Check("protocol: sk_rdma, credits: 10", kBlock + ", depth: 1", "1us", "", 3).service();
  EXPECT_EQ(sk.connections(), 6u);
  EXPECT_EQ(sk.receives, 30);
  EXPECT_EQ(sk.receive_bytes.v, 30 * SkMessage::kBytes);
  EXPECT_EQ(sk.data_bytes, Bytes(3 * 8192));
  const ServiceCheck su = Check("protocol: su_rdma, credits: 10, chunk: 4KiB", kBlock + ", depth: 9", "1us",
                                "hosts: [{match: \"*\", cores: 2}]\n", 3)
                              .service();
  EXPECT_EQ(su.receives, 3 * 22);
  EXPECT_EQ(su.receive_bytes.v, 66 * (SuMessage::kBytes + 4096));
  EXPECT_EQ(su.data_bytes,
            Bytes(2 * 4096));  // a chunk for each of two connections; the other core has one connection
  // 4 × 1 us of cables, 2 × 0.5 us of the switch, and the time of some tens of bytes
  EXPECT_NEAR(InMicroseconds(sk.least_rtt), 5, 0.1);
  EXPECT_EQ(sk.least_rtt, sk.most_rtt);
  EXPECT_NEAR(static_cast<double>(sk.bdp.v), 5.03e-6 * 100e9 / 8, 500);
}

TEST(CheckServices, AServiceThatNoWorkloadNamesIsAWarning) {
  EXPECT_EQ(
      Check("protocol: sk_rdma", "").Found("no workload of type io, fio or trace uses it", kWarning).where,
      "service s");
}

TEST(CheckServices, DepthBeyondAllCreditsWaits) {
  const Checked c = Check("protocol: sk_rdma, credits: 4", kBlock + ", depth: 9", "20us");
  // 4 credits at each of 2 nodes; 5 would suffice
  EXPECT_EQ(c.Found("depth 9 is more than the 4 credits of service s at 2 extent nodes: at most 8", kWarning)
                .change,
            "front: {credits: 5}");
  for (const Finding& f : Check("protocol: sk_rdma, credits: 4", kBlock + ", depth: 8", "20us").findings)
    EXPECT_THAT(f.what, ::testing::Not(HasSubstr("is more than")));
}

TEST(CheckServices, CreditsLetSoManyBlocksThroughInARoundTrip) {
  // A read takes 4 × 20 + 1 us and the time of its 8 KiB on two links, about 82.5 us: 8 of them are 97,000 a
  // second and 6.4 Gb/s; the lines have 100 Gb/s.
  const Checked c = Check("protocol: sk_rdma, credits: 4", kBlock + ", depth: 64", "20us");
  EXPECT_EQ(c.io().Least().limit, credits);
  EXPECT_NEAR(c.io().Least().iops, 8 / 82e-6, 2000);
  EXPECT_DOUBLE_EQ(c.io().Least().iops, 8 / InSeconds(c.io().least_alone));
  const Finding& f = c.Found("a disk reaches at most 6.4", kNote);
  EXPECT_THAT(f.what, HasSubstr("4 credits at each extent node"));
  // 92.6 / 6.4 times as many, rounded up: of 1106 B 1024 are payload
  EXPECT_THAT(f.change, HasSubstr("credits: 58} and depth: 116 would fill them"));
  // This is enough for the line: there is no finding.
  EXPECT_THAT(Check("protocol: sk_rdma, credits: 64", kBlock + ", depth: 64").findings, IsEmpty());
}

TEST(CheckServices, DepthLetsSoManyBlocksThroughInARoundTrip) {
  // The same 8 are open, of a disk that asks for no more: 14.5 times as many would fill the lines.
  const Checked c = Check("protocol: sk_rdma", kBlock + ", depth: 8", "20us");
  EXPECT_EQ(c.io().Least().limit, depth);
  const Finding& f = c.Found("a disk reaches at most 6.4", kNote);
  EXPECT_THAT(f.what, HasSubstr("depth 8, blocks of 8.19 kB"));
  EXPECT_THAT(f.change, HasSubstr("depth: 11"));
}

TEST(CheckServices, DisksLetSoManyThrough) {
  // There are two extent nodes for two disks.
  const Checked c = Check("protocol: sk_rdma", kBlock + ", depth: 64", "1us", "", 2, "{iops: 1000}");
  EXPECT_EQ(c.Found("a disk reaches at most 1,000 I/Os a second, because of the disks", kNote).change,
            "more iops, or more extent nodes");
}

TEST(CheckServices, MoreThanCreditsLetThroughIsAWarningOfAnOpenLoop) {
  // At 200,000 a second of 82 us each 16.4 I/Os are open; 8 of them use 2 nodes' 8 credits.
  const Checked c = Check("protocol: sk_rdma, credits: 4", kBlock + ", rate: 200000", "20us");
  EXPECT_THAT(c.Found("200,000 I/Os per second of", kWarning).change, HasSubstr("credits: 9"));
  EXPECT_THAT(Check("protocol: sk_rdma, credits: 4", kBlock + ", rate: 90000", "20us").findings, IsEmpty());
}

TEST(CheckServices, OneChunkInFlightLimitsAConnection) {
  // c / (RTT + c/R): 64 KiB in 81.1 us and the time of 64 packets of 1106 B, 5.66 us, and of one more for the
  // switch: 6.04 Gb/s. Two connections with I/Os of 64 KiB each make 23,000 a second.
  const Checked c = Check("protocol: su_rdma", "blocks: [{size: 1MiB}], depth: 8", "20us");
  EXPECT_EQ(c.io().Least().limit, stream);
  EXPECT_NEAR(c.io().Least().iops, 2 / (16 * 86.8e-6), 10);
  const Finding& f = c.Found("a connection has one chunk in flight: 65.5 kB in 86.", kNote);
  EXPECT_THAT(f.what, HasSubstr("give at most 6.0"));
  // n c = R (turn + c/R) with n = 2: c = R turn = 100 Gb/s × 81.5 us = 1.02 MB = 996 KiB, to be written and
  // not read
  EXPECT_THAT(f.change, HasSubstr("front: {chunk: 996KiB, large: 996KiB}"));
}

TEST(CheckServices, AHiddenFenceLetsOneRequestOutInARoundTrip) {
  const std::string bug = "nics: [{match: \"*\", bugs: {hidden_fence: true}, registration_latency: 2us}]\n";
  const Checked c = Check("protocol: sk_rdma", kBlock + ", depth: 64", "20us", bug);
  EXPECT_EQ(c.io().Least().limit, fence);
  EXPECT_NEAR(c.io().Least().iops, 2 / 83.05e-6, 20);  // 81 us, 2 us, and 118 B on four links
  EXPECT_THAT(c.Found("hidden_fence: a registration waits", kWarning).what, HasSubstr("2 µs (registration)"));
  // One I/O at a time does not wait for others.
  for (const Finding& f : Check("protocol: sk_rdma", kBlock + ", depth: 1", "20us", bug).findings)
    EXPECT_THAT(f.what, ::testing::Not(HasSubstr("hidden_fence")));
  // sU registers its memory in advance.
  EXPECT_EQ(Check("protocol: su_rdma", kBlock + ", depth: 64", "20us", bug).io().Find(fence), nullptr);
}

TEST(CheckServices, CoresLetSoManyIosThrough) {
  // A client's read is 4 messages and 8 KiB: 4 · 1000 + 0.1 · 8192 cycles, 2.41 us of a core of 2 GHz; a
  // server's 3 messages: 1.91 us. Two cores, two nodes.
  const std::string hosts =
      "hosts: [{match: \"*\", cores: 2, clock: 2GHz, rdma: {cycles_per_message: 1000, cycles_per_byte: "
      "0.1}}]\n";
  const Checked c = Check("protocol: sk_rdma", kBlock + ", depth: 64", "1us", hosts);
  EXPECT_NEAR(c.io().Find(cores)->iops, 2 / 2.4096e-6, 1);
  EXPECT_NEAR(c.io().Find(node_cores)->iops, 2 / 1.9096e-6, 1);
  EXPECT_THAT(c.Found("at most 830,0", kNote).what, HasSubstr("the cores of its host"));
  EXPECT_THAT(Check("protocol: sk_rdma", kBlock + ", rate: 900000", "1us", hosts)
                  .Found("but at most 830,0", kWarning)
                  .change,
              HasSubstr("hosts: more cores"));
}

TEST(CheckServices, DisksBeginSoManyIosASecond) {
  // 2 nodes of 1000 for 4 disks: 500 each
  const Checked c = Check("protocol: sk_rdma", kBlock + ", rate: 501", "1us", "", 4, "{iops: 1000}");
  EXPECT_EQ(c.io().Least().limit, disks);
  EXPECT_DOUBLE_EQ(c.io().Least().iops, 500);
  EXPECT_THAT(c.Found("the rate is 501 I/Os a second per disk, but at most 500", kWarning).what,
              HasSubstr("iops"));
  EXPECT_THAT(Check("protocol: sk_rdma", kBlock + ", rate: 499", "1us", "", 4, "{iops: 1000}").findings,
              IsEmpty());
}

TEST(CheckServices, ChunksThatStayBelowAGroupsThresholdPauseNobody) {
  // 16 connections lead to an extent node: 16 c are in the buffer, each packet in cells, compared with the
  // group's XOFF.
  const auto check = [](int64_t chunk) {
    return Check("protocol: su_rdma, chunk: " + std::to_string(chunk) + "B",
                 "blocks: [{size: 1MiB}], depth: 1, reads: 0", "1us", "", 16);
  };
  const ServiceIncast first = check(65'536).service().incasts.at(0);
  EXPECT_TRUE(first.to_nodes);
  EXPECT_EQ(first.connections, 16u);
  EXPECT_EQ(first.each, Bytes(65'536));
  // 1024 B of payload and 62 + 16 B of headers are 6 cells of 208 B: 1248 B
  EXPECT_EQ(first.buffered, Bytes(16 * 64 * 1248));
  EXPECT_EQ(first.each_below.v, first.xoff.v / (16 * 1248) * 1024);
  const Checked below = check(first.each_below.v), above = check(first.each_below.v + 1024);
  EXPECT_FALSE(below.service().incasts.at(0).MayPause());
  EXPECT_TRUE(above.service().incasts.at(0).MayPause());
  for (const Finding& f : below.findings) EXPECT_THAT(f.what, ::testing::Not(HasSubstr("PFC")));
  EXPECT_THAT(above.Found("PFC may fire", kNote).change, HasSubstr("PFC cannot fire"));
}

TEST(CheckServices, WholeMessagesComeAllAtOnce) {
  // sK: open I/Os of each of 16 hosts at a node, and those of one disk that return from both nodes.
  const Checked c =
      Check("protocol: sk_rdma", "blocks: [{size: 64KiB}], depth: 4, reads: 50%", "1us", "", 16);
  ASSERT_EQ(c.service().incasts.size(), 2u);
  EXPECT_EQ(c.service().incasts[0].buffered, Bytes(16 * 4 * 64 * 1248));
  EXPECT_EQ(c.service().incasts[1].buffered, Bytes(4 * 64 * 1248));
  EXPECT_TRUE(c.service().incasts[0].MayPause());
  EXPECT_FALSE(c.service().incasts[1].MayPause());
}

TEST(CheckServices, OnlyHostsThatWriteCountInAnIncast) {
  const Checked c = Check("protocol: su_rdma",
                          "blocks: [{size: 64KiB}], depth: 1, reads: 0, from: \"c[0-3]\"", "1us", "", 16);
  EXPECT_EQ(c.service().incasts.at(0).connections, 4u);
  EXPECT_EQ(c.service().incasts.at(0).buffered, Bytes(4 * 64 * 1248));
}

TEST(CheckServices, APoolThatIsTooSmallIsANote) {
  // 64 I/Os of 1 MiB are open on each of 2 connections
  const Checked c = Check("protocol: sk_rdma, pool: 64MiB", "blocks: [{size: 1MiB}], depth: 64, reads: 0");
  EXPECT_EQ(c.service().data_bytes, Bytes(int64_t{128} << 20));
  EXPECT_THAT(c.Found("need 134.2 MB", kNote).what, HasSubstr("the pool has 67.1"));
}

TEST(CheckServices, AnOpenLoopIsALoadOnTheLinks) {
  // 3 hosts start 20,000 I/Os of 8 KiB a second, 70 % of them reads, on two nodes. A read's data are 8
  // packets of 1106 B and 16 B for the first; a write has a READ request of 98 B; both have a response of 150
  // B and an ACK of 86 B.
  const Checked c = Check("protocol: sk_rdma", kBlock + ", reads: 70%, rate: 20000", "1us", "", 3);
  const WorkloadCheck& w = c.traffic.workloads.at(0);
  EXPECT_DOUBLE_EQ(w.messages, 60);
  EXPECT_DOUBLE_EQ(w.offered_bps.value(), 60'000 * 8192 * 8.0);
  ASSERT_FALSE(c.traffic.loads.empty());
  // The fullest link into the switch is a node's: it has half of all I/Os.
  double most = 0;
  for (const LinkLoad& load : c.traffic.loads) most = std::max(most, load.most_bps);
  EXPECT_NEAR(most, 30'000 * 8 * (0.7 * (8192 + 8 * 82 + 16) + 0.3 * 98 + 150 + 86), 1e-9 * most);
}

}  // namespace
}  // namespace headroom::check_services_test
