// Calls over TCP: their costs, failures of the network or the connection, and a core without time.
#include "protocol/tcp/tcp_caller.h"

#include <gtest/gtest.h>

#include <ns3/object-vector.h>
#include <ns3/tcp-l4-protocol.h>
#include <ns3/tcp-socket-base.h>

#include <random>
#include <set>

#include "protocol/tcp/tcp_lab.h"
#include "support/in_child.h"

namespace headroom::tcp_caller_test {
namespace {

constexpr uint32_t kHeader = TcpMessage::kBytes;
/// 2 GHz, and costs that differ.
const CoreCosts kCosts{2e9, {}, {4000, 0.25, 0.5, 0.125}, {}};

IpParameters Ip(int64_t mtu, Bytes receive_buffer = Kibibytes(1024)) {
  IpParameters ip;
  ip.mtu = mtu;
  ip.tcp.receive_buffer = receive_buffer;
  ip.tcp.min_rto = Microseconds(500);
  ip.tcp.initial_rto = Milliseconds(1);
  return ip;
}

TEST(TcpCaller, a_call_and_its_answer_cost_what_is_charged_and_no_more) {
  struct Case {
    uint32_t request, answer;
    int64_t request_pieces, answer_pieces;
  };
  const Case cases[] = {{0, 8192, 1, 1},
                        {8192, 0, 1, 1},
                        {65'536, 65'537, 1, 2},
                        {1 << 20, 0, 16, 1},
                        {0, (1 << 20) + 1, 1, 17}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.request + c.answer);
    InChild([c] {
      TcpLab lab({.caller = kCosts, .server = kCosts});
      lab.Join();
      int answered = 0;
      lab.caller->Call({c.answer, 7, 0}, c.request, {}, [&](const TcpAnswer& answer) {
        ++answered;
        EXPECT_FALSE(answer.failed);
        EXPECT_EQ(answer.said[0], 7u);
        EXPECT_EQ(answer.retries, 0u);
      });
      lab.RunFor(Milliseconds(10));
      EXPECT_EQ(answered, 1);
      const auto sent = [](int64_t pieces, int64_t bytes) {
        return kCosts.OfTcpSent(pieces, kHeader + bytes, bytes);
      };
      const auto received = [](int64_t pieces, int64_t bytes) {
        return kCosts.OfTcpReceived(pieces, kHeader + bytes, bytes);
      };
      // Each piece is rounded to a picosecond separately. This is the largest number of pieces.
      constexpr double kRounding = 1000;
      EXPECT_NEAR(
          static_cast<double>(TcpLab::BusyOf(lab.a).v),
          static_cast<double>((sent(c.request_pieces, c.request) + received(c.answer_pieces, c.answer)).v),
          kRounding);
      EXPECT_NEAR(
          static_cast<double>(TcpLab::BusyOf(lab.b).v),
          static_cast<double>((received(c.request_pieces, c.request) + sent(c.answer_pieces, c.answer)).v),
          kRounding);
      EXPECT_EQ(TcpLab::BusyOf(lab.a, CoreWork::rdma), Time(0));
    });
  }
}

TEST(TcpCaller, parts_of_a_call_sum_to_its_time) {
  InChild([] {
    TcpLab lab({.caller = kCosts, .server = kCosts});
    lab.Join();
    const Time start = EventQueue::Get().now();
    int answered = 0;
    for (int i = 0; i < 8; ++i) {
      const Trail::CurrentStep step(&lab.trail, lab.trail.Add(0, OperationPart::other, start, start));
      lab.caller->Call({i % 2 == 0 ? 8192u : 0u}, i % 2 == 0 ? 0 : 500'000, {}, [&](const TcpAnswer& answer) {
        ++answered;
        const Trail::Parts parts = lab.trail.Split(lab.trail.current(), start);
        Time sum;
        for (const Time part : parts) sum += part;
        EXPECT_EQ(sum, EventQueue::Get().now() - start);
        EXPECT_GT(parts[static_cast<size_t>(OperationPart::core)].v, 0);
        EXPECT_GT(parts[static_cast<size_t>(OperationPart::network)], Microseconds(1));
        EXPECT_EQ(parts[static_cast<size_t>(OperationPart::other)], Time(0));
        EXPECT_LT(answer.times.posted, answer.times.completed);
        EXPECT_LE(answer.times.completed, answer.times.polled);
      });
    }
    lab.RunFor(Milliseconds(10));
    EXPECT_EQ(answered, 8);
  });
}

TEST(TcpCaller, many_calls_are_open_at_a_time_and_answers_come_in_any_order) {
  InChild([] {
    TcpLab lab;
    std::vector<std::pair<uint64_t, TcpServer::Respond>> asked;
    lab.execute = [&](const TcpMessage& m, std::vector<uint8_t>, TcpServer::Respond respond) {
      asked.emplace_back(m.said[0], std::move(respond));
    };
    std::vector<uint64_t> answers;
    for (uint64_t i = 0; i < 100; ++i)  // also before there is a connection
      lab.caller->Call({i}, 4096, {}, [&, i](const TcpAnswer& a) {
        EXPECT_EQ(a.said[0], i);
        answers.push_back(i);
      });
    EXPECT_EQ(lab.caller->open(), 100u);
    lab.Join();
    ASSERT_EQ(asked.size(), 100u);
    std::vector<uint64_t> reversed;
    for (auto at = asked.rbegin(); at != asked.rend(); ++at) {
      reversed.push_back(at->first);
      at->second({at->first}, 100'000, {});
    }
    lab.RunFor(Milliseconds(10));
    EXPECT_EQ(answers, reversed);
    EXPECT_EQ(lab.caller->open(), 0u);
  });
}

std::vector<uint8_t> Pattern(uint32_t length, uint32_t seed) {
  std::vector<uint8_t> bytes(length);
  for (uint32_t i = 0; i < length; ++i) bytes[i] = static_cast<uint8_t>(seed + i * 7);
  return bytes;
}

// The server recognises calls by their content, like any user of TcpServer.
void AnySchedule(uint32_t seed) {
  std::mt19937 random(seed);
  TcpLab lab({.caller = seed % 2 == 0 ? CoreCosts{} : kCosts,
              .stream = {.crc = true, .content = seed % 3 != 0},
              .ip = Ip(1500)});
  const bool content = seed % 3 != 0;
  lab.lose = [&](NodeId, const Frame&) { return random() % 200 == 0; };
  lab.execute = [&](const TcpMessage& m, std::vector<uint8_t> bytes, const TcpServer::Respond& respond) {
    const auto id = static_cast<uint32_t>(m.said[0]), length = static_cast<uint32_t>(m.said[1]);
    EXPECT_EQ(bytes, content ? Pattern(m.length, id) : std::vector<uint8_t>());
    respond({id}, length, content ? Pattern(length, id + 1) : std::vector<uint8_t>());
  };
  lab.caller->Open({});
  constexpr uint32_t kCalls = 60;
  std::map<uint32_t, int> answered;
  uint32_t again = 0;
  for (uint32_t id = 0; id < kCalls; ++id) {
    const auto size = [&] { return static_cast<uint32_t>(random() % (random() % 2 == 0 ? 300 : 200'000)); };
    const uint32_t request = size(), answer = size();
    lab.caller->Call({id, answer}, request, content ? Pattern(request, id) : std::vector<uint8_t>(),
                     [&, id, answer](const TcpAnswer& a) {
                       ++answered[id];
                       EXPECT_FALSE(a.failed);
                       EXPECT_EQ(a.said[0], id);
                       EXPECT_EQ(a.bytes, content ? Pattern(answer, id + 1) : std::vector<uint8_t>());
                       again += a.retries;
                     });
    lab.RunFor(Microseconds(random() % 200));
    if (id % 20 == 10 && lab.accepted != nullptr) lab.accepted->Close();  // the caller connects again
  }
  lab.RunFor(Seconds(2));
  EXPECT_EQ(answered.size(), kCalls);
  for (const auto& [id, times] : answered) EXPECT_EQ(times, 1) << id;
  EXPECT_EQ(lab.caller->open(), 0u);
  EXPECT_GT(lab.caller->counters().retransmitted + lab.server.counters().retransmitted, 0u);
  EXPECT_GT(lab.caller->counters().connections, 1u);
  lab.caller->Close();
  lab.RunFor(Seconds(1));
}

TEST(TcpCaller, each_call_is_answered_once_whatever_is_lost_and_closed) {
  for (uint32_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    InChild([seed] { AnySchedule(seed); });
  }
}

// At 2 GHz a request of 64 KiB and its header take 10 cycles a byte: 655,920 cycles, 3049 a second. The line
// would carry 190,000.
TEST(TcpCaller, a_core_without_time_closes_the_window) {
  InChild([] {
    const CoreCosts slow{2e9, {}, {0, 0, 10, 0}, {}};
    TcpLab lab({.server = slow, .stream = {.crc = false, .content = false}, .ip = Ip(9000, Kibibytes(256))});
    lab.Join();
    int answered = 0;
    for (int i = 0; i < 100; ++i) lab.caller->Call({0}, 65'536, {}, [&](const TcpAnswer&) { ++answered; });
    lab.RunFor(Milliseconds(10));
    const double expected = 10e-3 * 2e9 / (10 * (65'536 + kHeader));
    EXPECT_NEAR(answered, expected, 2);
    // The core was never idle, and the bytes that it has not read are at the caller.
    EXPECT_GT(TcpLab::BusyOf(lab.b), Milliseconds(10) - Microseconds(100));
    EXPECT_LT(lab.server.counters().bytes, 100u * 100);
    const uint64_t sent = lab.caller->counters().bytes;
    EXPECT_LT(sent, static_cast<uint64_t>(answered + 1) * 65'592 + 2 * 256 * 1024);
    EXPECT_EQ(lab.caller->counters().retransmitted, 0u);
  });
}

TEST(TcpCaller, what_is_open_fails_when_it_is_closed_and_it_may_be_opened_again) {
  InChild([] {
    TcpLab lab;
    lab.Join();
    lab.execute = [](const TcpMessage&, const std::vector<uint8_t>&, const TcpServer::Respond&) {};
    std::vector<bool> failed;
    lab.caller->Call({}, 100, {}, [&](const TcpAnswer& a) { failed.push_back(a.failed); });
    lab.RunFor(Milliseconds(1));
    EXPECT_TRUE(failed.empty());
    lab.caller->Close();
    EXPECT_FALSE(lab.caller->joined());
    EXPECT_EQ(failed, std::vector<bool>{true});
    lab.execute = [](const TcpMessage&, const std::vector<uint8_t>&, const TcpServer::Respond& respond) {
      respond({}, 0, {});
    };
    lab.Join();
    lab.caller->Call({}, 100, {}, [&](const TcpAnswer& a) { failed.push_back(a.failed); });
    lab.RunFor(Milliseconds(1));
    EXPECT_EQ(failed, (std::vector<bool>{true, false}));
    EXPECT_EQ(lab.caller->counters().losses, 0u);
  });
}

TEST(TcpCaller, connections_that_are_over_leave_nothing_behind) {
  InChild([] {
    TcpLab lab;
    const auto sockets = [&](NodeId host) {
      ns3::ObjectVectorValue list;
      lab.stack.Node(host)->GetObject<ns3::TcpL4Protocol>()->GetAttribute("SocketList", list);
      return list.GetN();
    };
    int answered = 0;
    for (int life = 0; life < 20; ++life) {
      lab.Join();
      lab.caller->Call({}, 100, {}, [&](const TcpAnswer& a) { answered += !a.failed; });
      lab.RunFor(Milliseconds(1));
      lab.caller->Call({}, 100, {}, [](const TcpAnswer&) {});  // this call is on its way
      lab.caller->Close();
      lab.RunFor(Milliseconds(30));
      EXPECT_EQ(sockets(0), 0u);
      EXPECT_EQ(sockets(1), 1u);  // the listener remains
    }
    EXPECT_EQ(answered, 20);
    EXPECT_EQ(lab.caller->counters().connections, 20u);
    EXPECT_EQ(lab.server.counters().connections, 20u);
  });
}

TEST(TcpCaller, an_answer_to_a_connection_that_is_gone_is_heard_by_nobody) {
  InChild([] {
    TcpLab lab;
    std::vector<TcpServer::Respond> late;
    lab.execute = [&](const TcpMessage&, const std::vector<uint8_t>&, TcpServer::Respond respond) {
      late.push_back(std::move(respond));
    };
    int failed = 0, answered = 0;
    for (int life = 0; life < 3; ++life) {
      lab.Join();
      lab.caller->Call({}, 100, {}, [&](const TcpAnswer& a) { ++(a.failed ? failed : answered); });
      lab.RunFor(Milliseconds(1));
      if (life < 2) lab.caller->Close();
      lab.RunFor(Milliseconds(30));
    }
    ASSERT_EQ(late.size(), 3u);
    for (const TcpServer::Respond& respond : late) respond({}, 0, {});
    lab.RunFor(Milliseconds(1));
    EXPECT_EQ(failed, 2);
    EXPECT_EQ(answered, 1);
  });
}

TEST(TcpCaller, it_tries_until_somebody_listens) {
  InChild([] {
    TcpLab lab;
    lab.listener.reset();
    lab.accepted = nullptr;
    TcpLab* const l = &lab;
    bool joined = false;
    lab.path->peer.SetPort(10'001);
    TcpCaller caller(lab.a, *lab.path, {}, Microseconds(100), lab.network->context(0));
    caller.Open([&] { joined = true; });
    lab.RunFor(Milliseconds(5));
    EXPECT_FALSE(joined);
    const TcpListener later(
        lab.stack.Node(1), lab.path->congestion, lab.path->tos, 10'001,
        [l](ns3::Ptr<ns3::Socket> socket, const ns3::Address&) { l->server.Accept(socket); });
    lab.RunFor(Milliseconds(50));
    EXPECT_TRUE(joined);
  });
}

TEST(TcpCaller, a_run_repeats_itself) {
  const auto run = [] {
    return TextFromChild([] {
      std::mt19937 random(3);
      TcpLab lab({.caller = kCosts, .server = kCosts, .ip = Ip(1500)});
      lab.lose = [&](NodeId, const Frame&) { return random() % 300 == 0; };
      lab.caller->Open({});
      std::string text;
      for (uint32_t i = 0; i < 30; ++i)
        lab.caller->Call({i * 3000}, i * 5000, {}, [&](const TcpAnswer& a) {
          text += std::to_string(a.times.polled.v) + ' ' + std::to_string(EventQueue::Get().now().v) + '\n';
        });
      lab.RunFor(Milliseconds(100));
      EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 30);
      return text;
    });
  };
  EXPECT_EQ(run(), run());
}

}  // namespace
}  // namespace headroom::tcp_caller_test
