// Selective repeat: which packets are sent again, and when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "nic/transport/recovery/holes.h"
#include "support/in_child.h"
#include "support/lab.h"
#include "support/recovery.h"

namespace headroom::selective_repeat_test {
namespace {

using testing::ElementsAre;

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};

Scenario Selective() {
  Scenario s = StarScenario(2, kLink);
  RepeatSelectively(s);
  return s;
}

std::map<uint32_t, int> TimesSent(const Lab& lab) {
  std::map<uint32_t, int> times;
  for (const Lab::Sent& f : lab.Of(0, FrameKind::data)) ++times[f.psn];
  return times;
}

TEST(SelectiveRepeat, NothingIsSentTwiceForOneLoss) {
  // A random part of 2,000 packets is lost on the first transmission, except in the last window: no packet
  // after those would cause a NAK.
  for (const double loss : {0.001, 0.02, 0.2, 0.5}) {
    InChild([loss] {
      Lab lab(Selective());
      std::mt19937 random(7);
      std::set<uint32_t> seen, lost;
      lab.lose = [&](NodeId, const Frame& f) {
        if (f.kind != FrameKind::data || f.psn >= 1900 || !seen.insert(f.psn).second) return false;
        if (random() % 1000 >= loss * 1000) return false;
        return lost.insert(f.psn).second;
      };
      lab.Post(0, lab.Connect(0, 1), 2000 * 1024);
      RunUntil(Milliseconds(10));
      EXPECT_EQ(lab.messages[0].deliveries, 1);
      EXPECT_EQ(lab.messages[0].completions, 1);
      EXPECT_EQ(lab.nic(0).counters().timeouts, 0u);
      EXPECT_GT(lost.size(), 0u);
      EXPECT_EQ(lab.nic(0).counters().retransmitted_packets, lost.size());
      for (const auto& [psn, times] : TimesSent(lab)) ASSERT_EQ(times, lost.contains(psn) ? 2 : 1) << psn;
    });
  }
}

TEST(SelectiveRepeat, APacketLostTwiceIsForTheTimer) {
  InChild([] {
    Lab lab(Selective());
    int lost = 0;
    lab.lose = [&](NodeId, const Frame& f) { return f.kind == FrameKind::data && f.psn == 10 && lost++ < 2; };
    lab.Post(0, lab.Connect(0, 1), 40 * 1024);
    RunUntil(Milliseconds(1));
    EXPECT_EQ(lab.messages[0].completions, 1);
    EXPECT_EQ(lab.nic(0).counters().timeouts, 1u);
    EXPECT_EQ(TimesSent(lab)[10], 3);
    // The window after it is full, or all is sent: then more than three packets are on their way.
    EXPECT_GT(lab.messages[0].completed, Microseconds(320));
    EXPECT_LT(lab.messages[0].completed, Microseconds(330));
  });
}

TEST(SelectiveRepeat, TheTimeoutIsShortWithFewPacketsOnTheirWay) {
  for (const int64_t packets : {1, 3, 4}) {
    InChild([packets] {
      Lab lab(Selective());
      std::set<uint32_t> seen;
      lab.lose = [&](NodeId, const Frame& f) {
        return f.kind == FrameKind::data && seen.insert(f.psn).second;
      };
      lab.Post(0, lab.Connect(0, 1), packets * 1024);
      RunUntil(Milliseconds(4));
      EXPECT_EQ(lab.messages[0].completions, 1);
      // The timeout sends only the oldest packet. Its ACK reveals that the next one is lost, too.
      EXPECT_EQ(lab.nic(0).counters().timeouts, 1u);
      EXPECT_EQ(lab.nic(0).counters().retransmitted_packets, static_cast<uint64_t>(packets));
      const Time first = packets <= 3 ? Microseconds(100) : Microseconds(320);
      EXPECT_GT(lab.messages[0].completed, first);
      EXPECT_LT(lab.messages[0].completed, first + Microseconds(2 * packets));
    });
  }
}

TEST(SelectiveRepeat, ATimeoutSendsAllThatIsMissingAgain) {
  // Packets 10 to 19 are lost twice. One timeout recovers all of them.
  InChild([] {
    Lab lab(Selective());
    std::map<uint32_t, int> times;
    lab.lose = [&](NodeId, const Frame& f) {
      return f.kind == FrameKind::data && f.psn >= 10 && f.psn < 20 && times[f.psn]++ < 2;
    };
    lab.Post(0, lab.Connect(0, 1), 40 * 1024);
    RunUntil(Milliseconds(4));
    EXPECT_EQ(lab.messages[0].completions, 1);
    EXPECT_EQ(lab.nic(0).counters().timeouts, 1u);
    EXPECT_EQ(lab.nic(0).counters().retransmitted_packets, 20u);
    EXPECT_LT(lab.messages[0].completed, Microseconds(330));
  });
}

TEST(SelectiveRepeat, ATimeoutInVainRepeatsAtMostAWindow) {
  // The receiver is paused for longer than the timeout, and nothing is lost. Packets in flight then may be
  // sent again, and none later.
  InChild([] {
    Lab lab(Selective());
    const uint32_t qp = lab.Connect(0, 1);
    for (int i = 0; i < 40; ++i) lab.Post(0, qp, 200 * 1024);
    At(Microseconds(100), [&] { lab.star().port(1).SetPaused(3, true); });
    At(Microseconds(600), [&] { lab.star().port(1).SetPaused(3, false); });
    RunUntil(Milliseconds(10));
    for (const auto& m : lab.messages) EXPECT_EQ(m.completions, 1);
    EXPECT_GE(lab.nic(0).counters().timeouts, 1u);
    const auto window = static_cast<uint64_t>(lab.nic(0).requester(qp).window);
    EXPECT_LE(lab.nic(0).counters().retransmitted_packets, lab.nic(0).counters().timeouts * window);
  });
}

TEST(SelectiveRepeat, OneLostReadRequestIsRepeatedOnce) {
  InChild([] {
    Lab lab(Selective());
    int requests = 0;
    lab.lose = [&](NodeId host, const Frame& f) {
      return host == 0 && f.kind == FrameKind::data && IsReadRequest(f.opcode) && requests++ == 0;
    };
    const uint32_t qp = lab.nic(0).AddQueuePair(1, 3, 49152);
    for (uint32_t i = 0; i < 60; ++i) {
      lab.messages.emplace_back();
      lab.nic(0).Post(qp, i, 20 * 1024, Operation::read_request);
    }
    RunUntil(Milliseconds(10));
    for (const auto& m : lab.messages) EXPECT_EQ(m.completions, 1);
    // The READs that are on their way, at most 16, arrive too early and wait for their turn.
    EXPECT_LE(lab.nic(0).counters().retransmitted_packets, 2u);
    EXPECT_LE(lab.nic(1).counters().retransmitted_packets, 2u);
  });
}

TEST(SelectiveRepeat, FailsWhenGoBackNWould) {
  InChild([] {
    Scenario s = Selective();
    s.nics[0].transport.rto = Milliseconds(1);
    s.nics[0].transport.retry = 3;
    Lab lab(s);
    lab.lose = [](NodeId host, const Frame&) { return host == 0; };
    lab.Post(0, lab.Connect(0, 1), 1024);
    RunUntil(Milliseconds(100));
    ASSERT_EQ(lab.errors.size(), 1u);
    EXPECT_GE(lab.error_at, Milliseconds(3));
    EXPECT_LT(lab.error_at, Milliseconds(4));
  });
}

TEST(SelectiveRepeat, HeadersSayWhereAPacketBelongs) {
  // A WRITE of three packets has three RETHs; a NAK with 4 bytes more names the packets that arrived.
  InChild([] {
    Lab lab(Selective());
    bool lost = false;
    lab.lose = [&](NodeId, const Frame& f) {
      return f.kind == FrameKind::data && f.psn == 0 && !std::exchange(lost, true);
    };
    lab.Post(0, lab.Connect(0, 1), 3 * 1024);
    RunUntil(Milliseconds(1));
    std::vector<uint32_t> bytes;
    for (const Lab::Sent& f : lab.Of(0, FrameKind::data)) bytes.push_back(f.bytes);
    EXPECT_THAT(bytes, ElementsAre(1102, 1102, 1102, 1102));
    for (const Lab::Sent& f : lab.Of(1, FrameKind::nak)) EXPECT_EQ(f.bytes, 70u);
    EXPECT_EQ(lab.Of(1, FrameKind::nak).size(), 2u);
  });
}

/// The results of Holes, computed from all arrivals.
struct NaiveHoles {
  std::map<uint64_t, Time> came;
  uint64_t done = 0;

  uint64_t LostBelow(const RecoveryParameters& p, Time now) const {
    uint64_t below = 0;
    for (const auto& [psn, at] : came) {
      if (!p.nack_after_time) {
        const auto after = static_cast<uint64_t>(p.nack_after);
        below = std::max(below, psn + 1 < after ? 0 : psn + 1 - after);
      } else if (at + *p.nack_after_time <= now) {
        below = std::max(below, psn);
      }
    }
    return below;
  }
};

TEST(SelectiveRepeat, HolesAreThoseOfANaiveModel) {
  std::mt19937 random(3);
  for (int round = 0; round < 60; ++round) {
    RecoveryParameters p;
    p.nack_after = 1 + static_cast<int>(random() % 20);
    if (round % 2 == 0) p.nack_after_time = Nanoseconds(1 + static_cast<int64_t>(random() % 500));
    Holes holes(p);
    NaiveHoles naive;
    Time now;
    const uint64_t reach = 1 + random() % 300;
    for (int i = 0; i < 300; ++i) {
      now += Nanoseconds(static_cast<int64_t>(random() % 30));
      const uint64_t psn = naive.done + random() % reach;
      if (!naive.came.contains(psn)) {
        ASSERT_FALSE(holes.Has(psn));
        holes.Arrived(psn, now);
        naive.came[psn] = now;
      }
      while (random() % 2 == 0 && naive.came.contains(naive.done)) ++naive.done;
      holes.Done(naive.done);
      ASSERT_EQ(holes.LostBelow(now), naive.LostBelow(p, now));
      for (uint64_t n = naive.done; n < naive.done + reach; ++n)
        ASSERT_EQ(holes.Has(n), naive.came.contains(n)) << n;
      ASSERT_GE(holes.repeated_to(), naive.done);
    }
  }
}

}  // namespace
}  // namespace headroom::selective_repeat_test
