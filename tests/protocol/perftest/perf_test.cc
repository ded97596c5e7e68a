// perftest's loops compared with closed forms for the network.
#include "protocol/perftest/perf.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/bounds/ideal_path.h"
#include "run/run_perf.h"
#include "scenario/paths/flow_paths.h"
#include "support/in_child.h"
#include "support/scenarios.h"

namespace headroom::perf_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(15), Time{}, 0.0};

/// Two hosts on a switch, with latencies.
Scenario Pair(const LinkSpec& link = kLink) {
  Scenario s = StarScenario(2, link);
  for (NicParameters& nic : s.nics) {
    nic.tx_latency = Nanoseconds(300);
    nic.rx_latency = Nanoseconds(200);
    nic.transport.rto = Milliseconds(100);
  }
  return s;
}

IdealPath PathOf(const Scenario& s) {
  const std::vector<RouteTable> routes = ComputeRoutes(s.topology);
  const EcmpPaths ways(s.topology, routes, EcmpSeedsOf(s));
  return IdealPathOf(s, ways.Of(0, 1, 49152), ways.Of(1, 0, 49152));
}

Time OnWire(const Scenario& s, Bytes frame) { return SerializationTime(s.frames.OnWire(frame), kLink.rate); }

/// Time of an ACK from the arrival of its message.
Time AckBack(const Scenario& s) {
  return s.nics[1].tx_latency + (OnWire(s, s.frames.Ack()) + kLink.delay) * 2 + s.switches[0].latency +
         s.nics[0].rx_latency;
}

PerfTimes Ping(const Scenario& s, PerfVerb verb, QpType connection, uint32_t size) {
  PerfTest test;
  test.verb = verb;
  test.latency = true;
  test.connection = connection;
  test.size = size;
  test.iterations = 50;
  return RunPerf(s, test);
}

/// Expects equal times of this length for all rounds.
void ExpectRounds(const PerfTimes& times, Time round) {
  EXPECT_EQ(times.failure, "");
  ASSERT_EQ(times.posted.size(), 50u);
  for (size_t i = 1; i < times.posted.size(); ++i) EXPECT_EQ(times.posted[i] - times.posted[i - 1], round);
}

TEST(Perf, AWriteOfUcIsThereAfterItsIdealTimeLessTheAck) {
  for (const uint32_t size : {2u, 1024u, 5000u}) {
    InChild([size] {
      const Scenario s = Pair();
      const Time there = IdealCompletion(PathOf(s), Bytes(size)) - AckBack(s);
      ExpectRounds(Ping(s, PerfVerb::write, QpType::uc, size), there * 2);
    });
  }
}

TEST(Perf, AnAnswerOnRcLeavesBehindTheAckOfWhatItAnswers) {
  // Ping and pong each wait for one ACK of 66 + 20 B at their NIC's port; in the switch they follow it at a
  // distance. A message shorter than the ACK would not catch up with it: frames keep their distance from port
  // to port.
  for (const PerfVerb verb : {PerfVerb::write, PerfVerb::send}) {
    InChild([verb] {
      const Scenario s = Pair();
      const Operation operation = verb == PerfVerb::write ? Operation::write : Operation::send;
      const Time there = IdealCompletion(PathOf(s), Bytes(4096), operation) - AckBack(s);
      const Time ack = OnWire(s, s.frames.Ack());
      EXPECT_EQ(ack, Picoseconds(6'880));
      const PerfTimes times = Ping(s, verb, QpType::rc, 4096);
      EXPECT_EQ(times.posted[1] - times.posted[0],
                there * 2 + ack);  // the first ping has no message before it
      for (size_t i = 2; i < times.posted.size(); ++i) {
        EXPECT_EQ(times.posted[i] - times.posted[i - 1], (there + ack) * 2);
      }
    });
  }
}

TEST(Perf, AReadsLatencyIsItsIdealTime) {
  for (const uint32_t size : {2u, 1024u, 100'000u}) {
    InChild([size] {
      const Scenario s = Pair();
      IdealPath path = PathOf(s);
      ExpectRounds(Ping(s, PerfVerb::read, QpType::rc, size),
                   IdealCompletion(path, Bytes(size), Operation::read_request));
    });
  }
}

TEST(Perf, ADatagramGoesThereAndBack) {
  InChild([] {
    const Scenario s = Pair();
    // The frame has 64 B of payload and 62 + 8 (DETH) + 20 B of headers and gap, on two links each way.
    const Time frame = SerializationTime(Bytes(64 + 62 + 8 + 20), kLink.rate);
    const Time there = Nanoseconds(300 + 500 + 200) + (frame + Nanoseconds(15)) * 2;
    ExpectRounds(Ping(s, PerfVerb::send, QpType::ud, 64), there * 2);
  });
}

TEST(Perf, BandwidthIsTheLineRateTimesThePayloadsShare) {
  // 1024 B are payload of 1024 + 78 + 20 B. The last of n equal frames leaves n − 1 frames after the first,
  // and then takes the time of a lone message.
  InChild([] {
    const Scenario s = Pair();
    PerfTest test;
    test.size = 1024;
    test.iterations = 5000;
    test.cq_mod = 1;
    const PerfTimes times = RunPerf(s, test);
    ASSERT_EQ(times.failure, "");
    const Time frame = SerializationTime(Bytes(1024 + 78 + 20), kLink.rate);
    const Time took = frame * 4999 + IdealCompletion(PathOf(s), Bytes(1024));
    EXPECT_EQ(times.completed.back() - times.posted.front(), took);
    const PerfBandwidth b = BandwidthOf(test, times);
    EXPECT_NEAR(b.average_bps, 8.0 * 1024 * 5000 / InSeconds(took), 1);
    EXPECT_NEAR(b.messages_per_s, 5000 / InSeconds(took), 1e-3);
    const double share = 1024.0 / (1024 + 78 + 20);
    EXPECT_GT(b.average_bps, 0.99 * share * 100e9);  // without the way of the first and the last ACK
    EXPECT_LE(b.peak_bps, share * 100e9);
    EXPECT_GE(b.peak_bps, b.average_bps);
  });
}

TEST(Perf, SixteenReadsOutstandingBoundTheRateOnALongLink) {
  // Over 100 km 16 READs of 512 B are open at a time, and the next starts when one completes. So round k of
  // the sixteenth READ ends k ideal times after the start, behind fifteen responses of 512 + 66 + 20 B.
  InChild([] {
    const Scenario s = Pair({GigabitsPerSecond(100), Microseconds(500), Time{}, 0.0});
    PerfTest test;
    test.verb = PerfVerb::read;
    test.size = 512;
    test.iterations = 16 * 20;
    test.cq_mod = 1;
    const PerfTimes times = RunPerf(s, test);
    ASSERT_EQ(times.failure, "");
    const Time alone = IdealCompletion(PathOf(s), Bytes(512), Operation::read_request);
    EXPECT_GT(alone, Milliseconds(2));
    const Time response = SerializationTime(Bytes(512 + 66 + 20), kLink.rate);
    EXPECT_EQ(times.completed.back() - times.posted.front(), alone * 20 + response * 15);
    EXPECT_NEAR(BandwidthOf(test, times).messages_per_s, 16 / InSeconds(alone), 0.2);
  });
}

TEST(Perf, ModeratedCompletionsStandForThoseBeforeThem) {
  // Every 100th of 250 and the last make a completion: 100, 200, 250. Two queue pairs make twice as many.
  InChild([] {
    PerfTest test;
    test.size = 64;
    test.iterations = 250;
    test.cq_mod = 100;
    test.queue_pairs = 2;
    const PerfTimes times = RunPerf(Pair(), test);
    ASSERT_EQ(times.failure, "");
    EXPECT_EQ(times.posted.size(), 500u);
    EXPECT_EQ(
        std::count_if(times.completed.begin(), times.completed.end(), [](Time t) { return t != kNever; }), 6);
    EXPECT_NE(times.completed.back(), kNever);
  });
}

TEST(Perf, SendsFindTheirRecvs) {
  for (const QpType type : {QpType::rc, QpType::uc, QpType::ud}) {
    InChild([type] {
      PerfTest test;
      test.verb = PerfVerb::send;
      test.connection = type;
      test.size = 1000;
      test.iterations = 2000;
      test.cq_mod = 100;
      const PerfTimes times = RunPerf(Pair(), test);
      EXPECT_EQ(times.failure, "");
      EXPECT_GT(BandwidthOf(test, times).average_bps, 85e9);
    });
  }
}

TEST(Perf, WhatIsLostForGoodIsTold) {
  for (const QpType type : {QpType::rc, QpType::uc}) {
    InChild([type] {
      Scenario s = Pair();
      s.faults = {LossFault{0, 2, 1.0}};
      s.nics[0].transport.rto = Microseconds(100);
      const PerfTimes times = Ping(s, PerfVerb::write, type, 64);
      EXPECT_EQ(times.failure,
                type == QpType::rc ? "transport retries exceeded" : "message 1 was lost, or got no answer");
    });
  }
}

TEST(Perf, LatencyStatisticsAreOfAllRounds) {
  // Rounds take 2, 4, … 20 µs: half of them are 1, 2, … 10.
  PerfTest test;
  test.latency = true;
  PerfTimes times;
  times.posted = {Time{}};
  for (int i = 1; i <= 10; ++i) times.posted.push_back(times.posted.back() + Microseconds(2 * i));
  const PerfLatency l = LatencyOf(test, times);
  EXPECT_DOUBLE_EQ(l.min_us, 1);
  EXPECT_DOUBLE_EQ(l.max_us, 10);
  EXPECT_DOUBLE_EQ(l.typical_us, 5.5);
  EXPECT_DOUBLE_EQ(l.average_us, 5.5);
  EXPECT_DOUBLE_EQ(l.deviation_us, std::sqrt(8.25));  // (10² − 1) / 12
  EXPECT_DOUBLE_EQ(l.p99_us, 10);
  test.verb = PerfVerb::read;
  EXPECT_DOUBLE_EQ(LatencyOf(test, times).min_us, 2);
  times.posted = {Time{}};
  for (int i = 1; i <= 7; ++i) times.posted.push_back(Picoseconds(1'129'761) * i);
  EXPECT_EQ(LatencyOf(test, times).average_us, 1.129761);
  EXPECT_EQ(LatencyOf(test, times).deviation_us, 0);
}

}  // namespace
}  // namespace headroom::perf_test
