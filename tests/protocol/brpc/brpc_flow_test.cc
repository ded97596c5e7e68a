// bRPC's windows and flags compared with a simple account of the messages sent and returned.
#include "protocol/brpc/brpc_flow.h"

#include <gtest/gtest.h>

#include <deque>

#include "support/dice.h"

namespace headroom::brpc_flow_test {
namespace {

/// Two ends and the messages between them, as lists. Its entry for an end is that end's own state.
struct Naive {
  std::deque<uint32_t> to_peer;  ///< the count in each message on its way; kPure more if it is pure
  std::deque<uint32_t>
      uncompleted;    ///< for each work request with data, how many requests its completion covers
  int pure = 0;       ///< ACKs that have not completed
  int in_flight = 0;  ///< data that the peer has not read
  int untold = 0;     ///< data that it has read; their count is here or on its way
  // State of the solicited rules.
  int quiet = 0, quiet_acks = 0;
  int64_t quiet_bytes = 0;
  int since_signal = 0;
};
constexpr uint32_t kPure = 1u << 16;

class Exchange {
 public:
  Exchange(Dice& dice, BrpcQueues a, BrpcQueues b)
      : dice_(dice), queues_{a, b}, flows_{BrpcFlow(a, b), BrpcFlow(b, a)} {}

  void Step() {
    const int at = static_cast<int>(dice_.Between(0, 1));
    switch (dice_.Between(0, 3)) {
      case 0:
        return Send(at);
      case 1:
        return Take(at);
      default:
        return Complete(at);
    }
  }
  void Drain() {
    while (!ends_[0].to_peer.empty() || !ends_[1].to_peer.empty() || ends_[0].pure + ends_[1].pure > 0) {
      for (const int at : {0, 1}) {
        Take(at);
        CompletePure(at);
      }
    }
  }
  BrpcFlow& flow(int at) { return flows_[at]; }
  uint64_t sent = 0, pure = 0;

 private:
  int Capacity(int at) const { return std::min(queues_[at].sq, queues_[1 - at].rq) - 3; }

  void Send(int at) {
    BrpcFlow& flow = flows_[at];
    Naive& own = ends_[at];
    if (!flow.Writable()) {
      const bool closed = own.in_flight + own.untold == Capacity(at);
      EXPECT_TRUE(closed || own.uncompleted.size() == static_cast<size_t>(Capacity(at)));
      return;
    }
    const int c = Capacity(at), peer_c = Capacity(1 - at);
    const auto bytes = static_cast<uint32_t>(dice_.Between(1, 200'000));
    const bool last = dice_.OneIn(8);
    const int owed = static_cast<int>(flow.reposted());
    const bool closing =
        own.in_flight + own.untold == c - 1 || own.uncompleted.size() == static_cast<size_t>(c - 1);
    const bool expected =
        last || closing || own.quiet > c / 4 || own.quiet_acks > peer_c / 4 || own.quiet_bytes > 1'048'576;
    const BrpcFlow::Data data = flow.OnData(bytes, last);
    EXPECT_EQ(data.solicited, expected);
    EXPECT_EQ(data.imm, static_cast<uint32_t>(owed));
    own.quiet = expected ? 0 : own.quiet + 1;
    own.quiet_acks = expected ? 0 : own.quiet_acks + owed;
    own.quiet_bytes = expected ? 0 : own.quiet_bytes + bytes;
    EXPECT_EQ(data.completes > 0, ++own.since_signal == c / 4);
    if (data.completes > 0) {
      EXPECT_EQ(data.completes, static_cast<uint32_t>(own.since_signal));
      own.since_signal = 0;
    }
    own.uncompleted.push_back(data.completes);
    own.to_peer.push_back(data.imm);
    ++own.in_flight;
    ++sent;
    Check();
  }

  void PostPure(int at, uint32_t imm) {
    if (imm == 0) return;
    EXPECT_GT(imm, static_cast<uint32_t>(Capacity(1 - at) / 2));
    ++ends_[at].pure;
    ends_[at].to_peer.push_back(imm + kPure);
    ++pure;
  }

  /// The peer of `at` takes its next message.
  void Take(int at) {
    Naive& own = ends_[at];
    if (own.to_peer.empty()) return;
    const uint32_t message = own.to_peer.front();
    own.to_peer.pop_front();
    const uint32_t imm = message % kPure;
    BrpcFlow& peer = flows_[1 - at];
    if (imm > 0) {
      const int before = peer.rq_window(), threshold = Capacity(1 - at) / 8;
      const bool wakes = peer.OnImm(imm);
      EXPECT_EQ(wakes, peer.sq_window() > 0 && (before >= threshold || static_cast<int>(imm) >= threshold));
      ends_[1 - at].untold -= static_cast<int>(imm);
    }
    if (message < kPure) {
      --own.in_flight;
      ++own.untold;
      PostPure(1 - at, peer.OnReposted());
    }
    Check();
  }

  void CompletePure(int at) {
    if (ends_[at].pure == 0) return;
    --ends_[at].pure;
    PostPure(at, flows_[at].OnAckSent());
  }
  void Complete(int at) {
    if (dice_.OneIn(3)) return CompletePure(at);
    Naive& own = ends_[at];
    if (own.uncompleted.empty()) return;
    // Completes the next signaled request, and those before it.
    size_t n = 0;
    while (n < own.uncompleted.size() && own.uncompleted[n] == 0) ++n;
    if (n == own.uncompleted.size()) return;
    EXPECT_EQ(own.uncompleted[n], n + 1);
    flows_[at].OnSent(own.uncompleted[n]);
    own.uncompleted.erase(own.uncompleted.begin(), own.uncompleted.begin() + static_cast<ptrdiff_t>(n) + 1);
    Check();
  }

  void Check() {
    for (const int at : {0, 1}) {
      const Naive& own = ends_[at];
      EXPECT_EQ(flows_[at].rq_window(), Capacity(at) - own.in_flight - own.untold);
      EXPECT_EQ(flows_[at].sq_window(), Capacity(at) - static_cast<int>(own.uncompleted.size()));
      EXPECT_GE(std::min(flows_[at].rq_window(), flows_[at].sq_window()), 0);
      EXPECT_EQ(flows_[at].acks(), 3 - own.pure);
      EXPECT_GE(flows_[at].acks(), 0);
    }
  }

  Dice& dice_;
  std::array<BrpcQueues, 2> queues_;
  std::array<BrpcFlow, 2> flows_;
  std::array<Naive, 2> ends_;
};

TEST(BrpcFlow, agrees_with_a_plain_account_of_random_exchanges) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Dice dice(seed);
    const auto queues = [&] {
      return BrpcQueues{static_cast<int>(dice.Between(16, 160)), static_cast<int>(dice.Between(16, 160))};
    };
    const BrpcQueues a = queues(), b = queues();
    Exchange exchange(dice, a, b);
    for (int i = 0; i < 3000; ++i) exchange.Step();
    exchange.Drain();
    if (::testing::Test::HasFailure()) FAIL() << "seed " << seed;
    EXPECT_GT(exchange.sent, 50u);
  }
}

/// A one-way stream is acknowledged in groups of 64 if queues have 128 entries.
TEST(BrpcFlow, acknowledges_a_one_way_stream_by_64) {
  const BrpcQueues queues;
  BrpcFlow from(queues, queues), to(queues, queues);
  int acks = 0;
  uint32_t signaled = 0;
  for (int i = 1; i <= 1000; ++i) {
    ASSERT_TRUE(from.Writable());
    const BrpcFlow::Data data = from.OnData(8160, false);
    signaled += data.completes > 0;
    if (data.completes > 0) from.OnSent(data.completes);
    const uint32_t imm = to.OnReposted();
    if (imm == 0) continue;
    EXPECT_EQ(imm, 64u);
    EXPECT_EQ(i % 64, 0);
    ++acks;
    EXPECT_TRUE(from.OnImm(imm));
    EXPECT_EQ(to.OnAckSent(), 0u);
  }
  EXPECT_EQ(acks, 1000 / 64);
  EXPECT_EQ(signaled, 1000u / 31);
}

/// If no pure ACK is free the count grows, and is sent when the next one completes.
TEST(BrpcFlow, keeps_three_pure_acks_outstanding_at_most) {
  const BrpcQueues queues;
  BrpcFlow to(queues, queues);
  int sent = 0;
  for (int i = 0; i < 3 * 64; ++i) sent += to.OnReposted() > 0;
  EXPECT_EQ(sent, 3);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(to.OnReposted(), 0u);
  EXPECT_EQ(to.OnAckSent(), 100u);
}

/// Without aggregation each work request asks for an event at the peer, and for a completion of itself alone.
TEST(BrpcFlow, without_aggregation_each_work_request_has_an_event_at_both_ends) {
  for (const bool every : {false, true}) {
    BrpcFlow flow({}, {}, every);
    int solicited = 0, signaled = 0;
    for (int i = 0; i < 20; ++i) {
      const BrpcFlow::Data data = flow.OnData(8160, false);
      solicited += data.solicited;
      signaled += data.completes == 1;
    }
    EXPECT_EQ(solicited, every ? 20 : 0);
    EXPECT_EQ(signaled, every ? 20 : 0);
  }
}

}  // namespace
}  // namespace headroom::brpc_flow_test
