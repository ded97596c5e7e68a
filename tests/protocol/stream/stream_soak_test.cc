// The guarantee of every carrier of streams, for any writes, reads, losses and closings: all bytes arrive
// once, in order. A new carrier is added to Carriers.
#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "protocol/smc/smc_carrier.h"
#include "protocol/stream/stream_lab.h"
#include "protocol/tcp/tcp_carrier.h"
#include "support/in_child.h"

namespace headroom::stream_soak_test {
namespace {

/// A carrier under test: how to make one, and how often its frames may be lost.
struct KernelTcp {
  static std::unique_ptr<StreamCarrier> Make(const StreamLabParameters& p) {
    return std::make_unique<TcpCarrier>(p.costs, uint8_t{0});
  }
  static constexpr unsigned kLosses = 300;  ///< one frame in this many
};
struct Libvma {
  static std::unique_ptr<StreamCarrier> Make(const StreamLabParameters& p) {
    return std::make_unique<TcpCarrier>(p.costs, uint8_t{0}, TcpCarrier::Stack::user_space);
  }
  static constexpr unsigned kLosses = 300;
};

struct SmcR {
  static std::unique_ptr<StreamCarrier> Make(const StreamLabParameters& p) {
    SmcParameters smc;
    smc.buffer = p.buffer;
    return std::make_unique<SmcCarrier>(p.costs, smc, uint8_t{0}, "smc");
  }
  static constexpr unsigned kLosses = 300;
};

template <class Carrier>
class StreamSoak : public testing::Test {};
using Carriers = testing::Types<KernelTcp, Libvma, SmcR>;
TYPED_TEST_SUITE(StreamSoak, Carriers);

StreamLabParameters AnyParameters(std::mt19937& random) {
  StreamLabParameters p;
  p.hosts = 3;
  p.waits = static_cast<StreamLabParameters::Waits>(random() % 3);
  if (random() % 3 == 0) p.costs.kernel = p.costs.user_space = {};
  p.ip.mtu = random() % 2 == 0 ? 1500 : 9000;
  p.ip.tcp.receive_buffer = Bytes(20'000 + random() % 300'000);
  p.ip.tcp.send_buffer = Bytes(20'000 + random() % 300'000);
  p.buffer = Kibibytes(int64_t{16} << random() % 3);
  p.ip.tcp.min_rto = Microseconds(500);
  p.ip.tcp.initial_rto = Milliseconds(1);
  return p;
}

/// written = unsent + on its way + unread + read, and the read bytes are the written ones.
void ExpectConserved(NotingUser& from, NotingUser& to) {
  ASSERT_LE(to.got.size(), from.wrote.size());
  EXPECT_TRUE(std::equal(to.got.begin(), to.got.end(), from.wrote.begin()));
  EXPECT_LE(from.stream().unsent() + to.stream().unread() + to.got.size(), from.wrote.size());
}

template <class Carrier>
void AnySchedule(uint32_t seed) {
  std::mt19937 random(seed);
  const StreamLabParameters p = AnyParameters(random);
  StreamLab lab(p);
  const auto carrier = Carrier::Make(p);
  const bool loses = seed % 2 == 0;
  if (loses) lab.lose = [&](NodeId, const Frame&) { return random() % Carrier::kLosses == 0; };
  std::deque<NotedStream> streams;  // several streams between the same hosts
  for (const auto& [from, to] : {std::pair(0u, 1u), {0u, 1u}, {1u, 0u}, {2u, 1u}})
    streams.emplace_back(*carrier, lab, from, to, "s" + std::to_string(streams.size())).Open();
  for (int step = 0; step < 80; ++step) {
    NotedStream& s = streams[random() % streams.size()];
    const bool forth = random() % 2 == 0;
    NotingUser &from = forth ? s.a : s.b, &to = forth ? s.b : s.a;
    from.Write(RandomBytes(random, random() % (random() % 4 == 0 ? 200'000 : 300)));
    to.reads = random() % 3 == 0 ? 0 : random() % 3 == 0 ? 100 : SIZE_MAX;
    lab.RunFor(Microseconds(random() % 60));
    ExpectConserved(from, to);
    to.Read(random() % 1000);
  }
  for (NotedStream& s : streams) s.a.reads = s.b.reads = SIZE_MAX;
  for (int i = 0; i < 1000; ++i) {
    size_t left = 0;
    for (NotedStream& s : streams) {
      for (NotingUser* user : {&s.a, &s.b}) user->Read(SIZE_MAX);
      left += s.a.wrote.size() + s.b.wrote.size() - s.a.got.size() - s.b.got.size();
    }
    if (left == 0) break;
    lab.RunFor(Milliseconds(20));
  }
  for (NotedStream& s : streams) {
    EXPECT_EQ(s.a.got, s.b.wrote);
    EXPECT_EQ(s.b.got, s.a.wrote);
    EXPECT_EQ(s.a.opened, 1);
    EXPECT_EQ(s.b.opened, 1);
    EXPECT_EQ(s.a.ended + s.b.ended, 0);
    EXPECT_EQ(s.a.stream().unsent() + s.b.stream().unsent(), 0u);
  }
  // Bytes written before the close still arrive; then the peer gets the end, once.
  NotedStream& last = streams[random() % streams.size()];
  last.a.Write(RandomBytes(random, 1 + random() % 100'000));
  last.a.stream().Close();
  lab.RunFor(Seconds(20));
  EXPECT_EQ(last.b.got, last.a.wrote);
  EXPECT_EQ(last.b.ended, 1);
  EXPECT_FALSE(last.b.failed);
  EXPECT_EQ(last.a.ended, 0);
}

TYPED_TEST(StreamSoak, all_bytes_come_once_and_in_order_and_are_conserved_meanwhile) {
  for (uint32_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    InChild([seed] { AnySchedule<TypeParam>(seed); });
  }
}

// A program that does not read stops its peer: buffers limit the bytes that the peer has on their way.
TYPED_TEST(StreamSoak, a_program_that_does_not_read_stops_its_peer) {
  InChild([] {
    StreamLabParameters p;
    p.ip.tcp.receive_buffer = Bytes(100'000);
    p.ip.tcp.send_buffer = Bytes(100'000);
    StreamLab lab(p);
    const auto carrier = TypeParam::Make(p);
    NotedStream s(*carrier, lab, 0, 1);
    s.b.reads = 0;
    s.Open();
    std::mt19937 random(1);
    s.a.Write(RandomBytes(random, 5'000'000));
    lab.RunFor(Seconds(1));
    const uint64_t unsent = s.a.stream().unsent(), unread = s.b.stream().unread();
    EXPECT_GT(unread, 50'000u);
    EXPECT_LE(unread, 150'000u);
    EXPECT_GE(unsent, 5'000'000u - unread - 1'100'000);
    lab.RunFor(Seconds(1));
    EXPECT_EQ(s.a.stream().unsent(), unsent);
    s.b.reads = SIZE_MAX;
    s.b.Read(SIZE_MAX);
    lab.RunFor(Seconds(5));
    EXPECT_EQ(s.b.got, s.a.wrote);
  });
}

TYPED_TEST(StreamSoak, a_peer_that_cannot_be_reached_ends_it) {
  InChild([] {
    StreamLabParameters p;
    StreamLab lab(p);
    const auto carrier = TypeParam::Make(p);
    NotedStream s(*carrier, lab, 0, 1);
    lab.lose = [](NodeId, const Frame&) { return true; };
    s.a.Write({1, 2, 3});
    s.Open();
    lab.RunFor(Seconds(1000));
    EXPECT_EQ(s.a.opened, 0);
    EXPECT_EQ(s.a.ended, 1);
    EXPECT_TRUE(s.a.failed);
    EXPECT_EQ(s.b.opened + s.b.ended, 0);
  });
}

TYPED_TEST(StreamSoak, a_run_repeats_itself) {
  const auto run = [] {
    return TextFromChild([] {
      std::mt19937 random(3);
      StreamLabParameters p;
      StreamLab lab(p);
      const auto carrier = TypeParam::Make(p);
      lab.lose = [&](NodeId, const Frame&) { return random() % (2 * TypeParam::kLosses) == 0; };
      NotedStream s(*carrier, lab, 0, 1);
      s.Open();
      std::string text;
      for (int i = 0; i < 30; ++i) {
        (i % 2 == 0 ? s.a : s.b).Write(RandomBytes(random, random() % 50'000));
        lab.RunFor(Microseconds(50));
        text += std::to_string(s.a.readable_at.v) + ' ' + std::to_string(s.b.readable_at.v) + '\n';
      }
      return text;
    });
  };
  EXPECT_EQ(run(), run());
}

}  // namespace
}  // namespace headroom::stream_soak_test
