// I/Os take the times that `check` states. Lone I/Os take the time of the closed forms, and never less. A
// disk comes close to its stated maximum and does not exceed it.
#include <gtest/gtest.h>

#include <numeric>

#include "analysis/check/services/check_services.h"
#include "analysis/scenario_of.h"
#include "run/run.h"
#include "support/in_child.h"

namespace headroom::check_services_against_runs_test {
namespace {

const std::string kCores =
    "hosts: [{match: \"*\", clock: 2GHz, rdma: {cycles_per_message: 1000, cycles_per_byte: 0.1}}]\n";
const std::string kTcpCosts =
    "clock: 2.5GHz, tcp: {cycles_per_message: 5450, cycles_per_byte_sent: 0.22, cycles_per_byte_received: "
    "0.57, cycles_per_byte_crc: 0.32}, operation: {cycles_per_request: 5000}}";

/// The disk of c0 on two extent nodes; each link has 100 Gb/s and `delay`.
Scenario Disk(const std::string& front, const std::string& io, const std::string& delay = "1us",
              const std::string& more = "", const std::string& disk = "{}") {
  return ScenarioOf(
      "duration: 1ms\ntopology: {type: star, hosts: [c0, e0, e1], link: {rate: 100Gbps, delay: " + delay +
      "}}\nservices: [{name: s, type: storage, compute: c0, extent_nodes: \"e*\", front: {" + front +
      "}, disk: " + disk + "}]\nworkloads: [{name: w, type: io, service: s, " + io + "}]\n" + more);
}

struct Measured {
  IoCheck said;
  double mean_us = 0;  ///< mean of the I/Os that ended
  Time least = kNever;
  double iops = 0;  ///< I/Os that began and ended while the load lasted
};

Measured Measure(const Scenario& s) {
  const Fabric fabric(s);
  Findings findings;
  Measured m;
  m.said = CheckServices(fabric, ClassifySwitches(fabric), findings).ios.at(0);
  const RunRecord r = headroom::Run(s, {});
  double ended = 0, within = 0;
  for (const OperationRecord& o : r.operations) {
    m.mean_us += InMicroseconds(o.completed - o.start);
    m.least = std::min(m.least, o.completed - o.start);
    ++ended;
    within += o.completed <= s.duration;
  }
  EXPECT_GT(ended, 0);
  m.mean_us /= ended;
  // Connections exist after a few round trips: the time counts from the first I/O.
  m.iops = within / InSeconds(s.duration - r.operations.front().start);
  return m;
}

TEST(ServiceBounds, IosAloneTakeWhatTheClosedFormsSay) {
  const char* fronts[] = {"protocol: sk_rdma",
                          "protocol: su_rdma",
                          "protocol: su_rdma, chunk: 256KiB",
                          "protocol: su_rdma, small: 1KiB, chunk: 8KiB",
                          "protocol: sk_rdma, crc: false",
                          "protocol: su_rdma, crc: false"};
  for (const char* front : fronts) {
    for (const char* io :
         {"blocks: [{size: 2KiB}]", "blocks: [{size: 200KiB}]", "blocks: [{size: 64KiB}], reads: 0"}) {
      for (const std::string& cores : {std::string(), kCores}) {
        InChild([&] {
          SCOPED_TRACE(std::string(front) + ", " + io + cores);
          const Measured m = Measure(Disk(front, std::string(io) + ", depth: 1, stop: 300us", "1us", cores,
                                          "{read: 9us, write: 2us}"));
          EXPECT_GE(m.mean_us, InMicroseconds(m.said.least_alone));
          EXPECT_LT(m.mean_us, 1.01 * InMicroseconds(m.said.most_alone));
          EXPECT_EQ(m.said.Least().limit, IoCheck::Limit::depth);
        });
      }
    }
  }
}

TEST(ServiceBounds, IosOverTcpTakeNoLessThanTheClosedFormsSay) {
  struct Io {
    const char* text;
    double within;  ///< share of the mean, where windows are open
  };
  const Io ios[] = {{"blocks: [{size: 512B}]", 1.01},
                    {"blocks: [{size: 8KiB}]", 1.01},
                    {"blocks: [{size: 8KiB}], reads: 0", 1.01},
                    {"blocks: [{size: 64KiB}]", 1.1},
                    {"blocks: [{size: 200KiB}], reads: 0", 1.2},
                    {"blocks: [{size: 1MiB}]", 1.2}};
  for (const char* front : {"protocol: tcp", "protocol: tcp, crc: false"}) {
    for (const Io& io : ios) {
      for (const std::string& more :
           {std::string(), "hosts: [{match: \"*\", " + kTcpCosts + "]\n", std::string("ip_mtu: 9000\n")}) {
        InChild([&] {
          SCOPED_TRACE(std::string(front) + ", " + io.text + ", " + more);
          const Measured m = Measure(
              Disk(front, std::string(io.text) + ", depth: 1", "1us", more, "{read: 9us, write: 2us}"));
          EXPECT_GE(m.least, m.said.least_alone);
          EXPECT_LT(m.mean_us, io.within * InMicroseconds(m.said.most_alone));
          ASSERT_EQ(m.said.alone.size(), 1u);
          const IoParts& p = m.said.alone[0].parts;
          EXPECT_EQ(p.all, m.said.least_alone);
          EXPECT_EQ(p.software + p.serialisation + p.propagation + p.registration + p.device, p.all);
        });
      }
    }
  }
}

struct Limited {
  IoCheck::Limit limit;
  Scenario scenario;
};

TEST(ServiceBounds, WhatADiskIsSaidToReachAtMostItComesNear) {
  using enum IoCheck::Limit;
  const std::string many = "depth: 64";
  const Limited all[] = {
      {credits, Disk("protocol: sk_rdma, credits: 4", "blocks: [{size: 8KiB}], " + many, "20us")},
      {fence, Disk("protocol: sk_rdma", "blocks: [{size: 8KiB}], " + many, "20us",
                   "nics: [{match: \"*\", bugs: {hidden_fence: true}, registration_latency: 2us}]\n")},
      {stream, Disk("protocol: su_rdma", "blocks: [{size: 8KiB}], " + many, "20us")},
      {stream, Disk("protocol: su_rdma, large: 4KiB", "blocks: [{size: 16KiB}], reads: 0, " + many)},
      {cores, Disk("protocol: sk_rdma", "blocks: [{size: 4KiB}], " + many, "1us", kCores)},
      {disks,
       Disk("protocol: sk_rdma", "blocks: [{size: 4KiB}], " + many, "1us", "", "{read: 10us, iops: 100000}")},
      {line, Disk("protocol: sk_rdma", "blocks: [{size: 64KiB}], " + many)},
      {line,
       Disk("protocol: tcp, connections: 4", "blocks: [{size: 64KiB}], " + many, "1us", "ip_mtu: 9000\n")},
      // Eight connections, a core each, and a core for the disk's requests
      {cores, Disk("protocol: tcp, connections: 4", "blocks: [{size: 4KiB}], " + many, "1us",
                   "hosts: [{match: c0, cores: 8, " + kTcpCosts + "]\n")},
      {cores, Disk("protocol: tcp", "blocks: [{size: 4KiB}], " + many, "1us",
                   "hosts: [{match: c0, " + kTcpCosts + "]\n")},
      {node_cores, Disk("protocol: tcp", "blocks: [{size: 4KiB}], " + many, "1us",
                        "hosts: [{match: \"e*\", " + kTcpCosts + "]\n")},
      {disks,
       Disk("protocol: tcp", "blocks: [{size: 4KiB}], " + many, "1us", "", "{read: 10us, iops: 100000}")}};
  for (const Limited& limited : all) {
    InChild([&] {
      SCOPED_TRACE(LimitName(limited.limit));
      const Measured m = Measure(limited.scenario);
      EXPECT_EQ(m.said.Least().limit, limited.limit);
      EXPECT_LE(m.iops, m.said.Least().iops * 1.001);
      EXPECT_GE(m.iops, m.said.Least().iops * 0.85);
    });
  }
}

}  // namespace
}  // namespace headroom::check_services_against_runs_test
