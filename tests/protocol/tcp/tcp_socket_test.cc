// Windows: those that a peer sees while the core reads late, those of closed sockets, and the congestion
// window after a silence.
#include "protocol/tcp/tcp_socket.h"

#include <gtest/gtest.h>

#include "protocol/tcp/tcp_lab.h"
#include "support/in_child.h"

namespace headroom::tcp_socket_test {
namespace {

constexpr uint32_t kHeader = TcpMessage::kBytes;

IpParameters Ip(Bytes receive_buffer) {
  IpParameters ip{.mtu = 9000, .priority = 0, .tcp = {}};
  ip.tcp.receive_buffer = receive_buffer;
  return ip;
}

// The peer's SYN is lost, its reset is not.
TEST(TcpSocket, a_listener_takes_no_harm_from_a_reset_that_comes_before_any_connection) {
  InChild([] {
    TcpLab lab;
    bool lose = true;
    lab.lose = [&](NodeId, const Frame&) { return lose; };
    lab.caller->Open({});
    lab.RunFor(Microseconds(10));
    lose = false;
    lab.caller->Close();
    lab.RunFor(Milliseconds(50));
    EXPECT_EQ(lab.accepted, nullptr);
    lab.Join();
  });
}

TEST(TcpSocket, a_window_that_the_last_byte_has_filled_stays_closed_without_harm) {
  InChild([] {
    constexpr uint32_t kWindow = 60'000;  // below 64 KiB: the window is announced exactly
    TcpLab lab({.ip = Ip(Bytes(kWindow))});
    lab.Join();
    lab.b.Do(CoreWork::operation, Milliseconds(40), [] {});
    int answered = 0;
    const auto call = [&](uint32_t length) {
      lab.caller->Call({0}, length, {}, [&](const TcpAnswer& a) {
        ++answered;
        EXPECT_EQ(a.retries, 0u);
      });
    };
    call(kWindow - kHeader);
    lab.RunFor(Milliseconds(30));
    EXPECT_EQ(answered, 0);
    call(100);  // this call waits for the window
    lab.RunFor(Milliseconds(30));
    EXPECT_EQ(answered, 2);
    EXPECT_EQ(lab.caller->counters().losses, 0u);
  });
}

struct AfterSilence {
  uint32_t before = 0, after = 0;  ///< congestion windows, in segments
  Time took;                       ///< of the answer that follows
};

/// A connection carries answers of 1 MB, which open its window, is silent for this time, and carries one
/// more.
AfterSilence AfterSilenceOf(TcpParameters::AfterIdle rule, Time silence, int64_t mtu = 9000) {
  IpParameters ip{.mtu = mtu, .priority = 0, .tcp = {}};
  ip.tcp.after_idle = rule;
  TcpLab lab({.ip = ip});
  lab.Join();
  int answered = 0;
  const auto call = [&] { lab.caller->Call({1'000'000}, 100, {}, [&](const TcpAnswer&) { ++answered; }); };
  for (int i = 0; i < 4; ++i) call();
  lab.RunFor(Milliseconds(4));
  EXPECT_EQ(answered, 4);
  const auto socket = ns3::DynamicCast<ns3::TcpSocketBase>(lab.accepted);
  AfterSilence seen;
  const auto segment = static_cast<uint32_t>(IpStack::SegmentSize(mtu));
  std::function<void(uint32_t, uint32_t)> changed = [&](uint32_t before, uint32_t after) {
    if (seen.after != 0) return;
    seen.before = before / segment;
    seen.after = after / segment;
  };
  socket->TraceConnectWithoutContext("CongestionWindow", ns3::Callback<void, uint32_t, uint32_t>(
                                                             [&](uint32_t a, uint32_t b) { changed(a, b); }));
  lab.RunFor(silence);
  const auto now = [] { return Time(ns3::Simulator::Now().GetTimeStep()); };
  const Time start = now();
  lab.caller->Call({1'000'000}, 100, {}, [&](const TcpAnswer&) { seen.took = now() - start; });
  lab.RunFor(Milliseconds(4));
  return seen;
}

// The timeout is 5 ms, and about 4 of the silence have passed before. After 9 ms without data a window is
// halved once, after 14 ms twice.
TEST(TcpSocket, a_window_is_halved_for_each_timeout_of_silence) {
  InChild([] {
    const AfterSilence seen = AfterSilenceOf(TcpParameters::AfterIdle::halved, Milliseconds(4));
    EXPECT_GT(seen.before, 60u);
    EXPECT_EQ(seen.after, seen.before / 2);
  });
  InChild([] {
    const AfterSilence seen = AfterSilenceOf(TcpParameters::AfterIdle::halved, Milliseconds(9));
    EXPECT_EQ(seen.after, seen.before / 2 / 2);
  });
  InChild([] {  // no window is halved below the initial one
    const AfterSilence seen = AfterSilenceOf(TcpParameters::AfterIdle::halved, Milliseconds(200));
    EXPECT_EQ(seen.after, 10u);
  });
}

TEST(TcpSocket, a_window_restarts_or_is_kept) {
  InChild([] { EXPECT_EQ(AfterSilenceOf(TcpParameters::AfterIdle::restarted, Milliseconds(9)).after, 10u); });
  InChild([] {
    const AfterSilence seen = AfterSilenceOf(TcpParameters::AfterIdle::kept, Milliseconds(9));
    EXPECT_GE(seen.after, seen.before);
  });
}

TEST(TcpSocket, a_window_is_kept_for_a_silence_below_the_timeout) {
  InChild([] {
    const AfterSilence seen = AfterSilenceOf(TcpParameters::AfterIdle::restarted, Microseconds(100));
    EXPECT_GE(seen.after, seen.before);
  });
}

// Ten segments of 536 bytes take 0.4 us, the round trip 2 us and more.
TEST(TcpSocket, slow_start_after_a_silence_takes_its_round_trips) {
  const auto took = [](TcpParameters::AfterIdle rule) {
    return std::stoll(
        TextFromChild([&] { return std::to_string(AfterSilenceOf(rule, Milliseconds(9), 576).took.v); }));
  };
  const int64_t warm = took(TcpParameters::AfterIdle::kept), slow = took(TcpParameters::AfterIdle::restarted);
  EXPECT_GT(slow, warm + Microseconds(2).v);
}

// 10 cycles a byte at 2 GHz take 5 ns a byte, in which the line carries 60. A peer may send up to the end of
// the buffer after the last byte that the core has read.
TEST(TcpSocket, a_peer_sees_the_room_that_the_core_has_made) {
  InChild([] {
    constexpr int64_t kBuffer = 1 << 20, kCalls = 100, kPiece = TcpCosts::kAggregate;
    const CoreCosts slow{2e9, {}, {0, 0, 10, 0}, {}};
    TcpLab lab({.server = slow, .stream = {.crc = false, .content = false}, .ip = Ip(Bytes(kBuffer))});
    lab.Join();
    const auto socket = ns3::DynamicCast<ns3::TcpSocketBase>(lab.accepted);
    int64_t read = 0, least = kBuffer, seen = 0;
    const auto execute = lab.execute;
    lab.execute = [&](const TcpMessage& m, std::vector<uint8_t> bytes, TcpServer::Respond respond) {
      read += m.length + kHeader;
      execute(m, std::move(bytes), std::move(respond));
    };
    std::function<void(const ns3::TcpHeader&)> sent = [&](const ns3::TcpHeader& header) {
      constexpr int kShift = 5;  // a window of 1 MiB in 16 bits
      const int64_t window = int64_t{header.GetWindowSize()} << kShift;
      const int64_t end = header.GetAckNumber().GetValue() - 1 + window;
      EXPECT_LE(end, kBuffer + read + 2 * kPiece);
      EXPECT_GT(end, kBuffer + read - (1 << kShift));
      EXPECT_EQ(socket->GetRxAvailable(), 0u);  // ns-3 would walk through it for each segment
      least = std::min(least, window);
      ++seen;
    };
    socket->TraceConnectWithoutContext("Tx",
                                       ns3::Callback<void, ns3::Ptr<const ns3::Packet>, const ns3::TcpHeader&,
                                                     ns3::Ptr<const ns3::TcpSocketBase>>(
                                           [&sent](ns3::Ptr<const ns3::Packet>, const ns3::TcpHeader& header,
                                                   ns3::Ptr<const ns3::TcpSocketBase>) { sent(header); }));
    int answered = 0;
    for (int i = 0; i < kCalls; ++i)
      lab.caller->Call({0}, kPiece - kHeader, {}, [&](const TcpAnswer&) { ++answered; });
    lab.RunFor(Milliseconds(10));
    EXPECT_NEAR(answered, 10e-3 / (kPiece * 5e-9), 2);
    EXPECT_LT(least, kPiece);
    EXPECT_GT(seen, 100);
  });
}

}  // namespace
}  // namespace headroom::tcp_socket_test
