// The rate of inline operations falls in steps where a work request needs one more line of 64 B, and only
// there.
#include <gtest/gtest.h>

#include "protocol/posting/posting_arrivals.h"
#include "run/run.h"
#include "support/in_child.h"
#include "support/scenarios.h"

namespace headroom::nic_resources_staircase_test {
namespace {

/// Inline operations per microsecond that one NIC sends to three others, at this payload.
double Throughput(Transport transport, int64_t payload, const ResourceParameters& resources) {
  const std::string text = TextFromChild([&] {
    Scenario s = StarScenario(4, {GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0});
    s.frames = {.header = 26, .ack = 30, .cnp = 34, .gap = 0, .min = 0};
    s.mtu = 4096;
    s.duration = Microseconds(60);
    for (NicParameters& nic : s.nics) {
      nic.resources = resources;
      nic.congestion_control = NicParameters::CongestionControl::none;
    }
    PostingArrivals a;
    a.from = {0};
    a.to = {1, 2, 3};
    a.message = Bytes(payload);
    a.transport = transport;
    a.inlined = true;
    a.signal_every = a.window = 4;
    a.processes_from = 8;
    s.workloads = {WorkloadOf("out", a)};
    s.workloads[0].verb = transport == Transport::ud ? Operation::send : Operation::write;
    const RunRecord r = headroom::Run(s, {});
    EXPECT_EQ(r.status, RunStatus::complete);
    int64_t n = 0;
    for (const MessageRecord& m : r.messages)
      n += m.completed > Microseconds(20) && m.completed <= Microseconds(60);
    return std::to_string(n);
  });
  return std::stod(text) / 40;
}

/// There is a step down after each of these payloads, and no other step.
void ExpectSteps(Transport transport, const std::vector<int64_t>& last, const ResourceParameters& resources) {
  for (const int64_t payload : last) {
    const double before = Throughput(transport, payload - 1, resources);
    const double at = Throughput(transport, payload, resources);
    const double behind = Throughput(transport, payload + 1, resources);
    const double further = Throughput(transport, payload + 2, resources);
    EXPECT_NEAR(before / at, 1, 0.03) << payload;
    EXPECT_LT(behind, 0.9 * at) << payload;
    EXPECT_NEAR(further / behind, 1, 0.03) << payload;
  }
}

ResourceParameters ConnectX3() { return FindResourceSet("connectx3-pcie3-x8")->resources; }

TEST(Staircase, sits_where_header_and_payload_fill_lines) {
  // 36 + 28 = 64 B, and 64 more each; of datagrams 68 + 60 = 128 B.
  ExpectSteps(Transport::uc, {28, 92, 156, 220}, ConnectX3());
  ExpectSteps(Transport::ud, {60, 124, 188, 252}, ConnectX3());
}

TEST(Staircase, has_the_heights_of_lines) {
  // 17 ns for each of 2, 3 and 4 lines; one line is faster than the pipeline's 27.8 ns.
  const double ns[] = {27.8, 34, 51, 68};
  for (int lines = 1; lines <= 4; ++lines) {
    EXPECT_NEAR(Throughput(Transport::uc, 64 * lines - 36, ConnectX3()), 1e3 / ns[lines - 1],
                0.03 * 1e3 / ns[lines - 1]);
  }
}

TEST(Staircase, moves_with_the_header) {
  ResourceParameters resources = ConnectX3();
  resources.wqe_connected = Bytes(48);
  ExpectSteps(Transport::uc, {16, 80, 144, 208}, resources);
}

TEST(Staircase, is_gone_where_lines_cost_nothing) {
  // The pipeline remains, and from 163 B on the wire: (163 + 42) B at 100 Gb/s are 16.4 ns, below 27.8.
  ResourceParameters resources = ConnectX3();
  resources.pio_line = resources.engine_line = Time();
  for (const int64_t payload : {28, 92, 156, 220}) {
    EXPECT_NEAR(
        Throughput(Transport::uc, payload + 1, resources) / Throughput(Transport::uc, payload, resources), 1,
        0.02);
  }
}

}  // namespace
}  // namespace headroom::nic_resources_staircase_test
