// A port under random traffic, compared with a loop that looks at everything each time: strict priorities,
// ready times, pauses, PFC frames.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <set>

#include "support/cable.h"
#include "support/in_child.h"

namespace headroom::port_against_naive_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(40), Nanoseconds(123), Time{}, 0.0};

struct Action {
  Time at;
  enum class What { frame, pause, resume, pfc } what = What::frame;
  int priority = 0;
  uint32_t bytes = 0;
  Time ready;
};

/// Random actions, no two at one instant. With a pipeline every frame is ready this much later, else at
/// random times.
std::vector<Action> RandomActions(uint32_t seed, int count, Time spread, std::optional<Time> pipeline) {
  std::mt19937 random(seed);
  std::set<int64_t> times;
  while (times.size() < static_cast<size_t>(count))
    times.insert(1 + static_cast<int64_t>(random() % static_cast<uint64_t>(spread.v)));
  std::vector<Action> actions;
  std::array<Time, kPriorities> last_ready{};
  for (const int64_t t : times) {
    Action a;
    a.at = Picoseconds(t);
    a.priority = static_cast<int>(random() % kPriorities);
    const uint32_t kind = random() % 10;
    if (kind < 7) {
      a.bytes = 64 + random() % 1400;
      a.ready = pipeline ? a.at + *pipeline
                         : std::max(last_ready[a.priority],
                                    a.at + Picoseconds(random() % 3 == 0 ? random() % 900'000 : 0));
      last_ready[a.priority] = a.ready;
    } else {
      a.what = kind == 7 ? Action::What::pause : kind == 8 ? Action::What::resume : Action::What::pfc;
    }
    actions.push_back(a);
  }
  return actions;
}

/// Returns (number of the frame or −1 for PFC, arrival), computed slowly: one decision after the other, each
/// with a look at all frames.
std::vector<std::pair<int, Time>> Naive(const std::vector<Action>& actions) {
  struct Waiting {
    int number;
    Action frame;
  };
  std::vector<std::pair<int, Time>> out;
  std::vector<Waiting> waiting;
  std::array<bool, kPriorities> paused{};
  int pfc = 0;  // each request is a separate frame: all are on one priority
  int number = 0;
  size_t next = 0;
  Time now, free;
  const auto send = [&](int what, uint32_t bytes) {
    free = now + SerializationTime(Bytes(bytes + 20), kLink.rate);
    out.push_back({what, free + kLink.delay});
  };
  for (;;) {
    // At `now`, all actions up to then are done. Sends what it can send.
    if (now >= free) {
      if (pfc > 0) {
        --pfc;
        send(-1, 64);
      } else {
        auto best = waiting.end();
        std::set<int> heads;
        for (auto w = waiting.begin(); w != waiting.end(); ++w) {
          const int p = w->frame.priority;
          if (!heads.insert(p).second || paused[p] || w->frame.ready > now) continue;
          if (best == waiting.end() || p > best->frame.priority) best = w;
        }
        if (best != waiting.end()) {
          const Waiting chosen = *best;
          waiting.erase(best);
          send(chosen.number, chosen.frame.bytes);
        }
      }
    }
    // Goes on to the next instant at which anything can change.
    Time then = next < actions.size() ? actions[next].at : kNever;
    if (free > now) then = std::min(then, free);
    for (const Waiting& w : waiting) {
      if (w.frame.ready > now) then = std::min(then, w.frame.ready);
    }
    if (then == kNever) return out;
    now = then;
    for (; next < actions.size() && actions[next].at == now; ++next) {
      const Action& a = actions[next];
      switch (a.what) {
        case Action::What::frame:
          waiting.push_back({number++, a});
          break;
        case Action::What::pause:
          paused[a.priority] = true;
          break;
        case Action::What::resume:
          paused[a.priority] = false;
          break;
        case Action::What::pfc:
          ++pfc;
          break;
      }
    }
  }
}

void ExpectServiceAsNaive(uint32_t seed, Time spread, std::optional<Time> pipeline) {
  {
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", spread over " << spread.v << " ps");
    std::vector<Action> actions = RandomActions(seed, 1000, spread, pipeline);
    for (int p = 0; p < kPriorities; ++p) {  // at the end all frames may leave
      actions.push_back({actions.back().at + Nanoseconds(1), Action::What::resume, p, 0, Time{}});
    }
    const auto expected = Naive(actions);
    InChild([&] {
      TrafficClasses classes = EqualClasses();
      for (auto& c : classes) c.strict = true;
      Cable cable(kLink, classes);
      if (pipeline) cable.a->SetPipeline(*pipeline);
      for (const Action& a : actions) {
        At(a.at, [&cable, a] {
          switch (a.what) {
            case Action::What::frame:
              return cable.Send(a.priority, a.bytes, a.ready);
            case Action::What::pause:
              return cable.a->SetPaused(a.priority, true);
            case Action::What::resume:
              return cable.a->SetPaused(a.priority, false);
            case Action::What::pfc:
              return cable.a->SendPfc(1, 0, 1);
          }
        });
      }
      RunUntil(Seconds(1));
      std::vector<std::pair<int, Time>> got;
      for (const auto& f : cable.at_b.arrivals) got.push_back({static_cast<int>(f.number), f.at});
      for (const auto& f : cable.at_b.pfc) got.push_back({-1, f.at});
      std::sort(got.begin(), got.end(), [](const auto& x, const auto& y) { return x.second < y.second; });
      ASSERT_EQ(got.size(), expected.size());
      for (size_t i = 0; i < got.size(); ++i) {
        ASSERT_EQ(got[i].first, expected[i].first) << "at place " << i;
        ASSERT_EQ(got[i].second, expected[i].second) << "at place " << i;
      }
    });
  }
}

TEST(Port, ServesAsALoopThatLooksAtEverything) {
  for (const uint32_t seed : {1u, 2u, 3u, 4u}) ExpectServiceAsNaive(seed, Microseconds(200), std::nullopt);
}

TEST(Port, ServesAsThatLoopBehindAPipeline) {
  // The load goes from overload to a frame now and then: wake-ups belong to a frame, to the transmission
  // before it, or are absent.
  for (const uint32_t seed : {1u, 2u, 3u, 4u, 5u, 6u}) {
    for (const int64_t us : {50, 100, 200, 400, 2000}) {
      for (const int64_t pipeline_ns : {20, 150, 500, 2000}) {
        ExpectServiceAsNaive(seed, Microseconds(us), Nanoseconds(pipeline_ns));
      }
    }
  }
}

TEST(Port, CountsWhatItCarries) {
  // Bytes enqueued = bytes sent + bytes waiting, by priority, at every step.
  InChild([] {
    Cable cable(kLink);
    std::mt19937 random(1);
    std::array<int64_t, kPriorities> enqueued{};
    std::array<int64_t, kPriorities> peak{};
    for (int i = 0; i < 2000; ++i) {
      const int p = static_cast<int>(random() % kPriorities);
      const uint32_t bytes = 64 + random() % 1400;
      peak[p] = std::max(peak[p], cable.a->queue(p).bytes + bytes);
      cable.Send(p, bytes, Time{}, random() % 2 == 0 ? FrameKind::data : FrameKind::ack);
      enqueued[p] += bytes;
      for (int q = 0; q < kPriorities; ++q) {
        ASSERT_EQ(enqueued[q], static_cast<int64_t>(cable.a->counters(q).tx_bytes) + cable.a->queue(q).bytes);
        ASSERT_EQ(cable.a->peak_queue(q), peak[q]);
      }
      RunUntil(EventQueue::Get().now() + Picoseconds(1 + random() % 200'000));
    }
    RunUntil(Seconds(1));
    uint64_t packets = 0, data = 0;
    for (int p = 0; p < kPriorities; ++p) {
      EXPECT_EQ(cable.b->counters(p).rx_bytes, cable.a->counters(p).tx_bytes);
      EXPECT_EQ(cable.b->counters(p).rx_packets, cable.a->counters(p).tx_packets);
      packets += cable.a->counters(p).tx_packets;
      data += cable.a->counters(p).data_tx_packets;
    }
    EXPECT_EQ(packets, 2000u);
    EXPECT_GT(data, 900u);
    EXPECT_LT(data, 1100u);
    cable.a->ResetPeaks();
    EXPECT_EQ(cable.a->peak_queue(0), 0);
  });
}

TEST(Port, StrictTrafficIsNotChargedForEver) {
  // 2.4 GB of strict traffic pass while another frame is always waiting: more than a 32-bit credit could
  // hold.
  InChild([] {
    TrafficClasses classes = EqualClasses();
    classes[6].strict = true;
    Cable cable(kLink, classes);
    for (int i = 0; i < 40'000; ++i) cable.Send(6, 60'000);
    cable.Send(1, 1000);
    RunUntil(Seconds(10));
    ASSERT_EQ(cable.at_b.arrivals.size(), 40'001u);
    EXPECT_EQ(cable.at_b.arrivals.back().priority, 1);
  });
}

}  // namespace
}  // namespace headroom::port_against_naive_test
