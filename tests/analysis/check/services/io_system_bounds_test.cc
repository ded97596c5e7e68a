// Bounds of I/Os with a back leg: no run of a random service exceeds them, and none rises when a leg is
// added, a link becomes longer, or credits become fewer.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <ns3/rng-seed-manager.h>

#include <random>

#include "analysis/check/services/check_services.h"
#include "analysis/scenario_of.h"
#include "run/run.h"
#include "support/in_child.h"

namespace headroom::io_system_bounds_test {
namespace {

struct Drawn {
  std::string front, back;
  int depth = 1, replicas = 1, front_credits = 64, back_credits = 64, delay_ns = 100, kib = 4, reads = 100;
  int gigabits = 100;  ///< rate of the first extent node
  bool apart = false;  ///< front ends and partition servers have their own hosts
  bool cores = false;
};

Drawn Draw(std::mt19937& random) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto one_of = [&](auto... of) {
    const std::common_type_t<decltype(of)...> all[] = {of...};
    return all[below(static_cast<int>(sizeof...(of)))];
  };
  const auto leg = [&] { return std::string(one_of("sk_rdma", "su_rdma", "su_rdma, chunk: 16KiB", "tcp")); };
  return {.front = leg(),
          .back = leg(),
          .depth = one_of(1, 1, 4, 32),
          .replicas = 1 + below(3),
          .front_credits = one_of(2, 64),
          .back_credits = one_of(2, 64),
          .delay_ns = one_of(100, 2'000, 20'000),
          .kib = one_of(4, 64, 100),
          .reads = one_of(100, 0, 50),
          .gigabits = one_of(25, 100),
          .apart = below(2) == 0,
          .cores = below(2) == 0};
}

std::string LegText(const std::string& protocol, int credits) {
  const std::string own = protocol == "tcp" ? "" : fmt::format(", credits: {}", credits);
  return fmt::format("{{protocol: {}{}}}", protocol, own);
}

/// Two disks on three extent nodes.
Scenario ServiceOf(const Drawn& d, bool back) {
  std::string legs = "front: " + LegText(d.front, d.front_credits);
  if (back)
    legs += fmt::format(", back: {}, replicas: {}", LegText(d.back, d.back_credits), d.replicas) +
            (d.apart ? ", front_ends: f0, partition_servers: p0" : "");
  return ScenarioOf(fmt::format(
      "duration: 400us\ntopology:\n  type: custom\n  hosts: [c0, c1, e0, e1, e2, f0, p0]\n  switches: [t]\n"
      "  links:\n    - {{ends: [\"[cfp]*\", t], rate: 100Gbps, delay: {0}ns}}\n"
      "    - {{ends: [e0, t], rate: {1}Gbps, delay: {0}ns}}\n"
      "    - {{ends: [\"e[12]\", t], rate: 100Gbps, delay: {0}ns}}\n{2}"
      "services: [{{name: s, type: storage, compute: \"c*\", extent_nodes: \"e*\", {3}, disk: {{read: 4us, "
      "write: 2us}}}}]\n"
      "workloads: [{{name: w, type: io, service: s, depth: {4}, reads: {5}%, blocks: [{{size: {6}KiB}}]}}]\n",
      d.delay_ns, d.gigabits,
      d.cores ? "hosts: [{match: \"*\", cores: 2, clock: 2GHz, rdma: {cycles_per_message: 1000, "
                "cycles_per_byte: 0.1}, operation: {cycles_per_request: 2000}}]\n"
              : "",
      legs, d.depth, d.reads, d.kib));
}

IoCheck Bounds(const Scenario& s) {
  ns3::RngSeedManager::SetRun(s.seed);
  const Fabric fabric(s);
  Findings findings;
  return CheckServices(fabric, ClassifySwitches(fabric), findings).ios.at(0);
}

std::string TextOf(const Drawn& d) {
  return fmt::format(
      "front {} ({}), back {} ({}), depth {}, {} replicas, {} ns, {} KiB, {} % reads, {} Gb/s, {}, {}",
      d.front, d.front_credits, d.back, d.back_credits, d.depth, d.replicas, d.delay_ns, d.kib, d.reads,
      d.gigabits, d.apart ? "apart" : "together", d.cores ? "cores" : "no cores");
}

TEST(IoSystemBounds, DoNotRiseWithALegWithDelayOrWithFewerCredits) {
  constexpr double kRounding = 1 + 1e-9;
  std::mt19937 random(35);
  for (int i = 0; i < 60; ++i) {
    Drawn d = Draw(random);
    SCOPED_TRACE(TextOf(d));
    const IoCheck direct = Bounds(ServiceOf(d, false)), system = Bounds(ServiceOf(d, true));
    EXPECT_LE(system.Least().iops, direct.Least().iops * kRounding) << LimitName(direct.Least().limit);
    EXPECT_GE(system.least_alone, direct.least_alone);
    Drawn farther = d, fewer = d;
    farther.delay_ns *= 3;
    fewer.front_credits /= 2, fewer.back_credits /= 2;
    EXPECT_LE(Bounds(ServiceOf(farther, true)).Least().iops, system.Least().iops * kRounding);
    EXPECT_LE(Bounds(ServiceOf(fewer, true)).Least().iops, system.Least().iops * kRounding);
  }
}

TEST(IoSystemBounds, AreNotPassedByRuns) {
  std::mt19937 random(7);
  for (int i = 0; i < 24; ++i) {
    Drawn d = Draw(random);
    d.gigabits = 100;  // all nodes are alike: a run has few I/Os, and draws their nodes
    SCOPED_TRACE(TextOf(d));
    InChild([&] {
      const Scenario s = ServiceOf(d, true);
      const IoCheck said = Bounds(s);
      const RunRecord r = headroom::Run(s, {});
      ASSERT_FALSE(r.operations.empty());
      double ended = 0, picoseconds = 0;
      Time first = kNever;
      for (const OperationRecord& o : r.operations) {
        first = std::min(first, o.start);
        ended += o.completed <= s.duration;
        picoseconds += static_cast<double>((o.completed - o.start).v);
      }
      // Of the two disks; each may have begun its last I/Os before the end.
      const double a_second = (ended - 2 * d.depth) / 2 / InSeconds(s.duration - first);
      EXPECT_LE(a_second, said.Least().iops * 1.001) << LimitName(said.Least().limit);
      const double mean = picoseconds / static_cast<double>(r.operations.size());
      EXPECT_GE(mean * 1.001, static_cast<double>(said.least_alone.v));
    });
  }
}

}  // namespace
}  // namespace headroom::io_system_bounds_test
