// Streams over TCP: their costs, their ends, and the differences with libvma.
#include <deque>

#include "protocol/tcp/tcp_carrier.h"

#include <gtest/gtest.h>

#include <ns3/object-vector.h>
#include <ns3/tcp-l4-protocol.h>

#include "protocol/stream/stream_lab.h"
#include "support/in_child.h"

namespace headroom::tcp_carrier_test {
namespace {

/// Costs that differ.
ApplicationCosts Costs() {
  ApplicationCosts costs;
  costs.kernel = {Microseconds(3), Microseconds(5)};
  costs.user_space = {Nanoseconds(400), Nanoseconds(700)};
  costs.copy = GigabitsPerSecond(8);  // one byte each nanosecond
  costs.wake = Microseconds(2);
  costs.turn = Nanoseconds(250);
  return costs;
}

size_t SocketsOf(const StreamLab& lab, NodeId host) {
  ns3::ObjectVectorValue list;
  lab.stack.Node(host)->GetObject<ns3::TcpL4Protocol>()->GetAttribute("SocketList", list);
  return list.GetN();
}

/// The time of 1000 bytes from Write to OnReadable, and the work of both threads for them.
struct OneWay {
  Time all, writer, reader;
};
OneWay Measure(TcpCarrier::Stack stack, StreamLabParameters::Waits waits) {
  const StreamLabParameters p{.costs = Costs(), .waits = waits};
  StreamLab lab(p);
  TcpCarrier carrier(p.costs, 0, stack);
  NotedStream s(carrier, lab, 0, 1);
  s.Open();
  lab.RunFor(Milliseconds(50));
  EXPECT_EQ(s.a.opened, 1);
  const Time start = EventQueue::Get().now(), a = lab.BusyOf(0), b = lab.BusyOf(1);
  s.a.Write(std::vector<uint8_t>(1000, 7));
  lab.RunFor(Milliseconds(50));
  EXPECT_EQ(s.b.got.size(), 1000u);
  return {s.b.readable_at - start, lab.BusyOf(0) - a, lab.BusyOf(1) - b};
}

// Writer: wake 2, call 3, copy 1, delay 5 us; the turn belongs to the program that wrote. Reader: delay 5,
// wake 2, turn 0.25, call 3, copy 1. In between are two links and a switch of 500 ns each, and 1058 bytes at
// 100 Gbit/s twice: 0.17 us (with the gap between frames, 1078 bytes).
TEST(TcpCarrier, bytes_take_calls_copies_delays_and_wake_ups) {
  InChild([] {
    const OneWay one = Measure(TcpCarrier::Stack::kernel, StreamLabParameters::Waits::asleep);
    EXPECT_EQ(one.writer, Nanoseconds(4000));
    EXPECT_EQ(one.reader, Nanoseconds(4250));
    EXPECT_NEAR(InMicroseconds(one.all), 11 + 11.25 + 1.5 + 0.17, 0.01);
  });
}

// The same without sleep: a call takes 0.4, a copy 1, the delay 0.7 us at each end, and a turn 0.4 us at the
// reader. Cores that poll are always busy.
TEST(TcpCarrier, libvma_differs_in_what_a_host_does) {
  InChild([] {
    const OneWay one = Measure(TcpCarrier::Stack::user_space, StreamLabParameters::Waits::polling);
    EXPECT_EQ(one.writer, Milliseconds(50));
    EXPECT_EQ(one.reader, Milliseconds(50));
    EXPECT_NEAR(InMicroseconds(one.all), 2.1 + 2.5 + 1.5 + 0.17, 0.01);
  });
}

TEST(TcpCarrier, parts_of_a_round_trip_sum_to_its_time) {
  InChild([] {
    const StreamLabParameters p{.costs = Costs()};
    StreamLab lab(p);
    TcpCarrier carrier(p.costs, 0);
    NotedStream s(carrier, lab, 0, 1);
    struct Answers : NotingUser {
      void OnReadable() override {
        NotingUser::OnReadable();
        then();
      }
      std::function<void()> then;
    } client, server;
    client.Use(s.a.stream());
    server.Use(s.b.stream());
    server.then = [&] { server.Write(std::vector<uint8_t>(500, 1)); };
    s.Open();
    lab.RunFor(Milliseconds(1));
    const Time start = EventQueue::Get().now();
    Trail::Parts parts{};
    client.then = [&] { parts = lab.trail.Split(lab.trail.current(), start); };
    {
      const Trail::CurrentStep step(&lab.trail, lab.trail.Add(0, OperationPart::other, start, start));
      client.Write(std::vector<uint8_t>(1000, 1));
    }
    lab.RunFor(Milliseconds(1));
    const auto part = [&](OperationPart of) { return parts[static_cast<size_t>(of)]; };
    Time sum;
    for (const Time one : parts) sum += one;
    EXPECT_EQ(sum, client.readable_at - start);
    // There are four calls with their copies, and a turn at each reader. There are three wake-ups, because
    // the server answers before it sleeps again.
    EXPECT_EQ(part(OperationPart::copy), Nanoseconds(2 * 1000 + 2 * 500));
    EXPECT_EQ(part(OperationPart::wake), Microseconds(6));
    EXPECT_EQ(part(OperationPart::core), Nanoseconds(3000) * 4 + Nanoseconds(250) * 2);
    EXPECT_EQ(part(OperationPart::other), Time(0));
    EXPECT_NEAR(InMicroseconds(part(OperationPart::network)), 20 + 3 + 0.17 + 0.09, 0.02);
  });
}

TEST(TcpCarrier, what_is_unread_when_it_closes_resets_the_peer) {
  InChild([] {
    const StreamLabParameters p;
    StreamLab lab(p);
    TcpCarrier carrier(p.costs, 0);
    NotedStream s(carrier, lab, 0, 1);
    s.b.reads = 0;
    s.Open();
    s.a.Write(std::vector<uint8_t>(1000, 7));
    lab.RunFor(Milliseconds(1));
    EXPECT_EQ(s.b.stream().unread(), 1000u);
    s.b.stream().Close();
    lab.RunFor(Milliseconds(1));
    EXPECT_EQ(s.a.ended, 1);
    EXPECT_TRUE(s.a.failed);
    EXPECT_EQ(s.b.ended, 0);
    s.a.stream().Write({{1, 2, 3}});
    EXPECT_EQ(s.a.stream().unsent(), 0u);
  });
}

TEST(TcpCarrier, closed_streams_leave_no_sockets_behind) {
  InChild([] {
    const StreamLabParameters p;
    StreamLab lab(p);
    TcpCarrier carrier(p.costs, 0), other(p.costs, 0);
    std::deque<NotedStream> streams;
    for (int i = 0; i < 20; ++i) streams.emplace_back(i % 2 == 0 ? carrier : other, lab, 0, 1).Open();
    lab.RunFor(Milliseconds(1));
    EXPECT_EQ(SocketsOf(lab, 0), 20u);
    EXPECT_EQ(SocketsOf(lab, 1), 22u);  // and a listener for each carrier
    for (NotedStream& s : streams) {
      EXPECT_EQ(s.a.opened + s.b.opened, 2);
      s.b.stream().Close();
    }
    lab.RunFor(Milliseconds(100));
    for (NotedStream& s : streams) EXPECT_EQ(s.a.ended, 1);
    EXPECT_EQ(SocketsOf(lab, 0), 0u);
    EXPECT_EQ(SocketsOf(lab, 1), 2u);
  });
}

/// The time at which a stream opens after the loss of its first SYN, and the number of frames that carry
/// ECN's bits.
std::pair<Time, int> OpenWithALoss(TcpCarrier::Stack stack) {
  StreamLabParameters p;
  p.ip.tcp.initial_rto = Milliseconds(10);
  StreamLab lab(p);
  TcpCarrier carrier(p.costs, 0, stack);
  NotedStream s(carrier, lab, 0, 1);
  int frames = 0, ecn = 0;
  lab.lose = [&](NodeId, const Frame& frame) {
    ecn += frame.EcnCapable();
    return frames++ == 0;
  };
  s.Open();
  s.a.Write(std::vector<uint8_t>(100'000));
  lab.RunFor(Seconds(10));
  EXPECT_EQ(s.b.got.size(), 100'000u);
  return {s.a.opened_at, ecn};
}

TEST(TcpCarrier, libvma_sends_a_lost_syn_again_after_three_seconds_and_knows_no_ecn) {
  InChild([] {
    const auto [opened, ecn] = OpenWithALoss(TcpCarrier::Stack::kernel);
    EXPECT_NEAR(InSeconds(opened), 0.010, 0.001);
    EXPECT_GT(ecn, 0);
  });
  InChild([] {
    const auto [opened, ecn] = OpenWithALoss(TcpCarrier::Stack::user_space);
    EXPECT_NEAR(InSeconds(opened), 3.0, 0.001);
    EXPECT_EQ(ecn, 0);
  });
}

// The first window has 2 segments instead of 10, and one more for each ACK, which comes for two segments. So
// 40 segments leave as 2, 3, 4, 6, 9, 13, 3, not as 10, 20, 10.
TEST(TcpCarrier, libvma_starts_with_two_segments) {
  const auto flights = [](TcpCarrier::Stack stack) {
    const StreamLabParameters p{.ip = {.mtu = 1500, .priority = 0, .tcp = {}}, .delay = Milliseconds(1)};
    StreamLab lab(p);
    TcpCarrier carrier(p.costs, 0, stack);
    NotedStream s(carrier, lab, 0, 1);
    s.Open();
    lab.RunFor(Milliseconds(50));
    const Time start = EventQueue::Get().now();
    s.a.Write(std::vector<uint8_t>(40 * 1460));
    lab.RunFor(Seconds(1));
    EXPECT_EQ(s.b.got.size(), 40u * 1460);
    return InMicroseconds(s.b.readable_at - start) / 4000;  // round trips, of which the last counts half
  };
  InChild([&] { EXPECT_NEAR(flights(TcpCarrier::Stack::kernel), 0.5 + 2, 0.1); });
  InChild([&] { EXPECT_NEAR(flights(TcpCarrier::Stack::user_space), 0.5 + 6, 0.1); });
}

}  // namespace
}  // namespace headroom::tcp_carrier_test
