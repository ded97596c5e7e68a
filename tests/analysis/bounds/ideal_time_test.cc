#include "analysis/bounds/ideal_time.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace headroom::ideal_test {
namespace {

/// The recurrence itself, computed frame by frame and hop by hop.
Time BruteForce(const IdealPath& path, Bytes size, Operation verb) {
  const FrameFormat& format = path.frames;
  const bool read = verb == Operation::read_request;
  const int64_t count = std::max<int64_t>(1, (size.v + path.mtu - 1) / path.mtu);
  std::vector<Time> data_free(path.data.size()), ack_free(path.acks.size());
  const auto carry = [](Time ready, Bytes wire, const std::vector<IdealHop>& hops, std::vector<Time>& free) {
    for (size_t j = 0; j < hops.size(); ++j) {
      const Time start = std::max(ready + hops[j].latency, free[j]);
      free[j] = start + SerializationTime(wire, hops[j].rate);
      ready = free[j] + hops[j].delay;
    }
    return ready;
  };
  Time completed, asked;
  if (read) {
    const Bytes request(std::max(format.min, format.header + format.reth));
    asked = carry(Time(), format.OnWire(request), path.acks, ack_free) + path.sender_rx_latency;
  }
  // Bytes on the first and on the last frame in addition to the payload.
  const int64_t reth = verb == Operation::write || verb == Operation::write_imm ? format.reth : 0;
  const int64_t immdt = verb == Operation::write_imm || verb == Operation::send_imm ? format.immdt : 0;
  const int64_t ieth = verb == Operation::send_inv ? format.ieth : 0;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t payload = std::min(path.mtu, size.v - i * path.mtu);
    const bool first = i == 0, last = i + 1 == count;
    const int64_t aeth = read && (first || last) ? format.aeth : 0;
    const int64_t extended = (first ? reth : 0) + (last ? immdt + ieth : 0) + aeth;
    const Bytes frame(std::max(format.min, format.header + extended + payload));
    const Time arrived = carry(asked, format.OnWire(frame), path.data, data_free);
    if (read) completed = arrived + path.receiver_rx_latency;
    if (read) continue;
    if ((i + 1) % path.ack_every != 0 && i + 1 != count) continue;
    const Time back =
        carry(arrived + path.receiver_rx_latency, format.OnWire(format.Ack()), path.acks, ack_free);
    completed = back + path.sender_rx_latency;
  }
  return completed;
}

/// Two hops of 1 us each way with the HPCC simulator's frame sizes, at the rate that takes 83 ns for 1048 B.
IdealPath HpccStar() {
  IdealPath path;
  path.data = path.acks = {2, IdealHop{BitsPerSecond(101'012'048'193), Microseconds(1), Time()}};
  path.mtu = 1000;
  path.frames = {.header = 48, .reth = 0, .ack = 60, .cnp = 60, .pfc = 43, .gap = 0, .min = 0};
  return path;
}

TEST(IdealCompletion, OneFrameByHand) {
  // 100 Gb/s, 12.5 B/ns. Data: 64 + 14+20+8+12+4+4 + 16 + gap 20 = 162 B, 12.96 ns, twice; ACK: 66 + 20 = 86
  // B, 6.88 ns, twice. Hops of 10 ns; a switch of 500 ns, twice; hosts 30 ns out and 40 ns in, at both ends.
  IdealPath path;
  path.data = path.acks = {{GigabitsPerSecond(100), Nanoseconds(10), Nanoseconds(30)},
                           {GigabitsPerSecond(100), Nanoseconds(10), Nanoseconds(500)}};
  path.receiver_rx_latency = path.sender_rx_latency = Nanoseconds(40);
  EXPECT_EQ(IdealCompletion(path, Bytes(64)),
            Picoseconds(2 * 12'960 + 2 * 6'880 + 40'000 + 60'000 + 1'000'000 + 80'000));
}

TEST(IdealCompletion, AReadByHand) {
  // 100 Gb/s, two hops of 10 ns each way, a switch of 500 ns, hosts 30 ns out and 40 ns in. The request: 62 +
  // 16 and gap 20, 98 B, 7.84 ns, twice; the response: 64 + 62 + 4 + 20 = 150 B, 12 ns, twice.
  IdealPath path;
  path.data = path.acks = {{GigabitsPerSecond(100), Nanoseconds(10), Nanoseconds(30)},
                           {GigabitsPerSecond(100), Nanoseconds(10), Nanoseconds(500)}};
  path.receiver_rx_latency = path.sender_rx_latency = Nanoseconds(40);
  EXPECT_EQ(IdealCompletion(path, Bytes(64), Operation::read_request),
            Picoseconds(2 * 7'840 + 2 * 12'000 + 40'000 + 60'000 + 1'000'000 + 80'000));
}

TEST(IdealCompletion, StreamIsBoundByItsSlowestHop) {
  // 10 frames of 1000 + 48 B over 8 Gb/s (1048 ns each), then 4 Gb/s (2096 ns each): the first crosses the
  // fast hop, then ten cross the slow one. One ACK of 60 B at the end: 60 and 120 ns.
  IdealPath path = HpccStar();
  path.data = {{GigabitsPerSecond(8), Time(), Time()}, {GigabitsPerSecond(4), Time(), Time()}};
  path.acks = {path.data[1], path.data[0]};
  path.ack_every = 100;
  EXPECT_EQ(IdealCompletion(path, Bytes(10'000)), Nanoseconds(1'048 + 10 * 2'096 + 120 + 60));
}

TEST(IdealCompletion, AcksCanBeTheBottleneck) {
  // The way back has 0.1 Gb/s: each 60 B ACK takes 4800 ns; the first waits for one frame of 1048 ns, 10 ACKs
  // queue.
  IdealPath path = HpccStar();
  path.data = {{GigabitsPerSecond(8), Time(), Time()}};
  path.acks = {{MegabitsPerSecond(100), Time(), Time()}};
  EXPECT_EQ(IdealCompletion(path, Bytes(10'000)), Nanoseconds(1'048 + 10 * 4'800));
}

/// Completion times that the HPCC simulator's authors publish, without contention; it truncates an ACK's 4.75
/// ns to 4.
TEST(IdealCompletion, HpccSimulatorUncontended) {
  const std::pair<int64_t, double> cases[] = {{1, 4014},           {1'000, 4174},       {1'001, 4178},
                                              {10'000, 4921},      {100'000, 12391},    {1'000'000, 87091},
                                              {4'000'000, 336091}, {10'000'000, 834091}};
  for (const auto& [bytes, published_ns] : cases) {
    const double ns = static_cast<double>(IdealCompletion(HpccStar(), Bytes(bytes)).v) / 1000;
    EXPECT_NEAR(ns, published_ns, 0.001 * published_ns + 10) << bytes;
    RecordProperty("ns_of_" + std::to_string(bytes), std::to_string(ns));
  }
}

TEST(IdealCompletion, EqualsTheRecurrenceOnRandomPaths) {
  std::mt19937_64 random(1);
  const auto draw = [&random](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
  };
  const int64_t rates[] = {1'000'000'000, 10'000'000'000, 25'000'000'000, 33'333'333'333, 100'000'000'000};
  for (int round = 0; round < 20'000; ++round) {
    IdealPath path;
    for (auto* hops : {&path.data, &path.acks}) {
      hops->resize(static_cast<size_t>(draw(1, 6)));
      // Some ways back are much slower, so that ACKs queue.
      const int64_t slower = hops == &path.acks ? draw(1, 30) : 1;
      for (IdealHop& hop : *hops) {
        hop = {BitsPerSecond(rates[draw(0, 4)] / slower), Picoseconds(draw(0, 2'000'000)),
               Picoseconds(draw(0, 500'000))};
      }
    }
    path.receiver_rx_latency = Picoseconds(draw(0, 100'000));
    path.sender_rx_latency = Picoseconds(draw(0, 100'000));
    path.mtu = draw(1, 1'500);
    path.frames.reth = draw(0, 400);
    path.frames.min = draw(0, 300);
    path.ack_every = static_cast<int>(draw(1, 12));
    path.frames.aeth = draw(0, 400);
    path.frames.immdt = draw(0, 400);
    path.frames.ieth = draw(0, 400);
    const Operation verbs[] = {Operation::write,    Operation::write_imm, Operation::send,
                               Operation::send_imm, Operation::send_inv,  Operation::read_request};
    const Operation verb = verbs[draw(0, 5)];
    const Bytes size(draw(0, path.mtu * draw(1, 40)));
    ASSERT_EQ(IdealCompletion(path, size, verb), BruteForce(path, size, verb)) << "round " << round;
  }
}

/// The range of PSNs does not act as a window: a message beyond it follows the closed form, which no message
/// size makes slower.
TEST(Ideal, MessagesBeyondTheRangeOfPsnsHaveTheClosedForm) {
  const IdealPath path = HpccStar();
  const int64_t packets = int64_t{1} << 40;
  const Time once = IdealCompletion(path, Bytes(packets * path.mtu));
  const Time twice = IdealCompletion(path, Bytes(2 * packets * path.mtu));
  EXPECT_EQ(twice - once, Picoseconds(packets * 83'000));
}

}  // namespace
}  // namespace headroom::ideal_test
