// SMC-R: the messages of a connection, how rings and cursors depend on each other, and how it continues as
// TCP.
#include "protocol/smc/smc_carrier.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "protocol/stream/stream_lab.h"
#include "support/in_child.h"

namespace headroom::smc_carrier_test {
namespace {

struct SmcLab : StreamLab {
  explicit SmcLab(const SmcParameters& smc = {}, const StreamLabParameters& p = {})
      : StreamLab(p), carrier(p.costs, smc, 0, "smc") {}
  NotedStream& Open(NodeId from, NodeId to) {
    NotedStream& s = streams.emplace_back(carrier, *this, from, to);
    s.Open();
    RunFor(Milliseconds(2));
    EXPECT_EQ(s.a.opened + s.b.opened, 2);
    return s;
  }
  static SmcStream& End(NotingUser& user) { return static_cast<SmcStream&>(user.stream()); }
  static uint64_t LlcsOf(NotedStream& s) {
    return End(s.a).link()->counters().llcs + End(s.b).link()->counters().llcs;
  }
  static uint64_t ClcsOf(NotedStream& s) { return End(s.a).counters().clcs + End(s.b).counters().clcs; }

  SmcCarrier carrier;
  std::deque<NotedStream> streams;
};

TEST(SmcCarrier, each_connection_takes_three_clc_and_four_llc_messages_and_a_pair_of_hosts_one_link) {
  InChild([] {
    SmcLab lab;
    NotedStream& first = lab.Open(0, 1);
    EXPECT_EQ(SmcLab::ClcsOf(first), 3u);
    EXPECT_EQ(SmcLab::LlcsOf(first), 4u);
    NotedStream& second = lab.Open(0, 1);
    EXPECT_EQ(SmcLab::ClcsOf(second), 3u);
    EXPECT_EQ(SmcLab::LlcsOf(first), 8u);
    NotedStream& back = lab.Open(1, 0);
    EXPECT_EQ(SmcLab::LlcsOf(back), 4u);
    EXPECT_EQ(SmcLab::End(first.a).link(), SmcLab::End(second.a).link());
    EXPECT_NE(SmcLab::End(first.a).link(), SmcLab::End(back.b).link());
  });
}

TEST(SmcCarrier, many_that_open_at_once_share_links_of_255) {
  InChild([] {
    SmcLab lab;
    for (int i = 0; i < 300; ++i) lab.streams.emplace_back(lab.carrier, lab, 0, 1).Open();
    lab.RunFor(Milliseconds(100));
    std::map<const SmcLink*, int> connections;
    for (NotedStream& s : lab.streams) {
      EXPECT_EQ(s.a.opened + s.b.opened, 2);
      EXPECT_EQ(SmcLab::ClcsOf(s), 3u);
      ++connections[SmcLab::End(s.b).link()];
    }
    EXPECT_EQ(connections.size(), 2u);
    EXPECT_EQ(std::max(connections.begin()->second, connections.rbegin()->second), 255);
    EXPECT_EQ(SmcLab::LlcsOf(lab.streams.front()) + SmcLab::LlcsOf(lab.streams.back()), 4u * 300);
  });
}

// The set-up takes the SYN's round trip, then 1.5 for CLC messages, and 1 for each pair of LLC messages: 4.5
// round trips, and the time that memory and queue pairs take at both ends.
TEST(SmcCarrier, a_first_contact_takes_longer_than_later_ones_and_both_longer_than_tcp) {
  InChild([] {
    SmcLab lab;
    TcpCarrier tcp({}, 0);
    NotedStream plain(tcp, lab, 0, 1);
    const auto time_of = [&](NotedStream& s) {
      const Time start = EventQueue::Get().now();
      s.Open();
      lab.RunFor(Milliseconds(2));
      return std::max(s.a.opened_at, s.b.opened_at) - start;
    };
    NotedStream first(lab.carrier, lab, 0, 1), second(lab.carrier, lab, 0, 1);
    const Time with_tcp = time_of(plain), at_first = time_of(first), later = time_of(second);
    const ApplicationCosts costs;
    EXPECT_GT(later, with_tcp + costs.registration * 4);
    EXPECT_GT(at_first, later + costs.queue_pair * 2 - Microseconds(10));
    EXPECT_LT(at_first, later + costs.queue_pair * 2 + Microseconds(10));
  });
}

TEST(SmcCarrier, a_request_and_its_response_are_two_writes_and_two_cdc_messages) {
  InChild([] {
    SmcLab lab;
    NotedStream& s = lab.Open(0, 1);
    constexpr uint64_t kCalls = 100;
    for (uint64_t i = 0; i < kCalls; ++i) {
      s.a.Write(std::vector<uint8_t>(36));
      lab.RunFor(Microseconds(100));
      s.b.Write(std::vector<uint8_t>(9));
      lab.RunFor(Microseconds(100));
    }
    for (NotingUser* end : {&s.a, &s.b}) {
      const SmcStreamCounters& c = SmcLab::End(*end).counters();
      EXPECT_EQ(c.writes, kCalls);
      EXPECT_EQ(c.cdcs, kCalls);
      EXPECT_EQ(c.updates, 0u);
      EXPECT_EQ(c.written, end->wrote.size());
    }
  });
}

/// Invariants of an end and its peer at any time.
void ExpectRingsRight(SmcStream& from, SmcStream& to, uint64_t size) {
  EXPECT_LE(from.peer_consumed(), from.sent());
  EXPECT_LE(from.sent() - from.peer_consumed(), size);
  EXPECT_LE(to.consumed(), to.peer_produced());
  EXPECT_LE(to.peer_produced() - to.consumed(), size);
  EXPECT_LE(to.peer_produced(), from.sent());
  EXPECT_LE(from.peer_consumed(), to.consumed());
  const SmcStreamCounters& c = from.counters();
  EXPECT_EQ(c.written, from.sent());
  const uint64_t sends = c.cdcs - c.updates;  // each write is one WRITE, or two where the ring wraps
  EXPECT_GE(c.writes, sends);
  EXPECT_LE(c.writes - sends, from.sent() / size);
}

TEST(SmcCarrier, rings_and_cursors_are_right_whatever_is_written_read_and_lost) {
  for (uint32_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    InChild([seed] {
      std::mt19937 random(seed);
      SmcParameters smc;
      smc.buffer = Kibibytes(int64_t{16} << random() % 4);
      smc.autocork = seed % 2 == 0;
      smc.slots = seed % 3 == 0 ? 2 : 16;
      SmcLab lab(smc);
      for (int i = 0; i < 3; ++i) lab.Open(0, 1);
      if (seed > 2) lab.lose = [&](NodeId, const Frame&) { return random() % 300 == 0; };
      for (int i = 0; i < 120; ++i) {
        NotedStream& s = lab.streams[random() % 3];
        const bool forth = random() % 3 != 0;
        NotingUser &from = forth ? s.a : s.b, &to = forth ? s.b : s.a;
        from.Write(RandomBytes(random, random() % (random() % 3 == 0 ? 150'000 : 500)));
        to.reads = random() % 2 == 0 ? 0 : random() % 3000;
        lab.RunFor(Microseconds(random() % 40));
        to.Read(random() % 5000);
        for (NotedStream& each : lab.streams) {
          ExpectRingsRight(SmcLab::End(each.a), SmcLab::End(each.b), static_cast<uint64_t>(smc.buffer.v));
          ExpectRingsRight(SmcLab::End(each.b), SmcLab::End(each.a), static_cast<uint64_t>(smc.buffer.v));
        }
      }
      for (NotedStream& s : lab.streams) s.a.reads = s.b.reads = SIZE_MAX;
      for (int i = 0; i < 20; ++i) {
        for (NotedStream& s : lab.streams)
          for (NotingUser* user : {&s.a, &s.b}) user->Read(SIZE_MAX);
        lab.RunFor(Milliseconds(50));
      }
      for (NotedStream& s : lab.streams) {
        EXPECT_EQ(s.b.got, s.a.wrote);
        EXPECT_EQ(s.a.got, s.b.wrote);
      }
    });
  }
}

// At most 64 KiB are on their way, in 2 ms there and back: 262 Mbit/s of 100 Gbit/s.
TEST(SmcCarrier, goodput_ends_at_a_buffer_each_round_trip) {
  InChild([] {
    StreamLabParameters p;
    p.delay = Microseconds(500);
    SmcLab lab({}, p);
    NotedStream& s = lab.streams.emplace_back(lab.carrier, lab, 0, 1);
    s.Open();
    lab.RunFor(Milliseconds(50));
    s.a.Write(std::vector<uint8_t>(10'000'000));
    lab.RunFor(Milliseconds(100));
    const double bound = 65'536.0 * 100 / 2;
    EXPECT_LE(static_cast<double>(s.b.got.size()), bound * 1.02);
    EXPECT_GE(static_cast<double>(s.b.got.size()), bound * 0.9);
  });
}

TEST(SmcCarrier, small_writes_wait_for_the_message_before_them) {
  const auto messages = [](bool autocork) {
    SmcParameters smc;
    smc.autocork = autocork;
    smc.slots = 200;  // no message waits for a slot
    StreamLabParameters p;
    p.delay = Microseconds(50);
    SmcLab lab(smc, p);
    NotedStream& s = lab.Open(0, 1);
    for (int i = 0; i < 100; ++i) {
      s.a.Write(std::vector<uint8_t>(100));
      lab.RunFor(Microseconds(5));
    }
    lab.RunFor(Milliseconds(5));
    EXPECT_EQ(s.b.got.size(), 10'000u);
    return SmcLab::End(s.a).counters().cdcs;
  };
  InChild([&] { EXPECT_EQ(messages(false), 100u); });
  // There is one message each round trip of 200 us and more: the writes take 500 us.
  InChild([&] { EXPECT_LE(messages(true), 5u); });
}

TEST(SmcCarrier, connections_of_a_link_wait_for_its_slots) {
  InChild([] {
    StreamLabParameters p;
    p.delay = Microseconds(50);
    SmcLab lab({}, p);
    for (int i = 0; i < 40; ++i) lab.Open(0, 1);
    for (NotedStream& s : lab.streams) s.a.Write(std::vector<uint8_t>(100));
    lab.RunFor(Milliseconds(5));
    for (NotedStream& s : lab.streams) EXPECT_EQ(s.b.got.size(), 100u);
    EXPECT_EQ(SmcLab::End(lab.streams[0].a).link()->counters().waits_for_slots, 40u - 16);
  });
}

TEST(SmcCarrier, both_ends_say_that_they_are_closed_and_take_their_memory_back) {
  InChild([] {
    SmcLab lab;
    lab.Open(0, 1);  // this stream keeps the link
    NotedStream& s = lab.Open(0, 1);
    const uint64_t before = SmcLab::LlcsOf(lab.streams.front());
    s.a.Write(std::vector<uint8_t>(100'000, 3));
    s.a.stream().Close();
    lab.RunFor(Milliseconds(20));
    EXPECT_EQ(s.b.got, s.a.wrote);
    EXPECT_EQ(s.b.ended, 1);
    EXPECT_FALSE(s.b.failed);
    EXPECT_EQ(s.a.ended, 0);
    EXPECT_EQ(SmcLab::LlcsOf(lab.streams.front()) - before,
              4u);  // DELETE RKEY of both ends, in both directions
    EXPECT_EQ(SmcLab::End(s.a).link(), nullptr);
  });
}

TEST(SmcCarrier, what_is_unread_when_it_closes_fails_the_peer) {
  InChild([] {
    SmcLab lab;
    NotedStream& s = lab.Open(0, 1);
    s.b.reads = 0;
    s.a.Write(std::vector<uint8_t>(1000));
    lab.RunFor(Milliseconds(1));
    s.b.stream().Close();
    lab.RunFor(Milliseconds(20));
    EXPECT_EQ(s.a.ended, 1);
    EXPECT_TRUE(s.a.failed);
    EXPECT_EQ(s.b.ended, 0);
  });
}

/// Frames over RDMA: those that ns-3 did not make.
bool IsRdma(const Frame& frame) { return frame.kind != FrameKind::foreign; }

TEST(SmcCarrier, a_link_that_fails_ends_its_connections_at_both_ends) {
  InChild([] {
    SmcLab lab;
    for (int i = 0; i < 3; ++i) lab.Open(0, 1);
    lab.lose = [](NodeId, const Frame& frame) { return IsRdma(frame); };
    lab.streams.front().a.Write(std::vector<uint8_t>(1000));
    lab.RunFor(Seconds(10));
    for (NotedStream& s : lab.streams) {
      EXPECT_EQ(s.a.ended + s.b.ended, 2);
      EXPECT_TRUE(s.a.failed && s.b.failed);
    }
  });
}

TEST(SmcCarrier, without_the_option_or_a_device_it_goes_on_as_tcp) {
  using Fallback = SmcParameters::Fallback;
  for (const Fallback fallback : {Fallback::no_option, Fallback::declined}) {
    InChild([fallback] {
      SmcParameters smc;
      smc.fallback = fallback;
      SmcLab lab(smc);
      int rdma = 0;
      lab.lose = [&](NodeId, const Frame& frame) {
        rdma += IsRdma(frame);
        return false;
      };
      NotedStream& s = lab.streams.emplace_back(lab.carrier, lab, 0, 1);
      s.a.Write(std::vector<uint8_t>(100'000, 5));
      s.Open();
      lab.RunFor(Milliseconds(5));
      EXPECT_EQ(s.b.got, s.a.wrote);
      EXPECT_TRUE(SmcLab::End(s.a).plain() && SmcLab::End(s.b).plain());
      EXPECT_EQ(SmcLab::End(s.a).counters().clcs, fallback == Fallback::declined ? 1u : 0u);
      EXPECT_EQ(SmcLab::End(s.b).counters().clcs, fallback == Fallback::declined ? 1u : 0u);
      EXPECT_EQ(rdma, 0);
    });
  }
}

// No frame arrives over RDMA: CONFIRM LINK has no answer in 2 s. Both ends decline, or one receives the
// decline.
TEST(SmcCarrier, a_link_that_does_not_come_up_leaves_tcp) {
  for (const bool answers : {false, true}) {
    InChild([answers] {
      SmcLab lab;
      lab.lose = [&](NodeId host, const Frame& frame) { return IsRdma(frame) && (!answers || host == 0); };
      NotedStream s(lab.carrier, lab, 0, 1);
      s.a.Write(std::vector<uint8_t>(100'000, 5));
      s.b.Write(std::vector<uint8_t>(3, 6));
      s.Open();
      lab.RunFor(Seconds(1));
      EXPECT_EQ(s.a.opened + s.b.opened, 0);
      lab.RunFor(Seconds(9));
      EXPECT_EQ(s.a.opened + s.b.opened, 2);
      EXPECT_EQ(s.b.got, s.a.wrote);
      EXPECT_EQ(s.a.got, s.b.wrote);
      EXPECT_TRUE(SmcLab::End(s.a).plain() && SmcLab::End(s.b).plain());
    });
  }
}

TEST(SmcMessages, have_the_sizes_and_say_what_they_said) {
  std::mt19937 random(1);
  EXPECT_EQ(smc::Clc{smc::ClcType::proposal}.Bytes().size(), 52u);
  EXPECT_EQ(smc::Clc{smc::ClcType::decline}.Bytes().size(), 28u);
  for (int i = 0; i < 100; ++i) {
    const auto number = [&](uint32_t mask) { return static_cast<uint32_t>(random()) & mask; };
    const smc::Clc accept{smc::ClcType::accept, random() % 2 == 0,  number(0xffffff),
                          number(0xffffff),     number(0xffffffff), number(0xffffffff)};
    const std::vector<uint8_t> bytes = accept.Bytes();
    EXPECT_EQ(bytes.size(), 68u);
    EXPECT_EQ(smc::Clc::LengthOf(bytes), 68u);
    const smc::Clc read = smc::Clc::From(bytes);
    EXPECT_EQ(read.qp, accept.qp);
    EXPECT_EQ(read.psn, accept.psn);
    EXPECT_EQ(read.rkey, accept.rkey);
    EXPECT_EQ(read.token, accept.token);
    EXPECT_EQ(read.first_contact, accept.first_contact);
    // Cursors wrap 2^16 times before a lap ends.
    const uint64_t size = uint64_t{16'384} << random() % 4,
                   known = (uint64_t{number(0xffffffff)} << 16) + number(0xffff);
    smc::Cdc cdc;
    cdc.producer = known + random() % (size + 1);
    cdc.consumer = known + random() % (size + 1);
    const smc::Cdc told = smc::Cdc::From(cdc.Bytes(size), size, known, known);
    EXPECT_EQ(told.producer, cdc.producer);
    EXPECT_EQ(told.consumer, cdc.consumer);
  }
}

}  // namespace
}  // namespace headroom::smc_carrier_test
