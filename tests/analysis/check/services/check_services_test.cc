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

struct Checked {
  ServicesChecks checks;
  Findings findings;
  TrafficCheck traffic;
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
              const std::string& more = "", int compute = 2) {
  std::string hosts;
  for (int i = 0; i < compute; ++i) hosts += "c" + std::to_string(i) + ", ";
  const Scenario s = ScenarioOf(
      "duration: 1ms\ntopology: {type: star, hosts: [" + hosts + "e0, e1], link: {rate: 100Gbps, delay: " +
      delay + "}}\nservices: [{name: s, type: storage, compute: \"c*\", extent_nodes: \"e*\", front: {" +
      front + "}}]\nworkloads: [{name: w, " +
      (io.empty() ? "type: permutation, size: 1KB" : "type: io, service: s, " + io) + "}]\n" + more);
  const Fabric fabric(s);
  Checked out;
  out.checks = CheckServices(fabric, out.findings);
  Findings others;
  out.traffic = CheckTraffic(fabric, {}, others);
  return out;
}

const std::string kBlock = "blocks: [{size: 8KiB}]";
constexpr auto kWarning = Finding::Severity::warning;

TEST(CheckServices, CountsConnectionsAndWhatIsRegisteredForMessages) {
  // Each extent node has 3 connections; of sK a RECV for each credit, of sU one more for each answer, and
  // two.
  const ServiceCheck sk =
      Check("protocol: sk_rdma, credits: 10", kBlock + ", depth: 1", "1us", "", 3).service();
  EXPECT_EQ(sk.connections(), 6u);
  EXPECT_EQ(sk.receives, 30);
  EXPECT_EQ(sk.receive_bytes.v, 30 * SkMessage::kBytes);
  const ServiceCheck su = Check("protocol: su_rdma, credits: 10, chunk: 4KiB", kBlock + ", depth: 9", "1us",
                                "hosts: [{match: \"*\", cores: 2}]\n", 3)
                              .service();
  EXPECT_EQ(su.receives, 3 * 22);
  EXPECT_EQ(su.receive_bytes.v, 66 * (SuMessage::kBytes + 4096));
}

TEST(CheckServices, AServiceThatNoWorkloadNamesIsAWarning) {
  EXPECT_EQ(
      Check("protocol: sk_rdma", "").Found("no workload of type io, fio or trace uses it", kWarning).where,
      "service s");
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
