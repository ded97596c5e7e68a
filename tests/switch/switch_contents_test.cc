// The contents of a switch's groups, counted from the beginning or examined when a pause begins.
#include <gtest/gtest.h>

#include <random>

#include "support/in_child.h"
#include "switch/buffer/frame_pools.h"
#include "switch/switch_bench.h"

namespace headroom::switch_contents_test {
namespace {

constexpr int kGroup = 3, kTags = 3;

/// Three hosts; a lossless class, with tags 0 to 2 counted separately.
struct Bench {
  Bench() : bench(3, Config(), Pools(), Classes(), kLink) { bench.node->CountContents(Classes(), kTags); }
  static SwitchConfig Config() {
    SwitchConfig c;
    c.name = "s0";
    c.latency = Nanoseconds(500);
    return c;
  }
  static TrafficClasses Classes() {
    TrafficClasses classes;
    classes[kGroup] = {"storage", kGroup, kGroup, true, 1, false};
    return classes;
  }
  static BufferParameters Pools() {
    BufferParameters b = FramePools();
    b.profiles.push_back({"q", "out", Bytes(), {}, Bytes(900'000), {}, Bytes(), Bytes()});
    b.lossless_group = b.lossy_group = "gl";
    b.lossless_queue = b.lossy_queue = "q";
    return b;
  }
  /// Hosts 0 and 1 send to host 2 for half of the next 3 us.
  void Burst() {
    for (int i = 0; i < 30; ++i) {
      const auto from = static_cast<NodeId>(i % 2);
      bench.Send(from, 2, kGroup, 100 + static_cast<uint32_t>(random() % 1100))->tag =
          static_cast<uint8_t>(random() % kTags);
    }
  }
  void ExpectWhatTheBufferHas() {
    for (uint32_t in = 0; in < 2; ++in) {
      int64_t sum = 0;
      for (uint8_t tag = 0; tag < kTags; ++tag)
        sum += bench.node->contents().bytes(in, kGroup, {2, kGroup, tag});
      EXPECT_EQ(sum, bench.buffer().group_used(in, kGroup));
      most = std::max(most, sum);
    }
  }
  /// A pause of 200 ns, after this time.
  void Pause(Time in) {
    const Time begin = EventQueue::Get().now() + in;
    At(begin, [this] {
      bench.node->BeginSpan(0, kGroup);
      ExpectWhatTheBufferHas();
    });
    for (int64_t ns = 10; ns < 200; ns += 10)
      At(begin + Nanoseconds(ns), [this] { ExpectWhatTheBufferHas(); });
    At(begin + Nanoseconds(200), [this] { bench.node->contents().End(0, kGroup); });
  }

  std::mt19937 random{7};
  SwitchBench bench;
  int64_t most = 0;
};

TEST(SwitchContents, AreWhatTheBufferHasWheneverAPauseBegins) {
  // Between pauses between none and about 6000 frames arrive: counting has stopped, or continues.
  InChild([] {
    Bench b;
    Time now;
    for (const int bursts : {1, 2, 200, 3, 150, 160}) {
      for (int i = 0; i < bursts; ++i) {
        b.Burst();
        if (i + 1 == bursts) b.Pause(Nanoseconds(700 + static_cast<int64_t>(b.random() % 1000)));
        RunUntil(now += Microseconds(3));
      }
    }
    EXPECT_GT(b.most, 3 * int64_t{kFrame});
    EXPECT_EQ(b.bench.buffer().resident(), 0);
  });
}

}  // namespace
}  // namespace headroom::switch_contents_test
