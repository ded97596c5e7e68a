// Shares of greedy queues compared with closed forms. B is the size of a pool's shared part. k is the number
// of queues of one priority that are always full, and drain at their ports' rates.
#include "switch/buffer/policy/buffer_policy.h"

#include <gtest/gtest.h>

#include "switch/buffer/shared_buffer.h"

namespace headroom::buffer_policy_test {
namespace {

using Type = BufferPolicyParameters::Type;
constexpr int64_t kShared = 3'000'000;
constexpr uint32_t kCell = 480;  // with 20 B more on the wire it takes 40 ns at 100 Gb/s

/// Lossless groups have their own pool at ingress, lossy queues have one at egress, both with the same alpha.
BufferParameters Pools(double alpha, const BufferPolicyParameters& policy) {
  BufferParameters b;
  b.size = Bytes(4 * kShared);
  b.cell = Bytes(kCell);
  b.pools = {{"in", BufferPool::Type::ingress, BufferPool::Mode::dynamic, Bytes(kShared), Bytes(kShared)},
             {"out", BufferPool::Type::egress, BufferPool::Mode::dynamic, Bytes(kShared), Bytes()},
             {"free", BufferPool::Type::egress, BufferPool::Mode::fixed, Bytes(4 * kShared), Bytes()},
             {"free_in", BufferPool::Type::ingress, BufferPool::Mode::fixed, Bytes(4 * kShared), Bytes()}};
  BufferProfile lossless{"gl", "in", Bytes(), {}, {}, Bytes(kShared), Bytes(), Bytes()};
  BufferProfile lossy{"qy", "out", Bytes(), {}, {}, {}, Bytes(), Bytes()};
  lossless.alpha = lossy.alpha = alpha;
  b.profiles = {lossless,
                {"gy", "free_in", Bytes(), {}, Bytes(4 * kShared), {}, Bytes(), Bytes()},
                {"ql", "free", Bytes(), {}, Bytes(4 * kShared), {}, Bytes(), Bytes()},
                lossy};
  b.lossless_group = "gl";
  b.lossy_group = "gy";
  b.lossless_queue = "ql";
  b.lossy_queue = "qy";
  b.policy = policy;
  return b;
}

constexpr uint8_t kLossless = 3, kLossy = 1;

class Greedy {
 public:
  Greedy(const BufferParameters& parameters, uint32_t ports) {
    std::vector<BufferPort> all;
    for (uint32_t i = 0; i < ports; ++i)
      all.push_back({"p" + std::to_string(i), GigabitsPerSecond(100), Nanoseconds(10)});
    TrafficClasses classes;
    classes[kLossless] = {.name = "rdma", .priority = kLossless, .lossless = true};
    classes[kLossy] = {.name = "tcp", .priority = kLossy};
    buffer_->SetClock([this] { return now_; });
    buffer_->Setup(parameters, all, classes);
  }

  /// Each of `k` ports from `first` on is offered two frames of one class for each that leaves. A paused
  /// group is offered none.
  void Run(int rounds, uint8_t priority, uint32_t first, uint32_t k) {
    for (int round = 0; round < rounds; ++round, now_ += Nanoseconds(40)) {
      for (int twice = 0; twice < 2; ++twice)
        for (uint32_t i = first; i < first + k; ++i) {
          if (priority == kLossless && buffer_->xoff(i, priority)) continue;
          held_[i] += buffer_->Admit({i, i, priority, priority}, kCell).admitted;
        }
      for (uint32_t i = first; i < first + k; ++i) {
        if (held_[i] == 0) continue;
        buffer_->Release({i, i, priority, priority}, kCell);
        --held_[i];
      }
    }
  }
  int64_t queue(uint32_t port) const { return buffer_->queue_used(port, kLossy); }
  int64_t group(uint32_t port) const { return buffer_->group_used(port, kLossless); }
  const SharedBuffer& buffer() const { return *buffer_; }

 private:
  ns3::Ptr<SharedBuffer> buffer_ = ns3::CreateObject<SharedBuffer>();
  std::map<uint32_t, int> held_;
  Time now_;
};

/// The share of each of k queues.
double Share(Type type, double alpha, double k) {
  switch (type) {
    case Type::dynamic:
      return alpha / (1 + alpha * k);
    case Type::complete_sharing:
      return 1 / k;
    case Type::fixed:
      return 0.05;
    case Type::abm:
    case Type::reverie:
      break;
  }
  return alpha / (k * (1 + alpha));
}

TEST(BufferPolicy, GreedyQueuesShareAsTheirClosedForms) {
  for (const Type type : {Type::dynamic, Type::fixed, Type::complete_sharing, Type::abm, Type::reverie}) {
    for (const double alpha : {0.5, 1.0, 0.37}) {
      for (const uint32_t k : {1u, 4u, 16u}) {
        SCOPED_TRACE(testing::Message() << NameOf(type) << ", alpha " << alpha << ", " << k << " queues");
        Greedy greedy(Pools(alpha, {.type = type, .limit = Bytes(kShared / 20), .gamma = 0.99}), k);
        greedy.Run(9'000, kLossy, 0, k);
        const double share = Share(type, alpha, k) * kShared;
        // With a filtered length some queues may be off by some cells, but not all of them.
        const double each = type == Type::reverie ? 6 * kCell : 2 * kCell;
        double mean = 0;
        for (uint32_t i = 0; i < k; ++i) {
          EXPECT_NEAR(static_cast<double>(greedy.queue(i)), share, each) << "queue " << i;
          mean += static_cast<double>(greedy.queue(i)) / k;
        }
        EXPECT_NEAR(mean, share, 2 * kCell);
      }
    }
  }
}

TEST(BufferPolicy, LosslessGroupsPauseAtTheirClosedForms) {
  for (const Type type : {Type::dynamic, Type::fixed, Type::complete_sharing, Type::abm, Type::reverie}) {
    for (const uint32_t k : {1u, 8u}) {
      SCOPED_TRACE(testing::Message() << NameOf(type) << ", " << k << " groups");
      Greedy greedy(Pools(0.5, {.type = type, .limit = Bytes(kShared / 20), .gamma = 0.99}), k);
      greedy.Run(9'000, kLossless, 0, k);
      for (uint32_t i = 0; i < k; ++i)
        EXPECT_NEAR(static_cast<double>(greedy.group(i)), Share(type, 0.5, k) * kShared, 3 * kCell)
            << "group " << i;
    }
  }
}

}  // namespace
}  // namespace headroom::buffer_policy_test
