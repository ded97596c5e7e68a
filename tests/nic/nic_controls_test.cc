// The interface between queue pairs and controls: the events that a control gets, and the values that it
// sets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "congestion/agents/int_records.h"
#include "congestion/parameters_of.h"
#include "scenario/packet_headers.h"
#include "support/in_child.h"
#include "support/lab.h"

namespace headroom::nic_controls_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0};

/// A switch's help that the tree does not have: one record per frame, of the longest queue on its path.
class Deepest final : public Telemetry {
 public:
  explicit Deepest(int records) : Telemetry(kKind, records) {}
  std::unique_ptr<PortAgent> MakeAgent(uint8_t) const override { return std::make_unique<Agent>(); }
  void Write(const Feedback&, std::vector<uint8_t>&) const override {}
  std::string Describe() const override { return "the longest queue"; }

 private:
  class Agent final : public PortAgent {
   public:
    void OnSent(const Port& port, const Frame& frame, Feedback& feedback) override {
      if (feedback.kind != kKind) return;
      longest_ = std::max(longest_, port.queue(frame.queue).bytes);
      feedback.count = 0;
      feedback.Append(longest_);
    }

   private:
    int64_t longest_ = 0;  ///< at this port so far
  };
  static inline const uint8_t kKind = Feedback::NewKind();
};

/// A control with fixed values, which records its events.
struct Fixed {
  Rate rate = GigabitsPerSecond(100);
  uint64_t window = UINT64_MAX;
  uint8_t wants = Control::kAcks;
  int64_t header = 0;
  int room = 0;
  bool deepest = false;  ///< a telemetry of this test, instead of INT
  Time timer = kNever;
  Rate then{};               ///< rate after the timer
  std::vector<Rate> each{};  ///< after each ACK the next of these rates, in turn, counted from the last start
  bool operator==(const Fixed&) const = default;
  int64_t header_bytes() const { return header; }
  std::unique_ptr<const Telemetry> telemetry() const {
    if (deepest) return std::make_unique<Deepest>(room);
    return room > 0 ? std::make_unique<IntTelemetry>(room, 128, 80) : nullptr;
  }
};
struct Heard {
  uint64_t begun = 0, sent = 0, wire_bytes = 0, acks = 0, packets = 0, marked = 0, notifications = 0;
  std::vector<Loss> losses;
  std::vector<std::vector<IntRecord>> records;  ///< records of each ACK with feedback
  std::vector<Time> trips;
  std::vector<int64_t> longest;  ///< records of each ACK with Deepest
  std::vector<std::pair<Time, Rate>> paces;
} heard;

class FixedControl final : public Control {
 public:
  explicit FixedControl(const Fixed& p) : Control(p.wants), p_(p) {}
  void Begin(const ControlPath&) override {
    ++heard.begun;
    rate_ = p_.rate;
    window_ = p_.window;
    timer_ = p_.timer;
    rescales_ = p_.each.empty();
    paces_from_start_ = !p_.each.empty();
  }
  void OnSent(Time, int64_t wire_bytes) override {
    ++heard.sent;
    heard.wire_bytes += static_cast<uint64_t>(wire_bytes);
  }
  void OnAck(const Acknowledgement& ack) override {
    ++heard.acks;
    heard.packets += ack.packets;
    heard.marked += ack.marked;
    if (!p_.each.empty()) {
      rate_ = p_.each[heard.acks % p_.each.size()];
      heard.paces.emplace_back(ack.now, rate_);
    }
    if (ack.feedback != nullptr) {
      std::vector<IntRecord>& hops = heard.records.emplace_back();
      if (p_.deepest) heard.longest.push_back(ack.feedback->record<int64_t>(0));
      for (int i = 0; i < ack.feedback->count && !p_.deepest; ++i)
        hops.push_back(ack.feedback->record<IntRecord>(i));
      heard.trips.push_back(ack.now - ack.feedback->sent);
    }
  }
  void OnNotification(Time) override { ++heard.notifications; }
  void OnLoss(Time, Loss loss) override { heard.losses.push_back(loss); }
  void OnTimer(Time) override {
    rate_ = p_.then;
    timer_ = kNever;
  }

 private:
  const Fixed& p_;
};

/// Host 0 has this control.
Scenario With(const Fixed& fixed, int hosts = 2) {
  Scenario s = StarScenario(hosts, kLink);
  s.nics[0].congestion_control = NicParameters::CongestionControl::other;
  s.nics[0].control = std::make_shared<const ControlParametersOf<FixedControl, Fixed>>("fixed", fixed);
  SetPacketHeaders(s);
  return s;
}

TEST(NicControls, RateAndWindowHoldWhateverTheyAre) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 12; ++trial) {
    const Rate rate = MegabitsPerSecond(std::uniform_int_distribution<int64_t>(500, 100'000)(random));
    const uint64_t window = std::uniform_int_distribution<uint64_t>(1, 40)(random);
    InChild([&] {
      Lab lab(With({.rate = rate, .window = window}));
      const uint32_t qp = lab.Connect(0, 1);
      const uint32_t message = lab.Post(0, qp, 300'000);
      RunUntil(Milliseconds(20));
      EXPECT_EQ(lab.messages[message].completions, 1);
      EXPECT_EQ(heard.packets, 293u);
      const auto data = lab.Of(0, FrameKind::data), acks = lab.Of(1, FrameKind::ack);
      ASSERT_EQ(data.size(), 293u);
      // An ACK takes effect 500 ns a link after it leaves, twice, each time at the end of its 84 B.
      const Time back = Nanoseconds(1000) + SerializationTime(Bytes(84), kLink.rate) * 2;
      for (size_t i = 1; i < data.size(); ++i) {
        const Time since = data[i].at - data[i - 1].at;
        ASSERT_GE(since, SerializationTime(Bytes(data[i - 1].bytes + 20), rate)) << i;
        size_t acknowledged = 0;
        while (acknowledged < acks.size() && acks[acknowledged].at + back <= data[i].at) ++acknowledged;
        ASSERT_LE(i + 1 - acknowledged, window) << i;
      }
    });
  }
}

TEST(NicControls, TheRateThatARecordShowsIsWhatRateAndWindowAllow) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 8; ++trial) {
    const Rate rate = MegabitsPerSecond(std::uniform_int_distribution<int64_t>(500, 100'000)(random));
    const uint64_t window = std::uniform_int_distribution<uint64_t>(1, 40)(random);
    InChild([&] {
      Lab lab(With({.rate = rate, .window = window}));
      const uint32_t qp = lab.Connect(0, 1);
      lab.Post(0, qp, 2'000'000);
      RunUntil(Microseconds(150));
      // The lone queue pair sends as much as it may.
      const Nic& nic = lab.nic(0);
      const auto data = lab.Of(0, FrameKind::data);
      size_t first = 0;
      while (data[first].at < Microseconds(20)) ++first;
      int64_t bytes = 0;
      for (size_t i = first; i + 1 < data.size(); ++i) bytes += data[i].bytes + 20;
      const double sent = 8.0 * static_cast<double>(bytes) / InSeconds(data.back().at - data[first].at);
      EXPECT_NEAR(static_cast<double>(nic.AllowedRate(nic.requester(qp)).v) / sent, 1, 0.06)
          << rate.v << ' ' << window;
    });
  }
}

TEST(NicControls, MarksAreCountedExactlyHoweverManyPacketsAnAckStandsFor) {
  for (const int ack_every : {1, 4, 16}) {
    InChild([&] {
      Scenario s = With({});
      s.nics[1].transport.ack_every = ack_every;
      s.faults = {MarkFault{0, 2, {3, 4, 5, 40, 41, 90}, 7}};
      Lab lab(s);
      lab.Post(0, lab.Connect(0, 1), 1'000'000);
      RunUntil(Milliseconds(2));
      EXPECT_EQ(lab.messages[0].completions, 1);
      EXPECT_EQ(heard.packets, 977u);
      EXPECT_EQ(heard.marked, lab.nic(1).counters().marked_packets) << ack_every;
      EXPECT_EQ(lab.nic(1).counters().cnp_sent, 0u);
    });
  }
}

TEST(NicControls, AFrameOnItsWayThroughASwitchIsInNoQueue) {
  InChild([] {
    Scenario s = With({.wants = Control::kTelemetry, .header = 42, .room = 5});
    s.switches[0].latency = Nanoseconds(500);
    Lab lab(s);
    lab.Post(0, lab.Connect(0, 1), 1'000'000);
    RunUntil(Milliseconds(2));
    ASSERT_EQ(heard.records.size(), 977u);
    for (const std::vector<IntRecord>& hops : heard.records) EXPECT_EQ(hops.at(0).queued, 0);
  });
}

TEST(NicControls, FeedbackHasItsBytesOnTheWireAndComesBackWhole) {
  InChild([] {
    Lab lab(With({.wants = Control::kTelemetry | Control::kRoundTrips, .header = 42, .room = 5}, 3));
    lab.Post(0, lab.Connect(0, 1), 1'000'000);
    lab.Post(2, lab.Connect(2, 1), 1'000'000);
    RunUntil(Milliseconds(1));
    // There are 1024 B payload and 62 B of headers, 16 more with a RETH; an ACK has 62 and 4.
    EXPECT_EQ(lab.Of(0, FrameKind::data)[1].bytes, 1024u + 62 + 42);
    EXPECT_EQ(lab.Of(2, FrameKind::data)[1].bytes, 1024u + 62);
    std::map<uint32_t, uint32_t> ack_bytes;
    for (const Lab::Sent& ack : lab.Of(1, FrameKind::ack)) ++ack_bytes[ack.bytes];
    EXPECT_THAT(ack_bytes,
                testing::UnorderedElementsAre(testing::Pair(66 + 42, 977), testing::Pair(66, 977)));
    ASSERT_EQ(heard.records.size(), 977u);
    const uint64_t both = 2 * 977 + 2;
    uint64_t sent = 0;
    Time at;
    int64_t most = 0;
    for (const std::vector<IntRecord>& hops : heard.records) {
      ASSERT_EQ(hops.size(), 1u);
      const IntRecord& hop = hops.front();
      EXPECT_EQ(hop.rate, kLink.rate);
      EXPECT_GE(hop.sent, sent);
      EXPECT_GT(hop.at, at);
      // No link carries more than its rate.
      if (at > Time{}) {
        EXPECT_LE(SerializationTime(Bytes(static_cast<int64_t>(hop.sent - sent)), kLink.rate),
                  hop.at - at + Time(1));
      }
      sent = hop.sent, at = hop.at;
      most = std::max(most, hop.queued);
    }
    EXPECT_GT(sent, both / 2 * 1024);
    const int64_t peak = lab.star().peak_queue(Watermark::user, 1, 3);
    EXPECT_LE(most, peak);
    EXPECT_GT(most, peak / 2);
    // The lone first message took the time of links and switch: two of each frame, and four delays of 500 ns.
    const Time alone = Microseconds(2) + lab.scenario.switches[0].transit() * 2 +
                       SerializationTime(Bytes(1024 + 62 + 16 + 42 + 20), kLink.rate) * 2 +
                       SerializationTime(Bytes(66 + 42 + 20), kLink.rate) * 2;
    EXPECT_GE(heard.trips.front(), alone);
    EXPECT_LE(heard.trips.front(), alone + SerializationTime(Bytes(1200), kLink.rate));
  });
}

TEST(NicControls, EachControlGetsTheRecordsOfItsOwnKind) {
  InChild([] {
    Scenario s = With({.wants = Control::kTelemetry, .header = 42, .room = 5}, 4);
    s.nics[2] = With({.wants = Control::kTelemetry, .header = 8, .room = 1, .deepest = true}).nics[0];
    SetPacketHeaders(s);
    Lab lab(s);
    lab.Post(0, lab.Connect(0, 1), 1'000'000);
    lab.Post(2, lab.Connect(2, 1), 1'000'000);
    RunUntil(Milliseconds(1));
    ASSERT_EQ(heard.records.size(), 2 * 977u);
    ASSERT_EQ(heard.longest.size(), 977u);
    EXPECT_EQ(std::ranges::count(heard.records, size_t{1}, &std::vector<IntRecord>::size), 977);
    EXPECT_TRUE(std::ranges::is_sorted(heard.longest));
    EXPECT_LE(heard.longest.back(), lab.star().peak_queue(Watermark::user, 1, 3));
    EXPECT_GT(heard.longest.back(), lab.star().peak_queue(Watermark::user, 1, 3) / 2);
  });
}

/// Host 1 reads from host 0, which has the control. Returns the message.
uint32_t Read(Lab& lab, int64_t bytes) {
  lab.messages.emplace_back();
  const auto id = static_cast<uint32_t>(lab.messages.size() - 1);
  lab.nic(1).Post(lab.nic(1).AddQueuePair(0, 3, 49152), id, bytes, Operation::read_request);
  return id;
}

TEST(NicControls, RateAndWindowHoldForReadResponses) {
  std::mt19937_64 random(4);
  for (int trial = 0; trial < 8; ++trial) {
    const Rate rate = MegabitsPerSecond(std::uniform_int_distribution<int64_t>(500, 100'000)(random));
    const uint64_t window = std::uniform_int_distribution<uint64_t>(1, 40)(random);
    const bool loses = trial % 2 == 1;
    InChild([&] {
      Lab lab(With({.rate = rate, .window = window}));
      if (loses) {
        lab.lose = [&](NodeId host, const Frame& f) {
          return f.kind != FrameKind::ask &&
                 std::uniform_int_distribution<int>(0, host == 0 ? 60 : 20)(random) == 0;
        };
      }
      const uint32_t message = Read(lab, 300'000);
      RunUntil(Milliseconds(loses ? 200 : 20));
      EXPECT_EQ(lab.messages[message].completions, 1) << trial;
      EXPECT_EQ(lab.errors, std::vector<std::string>{});
      const auto data = lab.Of(0, FrameKind::data), acks = lab.Of(1, FrameKind::ack);
      const Time back = Nanoseconds(1000) + SerializationTime(Bytes(84), kLink.rate) * 2;
      for (size_t i = 1; i < data.size(); ++i) {
        const Time since = data[i].at - data[i - 1].at;
        ASSERT_GE(since, SerializationTime(Bytes(data[i - 1].bytes + 20), rate)) << i;
        if (loses) continue;
        size_t acknowledged = 0;
        while (acknowledged < acks.size() && acks[acknowledged].at + back <= data[i].at) ++acknowledged;
        ASSERT_LE(i + 1 - acknowledged, window) << i;
      }
      if (loses) return;
      EXPECT_EQ(data.size(), 293u);
      EXPECT_EQ(heard.packets, 293u);
    });
  }
}

TEST(NicControls, MarksOfReadResponsesAreCountedExactly) {
  for (const int ack_every : {1, 4, 16}) {
    InChild([&] {
      Scenario s = With({});
      s.nics[1].transport.ack_every = ack_every;
      s.faults = {MarkFault{0, 2, {3, 4, 5, 40, 41, 90}, 7}};
      Lab lab(s);
      Read(lab, 1'000'000);
      RunUntil(Milliseconds(2));
      EXPECT_EQ(lab.messages[0].completions, 1);
      EXPECT_EQ(heard.packets, 977u);
      EXPECT_EQ(heard.marked, lab.nic(1).counters().marked_packets) << ack_every;
      EXPECT_GT(heard.marked, 100u);
      EXPECT_EQ(lab.nic(1).counters().cnp_sent, 0u);
    });
  }
}

TEST(NicControls, ReadResponsesBringTelemetryBack) {
  InChild([] {
    Lab lab(With({.wants = Control::kTelemetry | Control::kRoundTrips, .header = 42, .room = 5}));
    Read(lab, 1'000'000);
    RunUntil(Milliseconds(1));
    EXPECT_EQ(lab.Of(0, FrameKind::data)[1].bytes, 1024u + 62 + 42);
    EXPECT_EQ(lab.Of(1, FrameKind::ack)[0].bytes, 66u + 42);
    ASSERT_EQ(heard.records.size(), 977u);
    for (const auto& records : heard.records) EXPECT_EQ(records.size(), 1u);
  });
}

/// Packets of READs do not belong to the reader's control: they fill no window, and no ACK counts them.
TEST(NicControls, WhatAQueuePairReadsDoesNotFillItsWindow) {
  InChild([] {
    Lab lab(With({.window = 4}));
    const uint32_t qp = lab.nic(0).AddQueuePair(1, 3, 49152);
    for (int i = 0; i < 20; ++i) {
      lab.messages.emplace_back();
      const bool reads = i % 2 == 0;
      lab.nic(0).Post(qp, static_cast<uint32_t>(i), reads ? 200'000 : 3000,
                      reads ? Operation::read_request : Operation::write);
    }
    RunUntil(Milliseconds(2));
    for (const Lab::Message& m : lab.messages) EXPECT_EQ(m.completions, 1);
    // There are ten WRITEs of three packets; responses of a READ may be the only acknowledgement of those
    // before it.
    EXPECT_LE(heard.packets, 30u);
    EXPECT_GE(heard.packets, 3u);
  });
}

TEST(NicControls, AControlHearsWhatItWantsAndNothingElse) {
  for (const uint8_t wants : {0, 1, 2, 16, 32}) {
    InChild([&] {
      Scenario s = With({.wants = wants});
      s.faults = {MarkFault{0, 2, {3}, 0}};
      Lab lab(s);
      bool lost = false;
      lab.lose = [&](NodeId host, const Frame& f) {
        return host == 0 && f.kind == FrameKind::data && f.psn == 20 && !std::exchange(lost, true);
      };
      lab.Post(0, lab.Connect(0, 1), 100'000);
      RunUntil(Milliseconds(8));
      EXPECT_EQ(lab.messages[0].completions, 1);
      EXPECT_EQ(heard.begun, 1u);
      EXPECT_EQ(heard.sent > 0, wants == Control::kSent);
      EXPECT_EQ(heard.acks > 0, wants == Control::kAcks);
      EXPECT_EQ(heard.notifications, wants == Control::kNotifications ? 1u : 0u);
      EXPECT_EQ(heard.losses.size(), wants == Control::kLosses ? 1u : 0u);
      EXPECT_EQ(lab.nic(1).counters().cnp_sent, wants == Control::kAcks ? 0u : 1u);
    });
  }
}

TEST(NicControls, ATimerMayRaiseTheRateAndShortensTheWaitThatHasBegun) {
  // At 10 Mb/s the second frame, of 1126 B, would leave after 901 us. At 100 us the rate becomes 100 Mb/s,
  // which is a wait of 90 us; these are over.
  InChild([] {
    Lab lab(
        With({.rate = MegabitsPerSecond(10), .timer = Microseconds(100), .then = MegabitsPerSecond(100)}));
    lab.Post(0, lab.Connect(0, 1), 3000);
    RunUntil(Milliseconds(1));
    const auto data = lab.Of(0, FrameKind::data);
    ASSERT_EQ(data.size(), 3u);
    EXPECT_EQ(data[1].at, Microseconds(100));
  });
}

TEST(NicControls, APaceFromTheLastStartGivesNothingForTheWaitForTheWindow) {
  // One packet is sent at a time: each leaves when the previous one is acknowledged, but not before the time
  // that follows from the rate which this ACK has set.
  for (const uint32_t seed : {1, 2, 3}) {
    InChild([&] {
      std::mt19937_64 random(seed);
      std::vector<Rate> each(40);
      for (Rate& rate : each) {
        rate = std::bernoulli_distribution(0.4)(random)
                   ? kLink.rate
                   : MegabitsPerSecond(std::uniform_int_distribution<int64_t>(100, 8000)(random));
      }
      Lab lab(With({.window = 1, .each = each}));
      lab.Post(0, lab.Connect(0, 1), 60'000);
      RunUntil(Milliseconds(10));
      const auto data = lab.Of(0, FrameKind::data);
      ASSERT_EQ(data.size(), 59u);
      for (size_t i = 1; i < data.size(); ++i) {
        const auto& [acknowledged, rate] = heard.paces[i - 1];
        const Time paced = data[i - 1].at + SerializationTime(Bytes(data[i - 1].bytes + 20), rate);
        ASSERT_EQ(data[i].at, std::max(acknowledged, paced)) << i;
      }
    });
  }
}

TEST(NicControls, HostsWithDcqcnGetTheirCnpsFromHostsWithAnotherControl) {
  InChild([] {
    Scenario s = With({});
    s.faults = {MarkFault{1, 2, {0}, 0}};
    Lab lab(s);
    lab.Post(1, lab.Connect(1, 0), 100'000);
    RunUntil(Milliseconds(1));
    EXPECT_EQ(lab.nic(0).counters().cnp_sent, 1u);
    EXPECT_EQ(lab.nic(1).counters().cnp_handled, 1u);
  });
}

}  // namespace
}  // namespace headroom::nic_controls_test
