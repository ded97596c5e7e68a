// Tests P1 to P10 of the acceptance suite: PFC, ECN and RoCEv2 under traffic (sonic-mgmt,
// tests/snappi_tests).
//
// P3's check of a PFC frame's source address is left out, because frames have no such field here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "acceptance/switch_under_test.h"
#include "run/run.h"
#include "support/scenarios.h"
#include "workload/types/incast.h"
#include "workload/types/permutation.h"

namespace headroom::traffic_test {
namespace {

class Traffic : public Acceptance {
 protected:
  /// Complete hosts at the switch: their NICs honour pauses and slow down, or do not.
  Scenario Hosts(int hosts, NicParameters::CongestionControl control) const {
    Scenario s = StarScenario(hosts, {GigabitsPerSecond(100), Nanoseconds(200), Time{}, 0.0});
    s.switches[0].buffer = SwitchUnderTest::WithDefaults(dut().buffer);
    for (NicParameters& nic : s.nics) nic.congestion_control = control;
    return s;
  }
  static uint64_t Drops(const RunRecord& r, int priority) {
    uint64_t sum = 0;
    for (const PortRecord& p : r.ports) {
      for (const uint64_t d : p.priority[priority].drops) sum += d;
    }
    return sum;
  }
};
INSTANTIATE_TEST_SUITE_P(On, Traffic, testing::Values(Tomahawk2(), Spectrum3()), DutName);

size_t Arrived(SwitchUnderTest& b, uint32_t port, int priority) {
  const auto& all = b->listeners[port].arrivals;
  return static_cast<size_t>(
      std::count_if(all.begin(), all.end(), [&](const auto& a) { return a.priority == priority; }));
}

// While a lossless priority is paused none of its frames leave, and all frames of another priority do.
// Afterwards all frames have arrived.
TEST_P(Traffic, P1_PausedLosslessPriority) {
  InChild([&] {
    SwitchUnderTest b(dut());
    b->ports[15]->SendPfc(1u << 3, 0, 65535);  // 335 µs at 100 Gb/s
    b.Wait(Microseconds(1));
    for (int i = 0; i < 200; ++i) {
      b->Send(0, 15, 3, dut().frame);
      b->Send(1, 15, 4, dut().frame);
    }
    b.Wait(Microseconds(200));
    EXPECT_EQ(Arrived(b, 15, 3), 0u);
    EXPECT_EQ(Arrived(b, 15, 4), 200u);
    b.Wait(Microseconds(300));
    EXPECT_EQ(Arrived(b, 15, 3), 200u);
    EXPECT_EQ(b.AllDrops(), 0u);
  });
}

TEST_P(Traffic, P2_PauseOfALossyPriorityIsIgnored) {
  InChild([&] {
    SwitchUnderTest b(dut());
    b->ports[15]->SendPfc(1u << 0 | 1u << 1, 0, 65535);
    b.Wait(Microseconds(1));
    b.Send(0, 15, 0, 100);
    b.Send(1, 15, 1, 100);
    EXPECT_EQ(Arrived(b, 15, 0), 100u);
    EXPECT_EQ(Arrived(b, 15, 1), 100u);
  });
}

// A pause time without its class-enable bit pauses no priority.
TEST_P(Traffic, P3_ClassEnableBitUnset) {
  InChild([&] {
    SwitchUnderTest b(dut());
    b->ports[15]->SendPfc(0, 0, 65535);
    b.Wait(Microseconds(1));
    b.Send(0, 15, 3, 100);
    EXPECT_EQ(Arrived(b, 15, 3), 100u);
  });
}

// Many hosts send to one. The class is lossless and hosts honour pauses: there is PFC and no loss.
TEST_P(Traffic, P4_ManyToOneLossless) {
  InChild([&] {
    Scenario s = Hosts(9, NicParameters::CongestionControl::none);
    IncastArrivals a;
    a.size = Kilobytes(10'000);
    a.from = headroom::Hosts(0, 8);
    a.to = {8};
    s.workloads = {WorkloadOf("m2o", a)};
    const RunRecord r = headroom::Run(s, {});
    EXPECT_EQ(r.status, RunStatus::complete);
    EXPECT_GT(r.pauses.size(), 0u);
    EXPECT_EQ(r.conservation.dropped, 0u);
    EXPECT_EQ(r.naks, 0u);
  });
}

// Two lossy streams at line rate go to one port, a lossless stream to another. Half of the lossy frames are
// lost, except for the queue's contents; no lossless frame is lost.
TEST_P(Traffic, P4_ManyToOneLossy) {
  InChild([&] {
    SwitchUnderTest b(dut());
    const auto frames =
        static_cast<int64_t>(4 * (dut().lossy_pool * std::min(1.0, dut().lossy_alpha)) / dut().frame);
    for (int64_t i = 0; i < frames; ++i) {
      b->Send(0, 15, 0, dut().frame);
      b->Send(4, 15, 0, dut().frame);
      b->Send(8, 14, 3, dut().frame);
    }
    b.Wait(SerializationTime(Bytes((dut().frame + 20) * 2 * frames), GigabitsPerSecond(100)) +
           Milliseconds(1));
    EXPECT_EQ(Arrived(b, 14, 3), static_cast<size_t>(frames));
    const auto lost = static_cast<double>(b->Dropped(15, 0, DropReason::egress_limit));
    EXPECT_EQ(static_cast<double>(Arrived(b, 15, 0)) + lost, 2.0 * static_cast<double>(frames));
    // While the senders last, one port's share leaves; then the contents of the queue, which is at its limit
    // in each slice.
    const double held = 2 * static_cast<double>(frames) - static_cast<double>(frames) - lost;
    EXPECT_GT(lost, 0.2 * static_cast<double>(frames));
    EXPECT_NEAR(held, static_cast<double>(b->node->peak_queue(Watermark::run, 15, 0)) / dut().frame, 4);
    for (uint32_t port = 0; port < SwitchUnderTest::kPorts; ++port) EXPECT_EQ(b.PauseFrames(port, 3), 0u);
  });
}

TEST_P(Traffic, P5_LineRateWithoutCongestion) {
  InChild([&] {
    Scenario s = Hosts(8, NicParameters::CongestionControl::none);
    PermutationArrivals a;
    a.hosts = headroom::Hosts(0, 8);
    a.size = Kilobytes(5'000);
    s.workloads = {WorkloadOf("all", a)};
    const RunRecord r = headroom::Run(s, {});
    EXPECT_EQ(r.conservation.dropped, 0u);
    EXPECT_TRUE(r.pauses.empty());
    // 4883 frames of 1106 B, and as many ACKs of 86 B for frames from elsewhere, take 465.6 µs at line rate.
    for (const MessageRecord& m : r.messages)
      EXPECT_NEAR(InMicroseconds(m.completed - m.start), 465.6 + 2, 1.5);
  });
}

/// Which frames leave marked after this many gathered behind a closed port; with the bytes that each leaves
/// behind.
std::vector<std::pair<int64_t, bool>> Marks(SwitchUnderTest& b, const Dut& dut, int64_t frames) {
  b->listeners[15].arrivals.clear();
  b.Close(15);
  b.Send(0, 15, 3, frames);
  b.Close(15, false);
  b.Wait(SerializationTime(Bytes((dut.frame + 20) * frames), GigabitsPerSecond(100)) + Microseconds(5));
  std::vector<std::pair<int64_t, bool>> marks;
  const auto& arrivals = b->listeners[15].arrivals;
  for (size_t i = 0; i < arrivals.size(); ++i) {
    marks.emplace_back((frames - 1 - static_cast<int64_t>(i)) * dut.frame, arrivals[i].ce);
  }
  return marks;
}

SwitchConfig WithEcn(int64_t kmin, int64_t kmax, double pmax) {
  SwitchConfig config = SwitchUnderTest::Config();
  config.ecn[3] = Ecn(kmin, kmax, pmax);
  return config;
}

// Kmin = Kmax = 100 kB, and twice as much gathers. The first frame out is marked, the last is not. The marks
// end where 100 kB are left behind.
TEST_P(Traffic, P6_MarkingAtDequeue) {
  InChild([&] {
    SwitchUnderTest b(dut(), WithEcn(100'000, 100'000, 1.0));
    const auto marks = Marks(b, dut(), 200'000 / dut().frame);
    EXPECT_TRUE(marks.front().second);
    EXPECT_FALSE(marks.back().second);
    for (const auto& [left, marked] : marks) EXPECT_EQ(marked, left > 100'000) << left;
  });
}

// The queue is filled 200 times to Kmax and ten frames. In ten classes of queue length the share of marked
// frames is on the curve.
TEST_P(Traffic, P7_RedAccuracy) {
  InChild([&] {
    constexpr int64_t kMin = 500'000, kMax = 2'000'000;
    constexpr int kClasses = 10;
    SwitchUnderTest b(dut(), WithEcn(kMin, kMax, 0.05));
    std::vector<double> seen(kClasses), expected(kClasses), variance(kClasses);
    for (int round = 0; round < 200; ++round) {
      for (const auto& [left, marked] : Marks(b, dut(), kMax / dut().frame + 10)) {
        if (left > kMax) {
          EXPECT_TRUE(marked) << left;
        } else if (left <= kMin) {
          EXPECT_FALSE(marked) << left;
        } else {
          const double p = 0.05 * static_cast<double>(left - kMin) / (kMax - kMin);
          const auto c =
              std::min<size_t>(kClasses - 1, static_cast<size_t>((left - kMin) * kClasses / (kMax - kMin)));
          seen[c] += marked;
          expected[c] += p;
          variance[c] += p * (1 - p);
        }
      }
    }
    for (int c = 0; c < kClasses; ++c) EXPECT_NEAR(seen[c], expected[c], 4 * std::sqrt(variance[c])) << c;
  });
}

// No frame below Kmin is marked; a higher Pmax marks more, a wider ramp marks fewer.
TEST_P(Traffic, P8_MarkingIsMonotone) {
  const auto marked = [&](int64_t kmin, int64_t kmax, double pmax) {
    const std::string n = TextFromChild([&] {
      SwitchUnderTest b(dut(), WithEcn(kmin, kmax, pmax));
      int count = 0;
      for (int round = 0; round < 10; ++round) {
        for (const auto& [left, ce] : Marks(b, dut(), 1'000'000 / dut().frame)) count += ce;
      }
      return std::to_string(count);
    });
    return std::stoi(n);
  };
  EXPECT_EQ(marked(1'000'000, 2'000'000, 0.5), 0);
  const int some = marked(200'000, 2'000'000, 0.1);
  EXPECT_GT(some, 0);
  EXPECT_GT(marked(200'000, 2'000'000, 0.5), 2 * some);
  EXPECT_GT(some, marked(200'000, 10'000'000, 0.1));
}

// A peer that requests a pause of q quanta every 10 µs leaves the port the rest of that time.
TEST_P(Traffic, P9_ThroughputFallsWithQuanta) {
  double before = 1e9;
  for (const uint16_t quanta : {0, 250, 500, 1000, 1500}) {
    const std::string n = TextFromChild([&] {
      SwitchUnderTest b(dut());
      for (int i = 0; i < 4000; ++i) b->Send(0, 15, 3, dut().frame);
      for (int i = 0; i < 20; ++i) {
        if (quanta > 0) b->ports[15]->SendPfc(1u << 3, 0, quanta);
        b.Wait(Microseconds(10));
      }
      return std::to_string(Arrived(b, 15, 3));
    });
    const double sent = std::stod(n);
    // A quantum is 5.12 ns at 100 Gb/s; a frame that has started ends, so up to one more leaves in each 10
    // µs.
    const double wire_us = (dut().frame + 20) * 8 / 100e3;
    const double open = 1 - quanta * 5.12e-3 / 10;
    EXPECT_NEAR(sent * wire_us, 200 * open, 20 * wire_us + 2) << quanta;
    EXPECT_LT(sent, before) << quanta;
    before = sent;
  }
}

// The longer the paused peer takes to react, the more headroom it needs. 59 696 and 66 560 bytes are 4.8
// and 5.3 µs at 100 Gb/s. They also hold cells and the other bytes that arrive after XOFF, so they cover 3 µs
// and not 8.
TEST_P(Traffic, P9_ReactionDelayThatHeadroomCovers) {
  for (const auto& [delay_us, lossless] :
       {std::pair(0, true), {1, true}, {3, true}, {8, false}, {20, false}}) {
    InChild([&, delay_us = delay_us, lossless = lossless] {
      Scenario s = Hosts(5, NicParameters::CongestionControl::none);
      s.switches[0].pfc.response = Microseconds(delay_us);
      IncastArrivals a;
      a.size = Kilobytes(40'000);
      a.from = headroom::Hosts(0, 4);
      a.to = {4};
      s.workloads = {WorkloadOf("m2o", a)};
      s.duration = Milliseconds(8);
      s.deadline = Milliseconds(8);
      const RunRecord r = headroom::Run(s, {});
      EXPECT_GT(r.pauses.size(), 0u);
      EXPECT_EQ(Drops(r, 3) == 0, lossless) << delay_us << " µs";
      EXPECT_TRUE(r.conservation.Ok());
    });
  }
}

// One host sends to one and many to one with DCQCN: every message completes without NAK, CNPs are sent, and
// shares are fair.
TEST_P(Traffic, P10_RoceIncast) {
  for (const NodeId senders : {1u, 8u}) {
    InChild([&] {
      Scenario s = Hosts(9, NicParameters::CongestionControl::dcqcn);
      s.switches[0].ecn[3] = Ecn(1'000'000, 2'000'000, 0.05);
      IncastArrivals a;
      a.size = Kilobytes(5'000);
      a.from = headroom::Hosts(0, senders);
      a.to = {8};
      s.workloads = {WorkloadOf("roce", a)};
      const RunRecord r = headroom::Run(s, {});
      EXPECT_EQ(r.status, RunStatus::complete);
      EXPECT_EQ(r.naks, 0u);
      EXPECT_EQ(r.conservation.dropped, 0u);
      EXPECT_EQ(r.cnp_sent > 0, senders > 1);
      double sum = 0, squares = 0;
      for (const MessageRecord& m : r.messages) {
        const double rate = 1 / InMicroseconds(m.completed - m.start);
        sum += rate;
        squares += rate * rate;
      }
      EXPECT_GT(sum * sum / (senders * squares), 0.9);
    });
  }
}

}  // namespace
}  // namespace headroom::traffic_test
