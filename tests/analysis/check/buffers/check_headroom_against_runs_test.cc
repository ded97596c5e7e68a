// Headroom of links, headroom pools and queues, with random cables, rates and frames. Where `check` finds an
// error a run drops on the same ports; ports without a finding do not drop.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "analysis/check/buffers/check_headroom.h"
#include "analysis/check/buffers/check_memory.h"
#include "analysis/scenario_of.h"
#include "run/run.h"
#include "support/in_child.h"
#include "support/own_tables.h"
#include "support/scenarios.h"

namespace headroom::check_headroom_against_runs_test {
namespace {

struct Cable {
  int64_t gigabits = 100, delay_ns = 100, mtu = 1024, response_ns = 0;
};

/// Groups pause at 20 kB.
struct Buffer {
  Bytes xoff{1'000'000}, pool{9'000'000}, queue{30'000'000};
};

/// `senders` hosts fill the queue of h0, which is blocked again and again, until their groups pause. h0 sends
/// to one of them at line rate, so that pauses wait for its frames.
Scenario Filled(const Cable& c, const Buffer& b, bool alone = false) {
  OwnTables tables{
      .in = fmt::format("mode: static, size: 20000000, xoff: {}", b.pool.v),
      .pg = fmt::format("size: 0, xon: 0, xon_offset: 5000, xoff: {}, static_th: 20000", b.xoff.v),
      .q = fmt::format("static_th: {}", b.queue.v),
      .more = fmt::format("    pfc: {{response: {}ns}}\n", c.response_ns)};
  return ScenarioOf(fmt::format(
                        R"(name: s
duration: 500us
deadline: 600us
mtu: {}
topology: {{type: star, hosts: 3, link: {{rate: {}Gbps, delay: {}ns}}}}
nics: [{{match: "*", congestion_control: none}}]
workloads:
  - {{name: in, type: stream, from: {}, to: h0, message: 1MB, in_flight: 2}}
  - {{name: out, type: stream, from: h0, to: {}, message: 1MB, in_flight: 2}}
faults: [{{type: port_blocked, port: "s0:p0", start: 5us, stop: 25us, repeat: {{every: 30us, count: 15}}}}]
)",
                        c.mtu, c.gigabits, c.delay_ns, alone ? "h1" : "[h1, h2]", alone ? "h2" : "h1") +
                    tables.Text());
}

struct Checked {
  HeadroomChecks headroom;
  MemoryChecks memory;
  Findings findings;
};

Checked Check(const Scenario& s) {
  const Fabric fabric(s);
  Checked c;
  c.headroom = CheckHeadroom(fabric, ClassifySwitches(fabric), c.findings);
  c.memory = CheckMemory(fabric, ClassifySwitches(fabric), c.findings);
  return c;
}

bool Drops(const Scenario& s) {
  const RunRecord r = headroom::Run(s, {});
  for (const PortRecord& port : r.ports)
    for (const uint64_t of_reason : port.priority[3].drops)
      if (of_reason > 0) return true;
  return false;
}

/// Expects one error and drops, or no finding except notes and no drop.
void ExpectAsFound(const Scenario& s, bool error) {
  Findings findings = Check(s).findings;
  std::erase_if(findings, [](const Finding& f) { return f.severity == Finding::Severity::note; });
  ASSERT_EQ(findings.size(), error ? 1u : 0u);
  for (const Finding& finding : findings) EXPECT_EQ(finding.severity, Finding::Severity::error);
  InChild([&] { EXPECT_EQ(Drops(Exact(s)), error); });  // findings are of nominal clocks
}

class HeadroomFindings : public ::testing::Test {
 protected:
  int64_t Below(int64_t n) { return static_cast<int64_t>(random_() % static_cast<uint32_t>(n)); }
  int64_t OneOf(std::initializer_list<int64_t> of) {
    return *(of.begin() + Below(static_cast<int64_t>(of.size())));
  }
  Cable AnyCable() {
    return {OneOf({25, 100, 400}), 5 + Below(1'500), OneOf({1024, 4096}), OneOf({0, 300, 2'000})};
  }
  /// For an error a size below `sure` by at least one byte, else one of at least `most`.
  Bytes Size(bool error, Bytes sure, Bytes most) {
    return error ? sure - Bytes(1 + Below(2) * Below(sure.v / 2)) : most + Bytes(Below(2) * Below(5'000));
  }
  std::string Text(const Cable& c, Bytes size) const {
    return fmt::format("{} Gb/s, {} ns, {} B, response {} ns, {}", c.gigabits, c.delay_ns, c.mtu,
                       c.response_ns, size.v);
  }

 private:
  std::mt19937 random_{35};
};

TEST_F(HeadroomFindings, ErrorsOfLinksDropAndWhatHasNoFindingDoesNot) {
  for (int i = 0; i < 12; ++i) {
    const Cable cable = AnyCable();
    const HeadroomCheck link = Check(Filled(cable, {.xoff = Bytes(1'000)})).headroom.links.at(0);
    const Bytes xoff = Size(i % 2 == 0, link.ForSure(), link.need.Total());
    SCOPED_TRACE(Text(cable, xoff));
    ExpectAsFound(Filled(cable, {.xoff = xoff}), i % 2 == 0);
  }
}

TEST_F(HeadroomFindings, ErrorsOfPoolsAndQueuesDropByASingleGroup) {
  for (int i = 0; i < 12; ++i) {
    const Cable cable = AnyCable();
    const Checked wide = Check(Filled(cable, {}));
    const LinkHeadroom& need = wide.headroom.links.at(0).need;
    const EgressCheck& egress = wide.memory.egress.at(0);
    const bool error = i % 2 == 0;
    const Bytes pool = Size(error, need.for_sure, wide.headroom.pools.at(0).sum_need);
    const Bytes full = error ? Bytes(20'000) : Bytes();  // bytes of a group; Ingress() returns those of two
    const Bytes queue = full + Size(error, need.for_sure, egress.Ingress());
    SCOPED_TRACE(Text(cable, i % 4 < 2 ? pool : queue));
    ExpectAsFound(Filled(cable, i % 4 < 2 ? Buffer{.pool = pool} : Buffer{.queue = queue}, error), error);
  }
}

}  // namespace
}  // namespace headroom::check_headroom_against_runs_test
