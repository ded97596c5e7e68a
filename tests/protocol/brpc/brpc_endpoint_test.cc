// A bRPC connection: its handshake, its posts for random writes, its windows and flags, and its ends.
#include "protocol/brpc/brpc_endpoint.h"

#include <gtest/gtest.h>

#include <numeric>

#include "protocol/brpc/brpc_lab.h"
#include "support/in_child.h"

namespace headroom::brpc_endpoint_test {
namespace {

LinkSpec Link(double gigabits = 100, Time delay = Nanoseconds(500), double loss = 0) {
  return {GigabitsPerSecond(gigabits), delay, Time{}, loss};
}

TEST(BrpcEndpoint, shows_its_device_on_tcp_and_goes_on_by_the_queue_pair) {
  InChild([] {
    BrpcLab lab(StarScenario(2, Link()));
    lab.RunFor(Milliseconds(1));
    EXPECT_EQ(lab.end(0).state(), BrpcEndpoint::State::rdma);
    EXPECT_EQ(lab.end(1).state(), BrpcEndpoint::State::rdma);
    // hello 40 and ACK 4 one way, hello 40 the other way
    EXPECT_EQ(lab.end(0).counters().handshake_bytes, 44u);
    EXPECT_EQ(lab.end(1).counters().handshake_bytes, 40u);
    EXPECT_EQ(lab.end(0).flow().capacity(), 125);
    EXPECT_EQ(lab.end(1).flow().capacity(), 125);
    for (const BrpcProgram& program : lab.programs) EXPECT_EQ(program.opened, 1);
  });
}

TEST(BrpcEndpoint, is_open_at_the_accepter_one_and_a_half_round_trips_after_tcp_is) {
  InChild([] {
    BrpcEndParameters free;
    free.costs.post = free.costs.completion = free.costs.wake = free.costs.turn = Time(0);
    const Time one_way = Microseconds(50);
    BrpcLab lab(StarScenario(2, Link()), free, free, one_way);
    // The pipe opens at the accepter after one delay, at the opener after two; then follow hello, hello and
    // ACK.
    lab.RunFor(one_way * 5 - Time(1));
    EXPECT_FALSE(lab.end(1).open());
    EXPECT_TRUE(lab.end(0).open());
    lab.RunFor(Time(2));
    EXPECT_TRUE(lab.end(1).open());
  });
}

/// The stream's own transport, if one side or both have no device, or the opener does not request RDMA.
TEST(BrpcEndpoint, stays_on_the_same_tcp_connection_without_a_device_on_either_side) {
  for (int which = 0; which < 4; ++which) {
    InChild([&] {
      BrpcEndParameters opener, accepter;
      opener.device = which != 0 && which != 2;
      accepter.device = which != 1 && which != 2;
      opener.asks = which != 3;
      BrpcLab lab(StarScenario(2, Link()), opener, accepter);
      lab.Write(0, 70'000);  // before the stream is open
      lab.RunFor(Milliseconds(1));
      lab.Write(1, 30'000);
      lab.Write(0, 3);
      lab.RunFor(Milliseconds(1));
      for (int at = 0; at < 2; ++at) {
        EXPECT_EQ(lab.end(at).state(), BrpcEndpoint::State::tcp);
        EXPECT_TRUE(lab.posted[at].empty());
        EXPECT_EQ(lab.programs[at].read, lab.programs[1 - at].written);
        EXPECT_EQ(lab.programs[at].wrong, 0u);
        EXPECT_EQ(lab.programs[at].opened, 1);
      }
      const uint64_t hellos = which == 1 ? 84 : 0;  // only an opener with a device sends a hello
      EXPECT_EQ(lab.end(0).counters().handshake_bytes + lab.end(1).counters().handshake_bytes, hellos);
    });
  }
}

/// One way with a wide window: ceil(N / 8160) work requests, floor(N / 64) pure ACKs of 64.
TEST(BrpcEndpoint, cuts_a_write_into_blocks_and_acknowledges_them_by_64) {
  Dice dice(1);
  for (int run = 0; run < 4; ++run) {
    const auto size = static_cast<uint64_t>(dice.Between(1, 4'000'000));
    InChild([&] {
      BrpcLab lab(StarScenario(2, Link()));
      lab.Write(0, size);
      lab.RunFor(Milliseconds(20));
      const std::vector<SendWr> data = lab.Posted(0, true);
      const size_t blocks = (size + 8159) / 8160;
      EXPECT_EQ(data.size(), blocks);
      for (size_t i = 0; i + 1 < data.size(); ++i) EXPECT_EQ(data[i].sge.length, 8160u);
      for (size_t i = 0; i < data.size(); ++i) {
        EXPECT_EQ(data[i].signaled, (i + 1) % 31 == 0);
        EXPECT_TRUE(data[i].solicited);  // each is of the only write in its batch
        EXPECT_EQ(data[i].opcode, WrOpcode::send_with_imm);
      }
      const std::vector<SendWr> acks = lab.Posted(1, false);
      EXPECT_EQ(acks.size(), blocks / 64);
      for (const SendWr& ack : acks) {
        EXPECT_EQ(ack.imm_data, 64u);
        EXPECT_TRUE(ack.signaled && ack.solicited);
        EXPECT_EQ(ack.wr_id, 0u);
      }
      EXPECT_TRUE(lab.Posted(0, false).empty());  // pure ACKs are not acknowledged
      EXPECT_EQ(lab.programs[1].read, size);
      EXPECT_EQ(lab.programs[1].wrong, 0u);
    });
  }
}

/// Data in both directions at once, with random pieces, windows, blocks, delays and losses.
TEST(BrpcEndpoint, brings_random_writes_once_in_order_within_its_windows) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    InChild([&] {
      Dice dice(seed);
      std::array<BrpcEndParameters, 2> p;
      for (BrpcEndParameters& end : p) {
        end.queues = {static_cast<int>(dice.Between(16, 200)), static_cast<int>(dice.Between(16, 200))};
        end.block = static_cast<uint32_t>(dice.OneOf({992, 4064, 8160}));
      }
      const Time delay = Nanoseconds(dice.OneOf({100, 2'000, 30'000}));
      const double loss = dice.OneIn(3) ? 1e-3 : 0;
      BrpcLab lab(StarScenario(2, Link(25, delay, loss)), p[0], p[1]);
      std::array<uint64_t, 2> most{};  // data on their way
      for (int at = 0; at < 2; ++at) {
        BrpcProgram& program = lab.programs[at];
        program.on_read = [&, at] {
          const BrpcFlow& flow = lab.end(at).flow();
          EXPECT_LE(flow.rq_window(), flow.capacity());
          EXPECT_LE(flow.sq_window(), flow.capacity());
          EXPECT_GE(std::min({flow.rq_window(), flow.sq_window(), flow.acks()}), 0);
          if (lab.programs[at].written < 1'000'000 && dice.OneIn(4)) lab.Write(at, dice.Between(1, 20'000));
        };
      }
      for (int piece = 0; piece < 60; ++piece) {
        const int at = static_cast<int>(dice.Between(0, 1));
        lab.Write(at, dice.OneIn(5) ? dice.Between(1, 200'000) : dice.Between(1, 2'000));
        lab.RunFor(Microseconds(dice.Between(0, 40)));
        for (int of = 0; of < 2; ++of) {
          const BrpcEndpoint& end = lab.end(of);
          most[of] = std::max(most[of], lab.programs[of].written - end.unsent() - lab.programs[1 - of].read);
        }
      }
      lab.RunFor(Seconds(3));  // a lost last packet takes a timeout of 67 ms
      for (int at = 0; at < 2; ++at) {
        const BrpcEndpoint& end = lab.end(at);
        EXPECT_EQ(end.state(), BrpcEndpoint::State::rdma) << seed;
        EXPECT_EQ(lab.programs[1 - at].read, lab.programs[at].written) << seed;
        EXPECT_EQ(lab.programs[at].wrong, 0u);
        EXPECT_EQ(end.unsent() + end.unread(), 0u);
        EXPECT_LE(most[at], static_cast<uint64_t>(end.flow().capacity()) * p[1 - at].block);
        // All windows are open again, except for those that the peer need not return yet.
        EXPECT_EQ(end.flow().rq_window() + static_cast<int>(lab.end(1 - at).flow().reposted()),
                  end.flow().capacity());
        EXPECT_EQ(end.flow().acks(), BrpcFlow::kReserved);
        EXPECT_GT(end.flow().sq_window(), end.flow().capacity() - end.flow().capacity() / 4);
      }
    });
  }
}

TEST(BrpcEndpoint, keeps_at_most_a_window_on_its_way) {
  InChild([] {
    const Time delay = Microseconds(500);
    BrpcLab lab(StarScenario(2, Link(100, delay)));
    lab.Write(0, 20'000'000);
    lab.RunFor(Milliseconds(1));
    EXPECT_EQ(lab.Posted(0, true).size(), 125u);  // 1,020,000 B: the first acknowledgement is on its way
    EXPECT_EQ(lab.programs[0].written - lab.end(0).unsent(), 1'020'000u);
    lab.RunFor(Milliseconds(10));
    // There is at most a window in each round trip of 2 ms, over two links each way.
    EXPECT_LE(lab.programs[1].read, 6 * 1'020'000u);
    EXPECT_GE(lab.programs[1].read, 3 * 64 * 8160u);
  });
}

/// The rules of the page, checked in the list of posted requests.
TEST(BrpcEndpoint, asks_for_events_as_its_rules_say) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    InChild([&] {
      Dice dice(seed);
      BrpcLab lab(StarScenario(2, Link()));
      lab.RunFor(Microseconds(100));
      // One write begins; those after it make one batch of at most 256.
      std::vector<uint64_t> sizes;
      for (int i = 0; i < 200; ++i) {
        sizes.push_back(
            static_cast<uint64_t>(dice.OneIn(3) ? dice.Between(8000, 9000) : dice.Between(1, 600)));
        lab.Write(0, sizes.back());
      }
      lab.RunFor(Milliseconds(10));
      const std::vector<SendWr> data = lab.Posted(0, true);
      ASSERT_LT(data.size(), 125u);  // the window has not closed
      const uint64_t last_begins = std::accumulate(sizes.begin(), sizes.end() - 1, uint64_t{0});
      uint64_t position = 0;
      int quiet = 0;
      for (size_t i = 0; i < data.size(); ++i) {
        const bool of_first = position < sizes[0];
        position += data[i].sge.length;
        const bool expected = of_first || position > last_begins || quiet > 31;
        EXPECT_EQ(data[i].solicited, expected) << i;
        quiet = expected ? 0 : quiet + 1;
      }
    });
  }
}

TEST(BrpcEndpoint, wakes_the_peer_only_for_what_asks_for_it) {
  InChild([] {
    BrpcEndParameters free;  // this end polls at once, so that no event covers another
    free.costs.completion = free.costs.wake = free.costs.turn = Time(0);
    BrpcLab lab(StarScenario(2, Link()), {}, free);
    lab.RunFor(Microseconds(100));
    for (int i = 0; i < 100; ++i) lab.Write(0, 100);
    lab.RunFor(Milliseconds(1));
    EXPECT_EQ(lab.programs[1].read, 10'000u);
    // There is 1 write, then 99 in 2 work requests, of which the second ends the batch.
    EXPECT_EQ(lab.Posted(0, true).size(), 3u);
    EXPECT_EQ(lab.end(1).counters().events, 2u);
    EXPECT_EQ(lab.end(1).counters().copied, 1u);  // only the first is below 512 B
  });
}

TEST(BrpcEndpoint, takes_a_byte_on_tcp_as_an_error_once_rdma_is_on) {
  InChild([] {
    BrpcLab lab(StarScenario(2, Link()));
    lab.RunFor(Milliseconds(1));
    const std::vector<uint8_t> byte{1};
    lab.end(0).tcp().Write(byte);
    lab.RunFor(Milliseconds(1));
    for (int at = 0; at < 2; ++at) {
      EXPECT_EQ(lab.end(at).state(), BrpcEndpoint::State::ended);
      EXPECT_EQ(lab.programs[at].failures, 1);
    }
  });
}

TEST(BrpcEndpoint, ends_with_its_queue_pair_and_does_not_fall_back) {
  InChild([] {
    BrpcLab lab(StarScenario(2, Link()));
    lab.RunFor(Milliseconds(1));
    lab.lose = [](NodeId, const Frame& f) { return f.kind == FrameKind::data; };
    lab.Write(0, 10'000);
    lab.RunFor(Seconds(2));  // 8 timeouts of 67 ms
    for (int at = 0; at < 2; ++at) {
      EXPECT_EQ(lab.end(at).state(), BrpcEndpoint::State::ended);
      EXPECT_EQ(lab.programs[at].failures, 1);
    }
  });
}

TEST(BrpcEndpoint, ends_when_the_peer_closes) {
  InChild([] {
    BrpcLab lab(StarScenario(2, Link()));
    lab.RunFor(Milliseconds(1));
    lab.end(0).Close();
    lab.RunFor(Milliseconds(1));
    EXPECT_EQ(lab.programs[0].ended, 0);
    EXPECT_EQ(lab.programs[1].ended, 1);
    EXPECT_EQ(lab.end(1).state(), BrpcEndpoint::State::ended);
  });
}

}  // namespace
}  // namespace headroom::brpc_endpoint_test
