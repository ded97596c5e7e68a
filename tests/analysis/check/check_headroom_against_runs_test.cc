// Headroom of links: what `check` calls an error drops in a run over the same ports, whatever the cable, the
// rate and the frames, and what it has no finding for does not.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "analysis/check/check_headroom.h"
#include "analysis/scenario_of.h"
#include "run/run.h"
#include "support/in_child.h"

namespace headroom::check_headroom_against_runs_test {
namespace {

struct Cable {
  int64_t gigabits = 100, delay_ns = 100, mtu = 1024, response_ns = 0;
};

/// Two hosts fill the queue of a third, which is blocked again and again, until their groups pause at 20 kB.
/// The third sends to one of them at line rate, so that pauses wait for its frames.
Scenario Filled(const Cable& c, Bytes xoff) {
  return ScenarioOf(fmt::format(
      R"(name: s
duration: 500us
deadline: 600us
mtu: {}
topology: {{type: star, hosts: 3, link: {{rate: {}Gbps, delay: {}ns}}}}
nics: [{{match: "*", congestion_control: none}}]
workloads:
  - {{name: in, type: stream, from: [h1, h2], to: h0, message: 1MB, in_flight: 2}}
  - {{name: out, type: stream, from: h0, to: h1, message: 1MB, in_flight: 2}}
faults: [{{type: port_blocked, port: "s0:p0", start: 5us, stop: 25us, repeat: {{every: 30us, count: 15}}}}]
switches:
  - match: "*"
    pfc: {{response: {}ns}}
    buffer:
      size: 40MB
      tables:
        BUFFER_POOL: {{in: {{type: ingress, mode: static, size: 20000000, xoff: 9000000}},
                      out: {{type: egress, mode: static, size: 40000000}}}}
        BUFFER_PROFILE:
          pg: {{pool: in, size: 0, xon: 0, xon_offset: 5000, xoff: {}, static_th: 20000}}
          ilossy: {{pool: in, size: 0, static_th: 2000000}}
          q: {{pool: out, size: 0, static_th: 40000000}}
        BUFFER_PG: {{"*|3": {{profile: pg}}, "*|6": {{profile: ilossy}}}}
        BUFFER_QUEUE: {{"*|3": {{profile: q}}, "*|6": {{profile: q}}}}
)",
      c.mtu, c.gigabits, c.delay_ns, c.response_ns, xoff.v));
}

struct Checked {
  HeadroomChecks checks;
  Findings findings;
};

Checked Check(const Scenario& s) {
  const Fabric fabric(s);
  Checked c;
  c.checks = CheckHeadroom(fabric, ClassifySwitches(fabric), c.findings);
  return c;
}

bool Drops(const Scenario& s) {
  const RunRecord r = headroom::Run(s, {});
  for (const PortRecord& port : r.ports)
    for (const uint64_t of_reason : port.priority[3].drops)
      if (of_reason > 0) return true;
  return false;
}

TEST(HeadroomFindings, ErrorsDropAndWhatHasNoFindingDoesNot) {
  std::mt19937 random(35);
  const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint32_t>(n)); };
  const auto one_of = [&](std::initializer_list<int64_t> of) {
    return *(of.begin() + below(static_cast<int64_t>(of.size())));
  };
  for (int i = 0; i < 12; ++i) {
    const Cable cable{one_of({25, 100, 400}), 5 + below(1'500), one_of({1024, 4096}),
                      one_of({0, 300, 2'000})};
    const HeadroomCheck link = Check(Filled(cable, Bytes(1'000))).checks.links.at(0);
    const Bytes most = link.need.Total(), for_sure = link.ForSure();
    const bool error = i % 2 == 0;
    const Bytes xoff = error ? for_sure - Bytes(1 + below(i % 4 == 0 ? 1 : for_sure.v / 2))
                             : most + Bytes(below(2) * below(5'000));
    SCOPED_TRACE(fmt::format("{} Gb/s, {} ns, {} B, response {} ns, {} of {} to {}", cable.gigabits,
                             cable.delay_ns, cable.mtu, cable.response_ns, xoff.v, for_sure.v, most.v));
    const Scenario s = Filled(cable, xoff);
    const Findings findings = Check(s).findings;
    ASSERT_EQ(findings.size(), error ? 1u : 0u);
    for (const Finding& finding : findings) EXPECT_EQ(finding.severity, Finding::Severity::error);
    InChild([&] { EXPECT_EQ(Drops(s), error); });
  }
}

}  // namespace
}  // namespace headroom::check_headroom_against_runs_test
