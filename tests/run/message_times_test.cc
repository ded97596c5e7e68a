// The parts of a message's time: each part compared with a closed form, in a network without other traffic.
#include <gtest/gtest.h>

#include "nic/resources/resource_parameters.h"
#include "protocol/posting/posting_arrivals.h"
#include "run/busy.h"
#include "run/storms.h"
#include "support/one_slow_target.h"
#include "workload/types/list.h"

namespace headroom::message_times_test {
namespace {

using Part = MessagePart;

const Rate kRate = GigabitsPerSecond(100);
constexpr Time kCable = Nanoseconds(15);

Scenario Hosts100G(int hosts) {
  Scenario s = StarScenario(hosts, {kRate, kCable, Time{}, 0.0});
  for (NicParameters& nic : s.nics) nic.congestion_control = NicParameters::CongestionControl::none;
  return s;
}

struct Sent {
  Time at;
  NodeId from, to;
  int64_t bytes;
};

WorkloadParameters Messages(const std::vector<Sent>& sent) {
  ListArrivals list;
  for (const Sent& m : sent) list.messages.push_back({m.at, m.from, m.to, Bytes(m.bytes), {}});
  return WorkloadOf("w", list);
}

/// The time of a WRITE's packet on a wire.
Time PacketTime(const Scenario& s, Rate rate, bool first, bool last) {
  const int64_t bytes = s.frames.Data(Operation::write, s.mtu, first, last).v;
  return SerializationTime(Bytes(bytes + s.frames.gap), rate);
}

/// The time of all but the last packet of a message with this many packets.
Time PacketsBeforeLast(const Scenario& s, Rate rate, int64_t packets) {
  return PacketTime(s, rate, true, false) + PacketTime(s, rate, false, false) * (packets - 2);
}

/// Every run has parts that sum to the total, and no negative one.
void ExpectWhole(const RunRecord& r) {
  ASSERT_EQ(r.message_parts.size(), r.messages.size());
  for (size_t i = 0; i < r.messages.size(); ++i) {
    if (!r.messages[i].Finished()) continue;
    EXPECT_EQ(r.message_parts[i].Sum(), r.messages[i].completed - r.messages[i].start) << i;
    for (const Time part : r.message_parts[i].of) EXPECT_GE(part, Time{}) << i;
    EXPECT_EQ(r.message_parts[i][Part::other], Time{}) << i;
  }
}

RunRecord Split(const Scenario& s) {
  RunRecord r = Checked(s);
  ExpectWhole(r);
  return r;
}

/// Only these parts delayed the message.
void ExpectOnly(const MessageParts& parts, std::initializer_list<Part> some) {
  for (int i = 0; i < kMessageParts; ++i) {
    const auto part = static_cast<Part>(i);
    const bool among = std::find(some.begin(), some.end(), part) != some.end() || part == Part::wire ||
                       part == Part::ack_wire;
    EXPECT_EQ(parts[part] > Time{}, among) << MessagePartName(part) << " " << parts[part].v;
  }
}

TEST(MessageTimes, OfOneAloneAreItsPacketsAndTheWire) {
  InChild([] {
    Scenario s = Hosts100G(2);
    s.workloads = {Messages({{Time{}, 0, 1, 10 * s.mtu}})};
    const RunRecord r = Split(s);
    ExpectOnly(r.message_parts[0], {Part::own_packets});
    // The first packet is the longest, by its RETH, so the others catch up with it at the switch.
    EXPECT_EQ(r.message_parts[0][Part::own_packets], PacketsBeforeLast(s, kRate, 10) +
                                                         PacketTime(s, kRate, true, false) -
                                                         PacketTime(s, kRate, false, true));
    const Time hop = PacketTime(s, kRate, false, true) + kCable;
    EXPECT_EQ(r.message_parts[0][Part::wire], hop * 2 + s.switches[0].latency);
    EXPECT_EQ(r.message_waits.size(), 0u);
    EXPECT_EQ(r.message_parts[0].limited_since, kNever);
  });
}

TEST(MessageTimes, CountItsOwnPacketsWhereALinkIsSlower) {
  // They wait for each other at the switch, not for others.
  InChild([] {
    Scenario s = Hosts100G(2);
    const Rate slow = GigabitsPerSecond(25);
    s.topology.links[1].spec.rate = slow;
    s.workloads = {Messages({{Time{}, 0, 1, 10 * s.mtu}})};
    const RunRecord r = Split(s);
    ExpectOnly(r.message_parts[0], {Part::own_packets});
    EXPECT_EQ(r.message_parts[0][Part::own_packets], PacketsBeforeLast(s, slow, 10) +
                                                         PacketTime(s, kRate, true, false) -
                                                         PacketTime(s, kRate, false, true));
  });
}

TEST(MessageTimes, WaitBehindEarlierMessagesOfTheQueuePair) {
  InChild([] {
    Scenario s = Hosts100G(2);
    s.workloads = {Messages({{Time{}, 0, 1, 10 * s.mtu}, {Time{}, 0, 1, s.mtu}})};
    const RunRecord r = Split(s);
    EXPECT_EQ(r.message_parts[1][Part::own_queue],
              PacketsBeforeLast(s, kRate, 10) + PacketTime(s, kRate, false, true));
    EXPECT_EQ(r.message_parts[0][Part::own_queue], Time{});
  });
}

TEST(MessageTimes, WaitForTheHostsPortWhileOthersSend) {
  // Two queue pairs take turns: before each packet of one comes a packet of the other, except for the first
  // two, which are in the round before the other joins.
  InChild([] {
    Scenario s = Hosts100G(3);
    s.workloads = {Messages({{Time{}, 0, 1, 10 * s.mtu}, {Time{}, 0, 2, 10 * s.mtu}})};
    const RunRecord r = Split(s);
    for (const MessageParts& parts : r.message_parts) {
      ExpectOnly(parts, {Part::own_packets, Part::port});
    }
    EXPECT_EQ(r.message_parts[0][Part::port], PacketsBeforeLast(s, kRate, 9));
    EXPECT_EQ(r.message_parts[1][Part::port],
              PacketsBeforeLast(s, kRate, 10) + PacketTime(s, kRate, false, true));
  });
}

TEST(MessageTimes, QueueBehindOthersInTheSwitch) {
  InChild([] {
    Scenario s = Hosts100G(3);
    s.workloads = {Messages({{Time{}, 0, 2, s.mtu}, {Time{}, 1, 2, s.mtu}})};
    const RunRecord r = Split(s);
    const Time whole = PacketTime(s, kRate, true, true);
    EXPECT_EQ(r.message_parts[0][Part::queued] + r.message_parts[1][Part::queued], whole);
    ASSERT_EQ(r.message_waits.size(), 1u);
    const WaitRecord& wait = r.message_waits[0];
    EXPECT_EQ(wait.node, 3u);
    EXPECT_EQ(wait.port, 2u);
    EXPECT_EQ(wait.queue, 3);
    EXPECT_FALSE(wait.back);
    EXPECT_EQ(wait.queued, whole);
    EXPECT_EQ(wait.since, whole + kCable + s.switches[0].latency);
  });
}

TEST(MessageTimes, ArePausedAsLongAsThePauseHolds) {
  InChild([] {
    Scenario s = Hosts100G(3);
    s.faults = {StormFrom(2, Microseconds(10), Microseconds(50))};
    s.workloads = {Messages({{Microseconds(20), 0, 2, s.mtu}})};
    const RunRecord r = Split(s);
    const std::vector<PauseRecord>& pauses = r.pauses;
    const auto pause = std::find_if(pauses.begin(), pauses.end(), [](const PauseRecord& p) {
      return p.node == 3 && p.direction == PauseRecord::Direction::rx;
    });
    ASSERT_NE(pause, pauses.end());
    ExpectOnly(r.message_parts[0], {Part::paused});
    const Time ready = Microseconds(20) + PacketTime(s, kRate, true, true) + kCable + s.switches[0].latency;
    EXPECT_EQ(r.message_parts[0][Part::paused], pause->end - ready);
  });
}

TEST(MessageTimes, OfAnAckInAPausedClassAreTheAcks) {
  // Host 0 pauses its incoming frames: the data leave as before, its ACK waits in front of the host.
  for (const bool own_class : {false, true}) {
    InChild([&] {
      Scenario s = Hosts100G(3);
      s.faults = {StormFrom(0, Microseconds(10), Microseconds(50))};
      s.workloads = {Messages({{Microseconds(20), 0, 2, s.mtu}})};
      if (own_class) s.nics[2].transport.ack_priority = TransportParameters::AckPriority::cnp;
      const RunRecord r = Split(s);
      if (own_class) return ExpectOnly(r.message_parts[0], {});
      ExpectOnly(r.message_parts[0], {Part::ack_paused});
      EXPECT_GT(r.message_parts[0][Part::ack_paused], Microseconds(28));
      ASSERT_EQ(r.message_waits.size(), 1u);
      EXPECT_TRUE(r.message_waits[0].back);
      EXPECT_EQ(r.message_waits[0].port, 0u);
    });
  }
}

/// Two hosts; the frames that the first sends in the first microsecond are lost.
Scenario LosingAtFirst() {
  Scenario s = Hosts100G(2);
  LossFault loss;
  loss.from = 0;
  loss.to = 2;
  loss.probability = 1;
  loss.times.stop = Microseconds(1);
  s.faults = {loss};
  return s;
}

TEST(MessageTimes, RecoverFromALossWhenTheTimerRunsOut) {
  InChild([] {
    Scenario s = LosingAtFirst();
    s.workloads = {Messages({{Time{}, 0, 1, s.mtu}})};
    const RunRecord r = Split(s);
    ExpectOnly(r.message_parts[0], {Part::recovery});
    EXPECT_EQ(r.message_parts[0][Part::recovery], s.nics[0].transport.rto);
  });
}

TEST(MessageTimes, CountTheirOwnPacketsWhereThoseAreSentAgain) {
  // At the switch the repeated packets wait for each other, regardless of later arrivals.
  InChild([] {
    Scenario s = LosingAtFirst();
    const Rate slow = GigabitsPerSecond(25);
    s.topology.links[1].spec.rate = slow;
    s.workloads = {Messages({{Time{}, 0, 1, 10 * s.mtu}})};
    const RunRecord r = Split(s);
    ExpectOnly(r.message_parts[0], {Part::recovery, Part::own_packets});
    EXPECT_EQ(r.message_parts[0][Part::own_packets], PacketsBeforeLast(s, slow, 10) +
                                                         PacketTime(s, kRate, true, false) -
                                                         PacketTime(s, kRate, false, true));
  });
}

TEST(MessageTimes, PostedAfterARecoveryHaveNoneOfIt) {
  InChild([] {
    Scenario s = LosingAtFirst();
    const Time later = s.nics[0].transport.rto + Microseconds(100);
    s.duration = later + Microseconds(1);
    s.deadline = s.duration * 2;
    s.workloads = {Messages({{Time{}, 0, 1, s.mtu}, {later, 0, 1, 3 * s.mtu}})};
    const RunRecord r = Split(s);
    ASSERT_EQ(r.messages.size(), 2u);
    ExpectOnly(r.message_parts[0], {Part::recovery});
    ExpectOnly(r.message_parts[1], {Part::own_packets});
  });
}

TEST(MessageTimes, WaitForTheLimiterFromACutOn) {
  // The first packet is marked; its CNP halves the rate, and the message ends before the first increase: from
  // then on the limiter delays each packet by the time of its transmission.
  InChild([] {
    Scenario s = StarScenario(2, {kRate, kCable, Time{}, 0.0});
    MarkFault mark;
    mark.from = 0;
    mark.to = 2;
    mark.packets = {0};
    s.faults = {mark};
    s.observe.cnps = {"*"};
    constexpr int64_t kPackets = 300;
    s.workloads = {Messages({{Time{}, 0, 1, kPackets * s.mtu}})};
    const RunRecord r = Split(s);
    ASSERT_EQ(r.cnps.size(), 1u);
    const MessageParts& parts = r.message_parts[0];
    ExpectOnly(parts, {Part::own_packets, Part::limiter});
    EXPECT_EQ(parts.limited_since, r.cnps[0].time);
    const Time last = parts[Part::own_packets] + parts[Part::limiter];
    EXPECT_EQ(parts[Part::own_packets], PacketsBeforeLast(s, kRate, kPackets));
    EXPECT_NEAR(static_cast<double>(parts[Part::limiter].v),
                static_cast<double>((last - r.cnps[0].time).v) / 2,
                static_cast<double>(PacketTime(s, kRate, false, false).v));
  });
}

TEST(MessageTimes, WaitForTheLimiterWhereTheBurstOfAnotherHoldsThemUp) {
  // Traffic from host 0 to host 1 leaves in bursts of 15 frames at 10 Gb/s, and each burst delays the traffic
  // to host
  // 2. The limiter delays it by 13.3 us less the time of transmission, the port by 1.3 us.
  InChild([] {
    Scenario s = OneSlowTarget(3, {kRate, kCable, Time{}, 0.0}, true);
    std::vector<Sent> sent = {{Time{}, 0, 1, 300 * s.mtu}};
    for (int i = 0; i < 15; ++i) sent.push_back({Microseconds(30 + 15 * i), 0, 2, s.mtu});
    s.workloads = {Messages(sent)};
    const RunRecord r = Split(s);
    const Time burst = PacketTime(s, kRate, false, false) * 17;
    Time longest;
    for (size_t i = 1; i < r.messages.size(); ++i) {
      EXPECT_LT(r.message_parts[i][Part::port], burst) << i;
      longest = std::max(longest, r.message_parts[i][Part::limiter]);
    }
    EXPECT_GT(longest, Microseconds(9));
    EXPECT_LT(longest, Nanoseconds(13300));
  });
}

TEST(MessageTimes, OfNicsAreTheirLatencies) {
  InChild([] {
    Scenario s = Hosts100G(2);
    for (NicParameters& nic : s.nics) {
      nic.tx_latency = Nanoseconds(300);
      nic.rx_latency = Nanoseconds(200);
    }
    s.workloads = {Messages({{Time{}, 0, 1, s.mtu}})};
    const RunRecord r = Split(s);
    ExpectOnly(r.message_parts[0], {Part::nic});
    EXPECT_EQ(r.message_parts[0][Part::nic], Nanoseconds(1000));
  });
}

TEST(MessageTimes, SumToTheWholeWithEveryVerbAndNic) {
  for (const auto& [name, verb] : kVerbs) {
    for (const bool resources : {false, true}) {
      for (const bool registers : {false, true}) {
        SCOPED_TRACE(testing::Message()
                     << name << (resources ? ", resources" : "") << (registers ? ", MRs" : ""));
        InChild([&, verb = verb] {
          Scenario s = Busy();
          for (WorkloadParameters& w : s.workloads) {
            w.verb = verb;
            w.registers = registers;
          }
          if (resources) {
            for (NicParameters& nic : s.nics) nic.resources = FindResourceSet("gen2")->resources;
          }
          const RunRecord r = Split(s);
          EXPECT_GT(r.retransmitted_packets, 0u);
          Time recovery;
          for (const MessageParts& parts : r.message_parts) recovery += parts[Part::recovery];
          EXPECT_GT(recovery, Time{});
        });
      }
    }
  }
}

TEST(MessageTimes, OfAProgramOfVerbsAreOtherAlsoBesideBulk) {
  // Both have numbers of one kind: a program's queue pairs are between those of bulk.
  InChild([] {
    Scenario s = Hosts100G(4);
    PostingArrivals loop;
    loop.message = Bytes(256);
    loop.window = 1;
    loop.from = {0};
    loop.to = {1};
    loop.stop = Microseconds(30);
    WorkloadParameters programs = WorkloadOf("programs", loop);
    programs.verb = Operation::write;
    s.workloads = {programs, Messages({{Microseconds(10), 2, 3, 1024}, {Microseconds(20), 2, 3, 1024}})};
    const RunRecord r = Checked(s);
    int others = 0;
    ASSERT_EQ(r.message_parts.size(), r.messages.size());
    for (size_t i = 0; i < r.messages.size(); ++i) {
      if (!r.messages[i].Finished()) continue;
      const bool of_program = r.messages[i].workload == 0;
      const Time whole = r.messages[i].completed - r.messages[i].start;
      EXPECT_EQ(r.message_parts[i].Sum(), whole) << i;
      EXPECT_EQ(r.message_parts[i][Part::other], of_program ? whole : Time{}) << i;
      others += of_program;
    }
    EXPECT_GT(others, 10);
  });
}

TEST(MessageTimes, AreNotSplitWhereNobodyAsks) {
  InChild([] {
    Scenario s = Busy();
    const RunRecord split = headroom::Run(s, {});
    EXPECT_EQ(split.message_parts.size(), split.messages.size());
  });
  InChild([] {
    Scenario s = Busy();
    s.observe.parts = false;
    const RunRecord r = headroom::Run(s, {});
    EXPECT_TRUE(r.message_parts.empty());
    EXPECT_TRUE(r.message_waits.empty());
  });
}

}  // namespace
}  // namespace headroom::message_times_test
