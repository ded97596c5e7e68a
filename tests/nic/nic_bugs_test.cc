// Bugs of real NICs, each with a switch: congestion leaking, the hidden fence; and memory registrations in
// the send queue of bulk, which the fence delays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/bounds/ideal_path.h"
#include "run/run.h"
#include "support/in_child.h"
#include "support/lab.h"
#include "support/one_slow_target.h"
#include "support/path_of.h"
#include "workload/types/stream.h"

namespace headroom::nic_bugs_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};

Scenario ThreeTargets(bool leaks) { return OneSlowTarget(4, kLink, leaks); }

/// Gb/s on the wire of host 0's queue pairs between 50 us and 1 ms: frames of 1106 B.
std::vector<double> RatesOf(Lab& lab, const std::vector<uint32_t>& queue_pairs) {
  RunUntil(Microseconds(50));
  std::vector<double> rates;
  for (const uint32_t qp : queue_pairs) rates.push_back(-1.0 * lab.nic(0).requester(qp).next_psn);
  RunUntil(Milliseconds(1));
  for (size_t i = 0; i < queue_pairs.size(); ++i) {
    rates[i] += lab.nic(0).requester(queue_pairs[i]).next_psn;
    rates[i] *= 1106 * 8 / 950e-6 / 1e9;
  }
  return rates;
}

TEST(CongestionLeaking, EveryQueuePairGetsTheRateOfTheSlowest) {
  // A burst is 15 frames, 16 590 B: 950 us at 10 Gb/s have 71.6 bursts, so one burst more or less is 1.4 %.
  // It may have to wait for two frames of others, 0.18 us of 13.3, each time: 1.3 %. Without the bug, the two
  // others share the rest of the line: 45 Gb/s each.
  for (const bool leaks : {false, true}) {
    InChild([leaks] {
      Lab lab(ThreeTargets(leaks));
      std::vector<uint32_t> qps;
      for (const NodeId to : {1u, 2u, 3u}) qps.push_back(lab.Connect(0, to));
      for (const uint32_t qp : qps) lab.Post(0, qp, 100'000'000);
      const std::vector<double> rates = RatesOf(lab, qps);
      for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(rates[i], leaks || i == 0 ? 10 : 45, 0.3) << i;
      EXPECT_EQ(lab.nic(0).requester(qps[1]).rate.current,
                GigabitsPerSecond(100));  // nothing has changed its rate
    });
  }
}

TEST(CongestionLeaking, WhoHasNothingToSendHoldsNobodyUp) {
  // The slow queue pair has sent its 20 KiB; the others then share the line.
  InChild([] {
    Lab lab(ThreeTargets(true));
    std::vector<uint32_t> qps;
    for (const NodeId to : {1u, 2u, 3u}) qps.push_back(lab.Connect(0, to));
    lab.Post(0, qps[0], 20 * 1024);
    lab.Post(0, qps[1], 100'000'000);
    lab.Post(0, qps[2], 100'000'000);
    const std::vector<double> rates = RatesOf(lab, qps);
    EXPECT_EQ(lab.messages[0].completions, 1);
    EXPECT_NEAR(rates[1], 50, 0.5);
    EXPECT_NEAR(rates[2], 50, 0.5);
  });
}

TEST(CongestionLeaking, QueuePairsThatComeAndGoAllFinish) {
  // Messages of all lengths start at all times, with the latency of a real NIC: the round of queue pairs
  // forgets none.
  InChild([] {
    Scenario s = ThreeTargets(true);
    s.nics[0].tx_latency = Nanoseconds(300);
    Lab lab(s);
    std::vector<uint32_t> qps;
    for (const NodeId to : {1u, 2u, 3u, 1u}) qps.push_back(lab.Connect(0, to));
    RandomStream random("leaking/messages");
    Time at;
    for (int i = 0; i < 400; ++i) {
      const uint32_t qp = qps[static_cast<size_t>(random.Uniform() * 4)];
      const auto bytes = static_cast<int64_t>(random.Uniform() * 30'000);
      at += Nanoseconds(static_cast<int64_t>(random.Uniform() * 20'000));
      At(at, [&lab, qp, bytes] { lab.Post(0, qp, bytes); });
    }
    RunUntil(Milliseconds(100));
    ASSERT_EQ(lab.messages.size(), 400u);
    for (const Lab::Message& m : lab.messages) EXPECT_EQ(m.completions, 1);
    EXPECT_TRUE(lab.errors.empty());
  });
}

/// A stream of SENDs of 8 KiB over two links of 10 us, with a registration of 1.5 us before each.
Scenario Registering(bool fence, int in_flight, Operation verb = Operation::send) {
  Scenario s = StarScenario(2, {GigabitsPerSecond(100), Microseconds(10), Time{}, 0.0});
  for (NicParameters& nic : s.nics) {
    nic.registration_latency = Nanoseconds(1500);
    nic.hidden_fence = fence;
    nic.tx_latency = Nanoseconds(100);
    nic.rx_latency = Nanoseconds(200);
  }
  StreamArrivals a;
  a.from = {0};
  a.to = {1};
  a.message = Bytes(8192);
  a.in_flight = in_flight;
  s.workloads = {WorkloadOf("storage", a)};
  s.workloads[0].registers = true;
  s.workloads[0].verb = verb;
  s.duration = Milliseconds(1);
  s.deadline = Milliseconds(10);
  return s;
}

Time IdealOf(const Scenario& s, const MessageRecord& m) {
  const auto routes = ComputeRoutes(s.topology);
  const IdealPath path =
      IdealPathOf(s, PathOf(s, routes, 0, 1, m.source_port), PathOf(s, routes, 1, 0, m.source_port));
  return IdealCompletion(path, m.size, s.workloads[0].verb) + s.nics[0].registration_latency;
}

TEST(Registration, AMessageAloneTakesItsIdealTimeAndTheRegistration) {
  for (const Operation verb : {Operation::send, Operation::write, Operation::read_request}) {
    for (const bool fence : {false, true}) {
      InChild([&] {
        const Scenario s = Registering(fence, 1, verb);
        const RunRecord r = headroom::Run(s, {});
        ASSERT_EQ(r.status, RunStatus::complete);
        ASSERT_GT(r.messages.size(), 10u);
        for (const MessageRecord& m : r.messages) EXPECT_EQ((m.completed - m.start).v, IdealOf(s, m).v);
      });
    }
  }
}

TEST(HiddenFence, TheKthQueuedSendTakesKRoundTrips) {
  // Eight I/Os are queued at once. With the bug each registration waits for the ACK of the previous SEND. So
  // the k-th is complete after k times the span of one, except for a part of tx_latency: it already begins
  // with the last ACK but one.
  InChild([] {
    const Scenario s = Registering(true, 8);
    const RunRecord r = headroom::Run(s, {});
    ASSERT_EQ(r.status, RunStatus::complete);
    const Time one = IdealOf(s, r.messages[0]);
    for (int64_t k = 0; k < 8; ++k) {
      const MessageRecord& m = r.messages[static_cast<size_t>(k)];
      EXPECT_LE(m.completed - m.start, one * (k + 1));
      EXPECT_GE(m.completed - m.start, (one - s.nics[0].tx_latency) * (k + 1));
    }
    // From then on there is one I/O in each round trip, however many are queued.
    const double span = InMicroseconds(r.messages.back().completed);
    EXPECT_NEAR(span / static_cast<double>(r.messages.size()), InMicroseconds(one), 0.2);
  });
  // Without the bug registrations follow one another, and eight I/Os are in flight in each round trip.
  InChild([] {
    const Scenario s = Registering(false, 8);
    const RunRecord r = headroom::Run(s, {});
    const Time one = IdealOf(s, r.messages[0]);
    for (int64_t k = 0; k < 8; ++k) {
      const MessageRecord& m = r.messages[static_cast<size_t>(k)];
      EXPECT_LE(m.completed - m.start, one + Nanoseconds(2'300) * k);  // 1.5 us and 8 frames of 0.09 us
    }
    const double span = InMicroseconds(r.messages.back().completed);
    EXPECT_LT(span / static_cast<double>(r.messages.size()), InMicroseconds(one) / 6);
  });
}

}  // namespace
}  // namespace headroom::nic_bugs_test
