#include "net/port.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "support/cable.h"
#include "support/in_child.h"

namespace headroom::port_test {
namespace {

using testing::ElementsAre;

// 100 Gb/s, 12.5 B/ns: a frame of 1230 B is 1250 B on the wire, 100 ns; a PFC frame is 84 B, 6.72 ns.
const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(15), Nanoseconds(2), 0.0};
constexpr uint32_t kFrame = 1230;

TEST(Port, TimesAreExact) {
  // 1082 B are 1102 B on the wire: 88.16 ns. Arrival follows 15 + 2 ns of cable and transceivers later, at
  // 105.16 ns; the next frame arrives 88.16 ns later.
  InChild([] {
    Cable cable(kLink);
    cable.Send(3, 1082);
    cable.Send(3, 1082);
    RunUntil(Microseconds(1));
    ASSERT_EQ(cable.at_b.arrivals.size(), 2u);
    EXPECT_EQ(cable.at_b.arrivals[0].at, Picoseconds(105'160));
    EXPECT_EQ(cable.at_b.arrivals[1].at, Picoseconds(105'160 + 88'160));
    EXPECT_EQ(cable.pool.in_use(), 0u);
  });
}

TEST(Port, EveryFrameIsRoundedUpToThePicosecond) {
  // 84 B at 7 Gb/s take 96 ns. 85 B take 97.142857… ns, rounded to 97.143.
  InChild([] {
    Cable cable({GigabitsPerSecond(7), Time{}, Time{}, 0.0});
    for (const uint32_t bytes : {65u, 65u, 64u}) cable.Send(0, bytes);
    RunUntil(Microseconds(1));
    ASSERT_EQ(cable.at_b.arrivals.size(), 3u);
    EXPECT_EQ(cable.at_b.arrivals[0].at, Picoseconds(97'143));
    EXPECT_EQ(cable.at_b.arrivals[1].at, Picoseconds(2 * 97'143));
    EXPECT_EQ(cable.at_b.arrivals[2].at, Picoseconds(2 * 97'143 + 96'000));
  });
}

TEST(Port, AWideGapCountsInFull) {
  // Another simulator's frames: 300 B of gap and 700 B of frame take 80 ns.
  InChild([] {
    FrameFormat format;
    format.gap = 300;
    Cable cable({GigabitsPerSecond(100), Time{}, Time{}, 0.0}, EqualClasses(), format);
    cable.Send(0, 700);
    RunUntil(Microseconds(1));
    ASSERT_EQ(cable.at_b.arrivals.size(), 1u);
    EXPECT_EQ(cable.at_b.arrivals[0].at, Nanoseconds(80));
  });
}

TEST(Port, AFrameLeavesNoEarlierThanItIsReady) {
  // Frame 0 is ready at 500 ns; 1, of another priority, at once; 2 waits behind 0 in its queue.
  InChild([] {
    Cable cable(kLink);
    cable.Send(3, kFrame, Nanoseconds(500));
    cable.Send(4, kFrame);
    cable.Send(3, kFrame, Nanoseconds(500));
    RunUntil(Microseconds(1));
    EXPECT_THAT(cable.at_b.Numbers(), ElementsAre(1, 0, 2));
    EXPECT_EQ(cable.at_b.arrivals[0].at, Nanoseconds(117));
    EXPECT_EQ(cable.at_b.arrivals[1].at, Nanoseconds(617));
    EXPECT_EQ(cable.at_b.arrivals[2].at, Nanoseconds(717));
  });
}

TEST(Port, AFrameThatBecomesReadyDuringAnotherWaitsForItsEnd) {
  InChild([] {
    Cable cable(kLink);
    cable.Send(3, kFrame);
    cable.Send(4, kFrame, Nanoseconds(30));
    cable.Send(5, kFrame, Nanoseconds(250));
    RunUntil(Microseconds(1));
    ASSERT_EQ(cable.at_b.arrivals.size(), 3u);
    EXPECT_EQ(cable.at_b.arrivals[1].at, Nanoseconds(217));
    EXPECT_EQ(cable.at_b.arrivals[2].at, Nanoseconds(367));
  });
}

TEST(Port, StrictGoesFirstTheHigherNumberBeforeTheLower) {
  // Frame 0 is on the wire when all others arrive.
  InChild([] {
    TrafficClasses classes = EqualClasses();
    classes[5].strict = classes[6].strict = true;
    Cable cable(kLink, classes);
    cable.Send(3, kFrame);
    cable.Send(3, kFrame);
    cable.Send(5, kFrame);
    cable.Send(7, kFrame);
    cable.Send(6, kFrame);
    cable.Send(5, kFrame);
    cable.Send(6, kFrame);
    RunUntil(Microseconds(2));
    const auto order = cable.at_b.Numbers();
    ASSERT_EQ(order.size(), 7u);
    EXPECT_THAT(std::vector<uint32_t>(order.begin(), order.begin() + 5), ElementsAre(0, 4, 6, 2, 5));
  });
}

/// Bytes that arrived, by priority, after each frame.
std::map<int, int64_t> Served(const Listener& listener, size_t from, size_t to) {
  std::map<int, int64_t> bytes;
  for (size_t i = from; i < to; ++i) bytes[listener.arrivals[i].priority] += listener.arrivals[i].bytes;
  return bytes;
}

TEST(Port, WeightsShareTheBytesWithinATurnAtEveryMoment) {
  // Weights are 1 and 3, and frames have all sizes. A turn is 2048 B per unit of weight, and at most one
  // frame may overdraw it. So three times the bytes of priority 1 differ from those of priority 2 by at most
  // 3 × (2048 + 1500) B at any moment.
  InChild([] {
    TrafficClasses classes = EqualClasses();
    classes[2].weight = 3;
    Cable cable(kLink, classes);
    std::mt19937 random(7);
    for (int i = 0; i < 4000; ++i) {
      cable.Send(1, 64 + random() % 1437);
      for (int k = 0; k < 3; ++k) cable.Send(2, 64 + random() % 1437);
    }
    RunUntil(Microseconds(500));
    const auto& arrivals = cable.at_b.arrivals;
    ASSERT_GT(arrivals.size(), 5'000u);
    ASSERT_LT(arrivals.size(), 12'000u);  // both are still waiting
    int64_t one = 0, three = 0;
    for (size_t i = 1; i < arrivals.size(); ++i) {  // the first frame left alone
      (arrivals[i].priority == 1 ? one : three) += arrivals[i].bytes;
      ASSERT_LE(std::abs(3 * one - three), 3 * (2048 + 1500));
    }
    EXPECT_NEAR(static_cast<double>(one) / static_cast<double>(one + three), 0.25, 0.001);
  });
}

TEST(Port, WhereTurnsCountPacketsTheirSizesDoNotMatter) {
  // With weights 1 and 3 in packets, frames of 1500 B and of 64 B leave as 1 to 3, whichever priority has
  // which.
  InChild([] {
    Cable cable(kLink);
    std::array<QueueScheduling, kPriorities> queues;
    queues[1] = {QueueScheduling::Kind::wrr, 1};
    queues[2] = {QueueScheduling::Kind::wrr, 3};
    cable.a->SetScheduling(queues);
    for (int i = 0; i < 1000; ++i) cable.Send(1, 1500);
    for (int i = 0; i < 3000; ++i) cable.Send(2, 64);
    RunUntil(Microseconds(50));
    const auto& arrivals = cable.at_b.arrivals;
    ASSERT_GT(arrivals.size(), 1'000u);
    ASSERT_LT(arrivals.size(), 3'000u);  // both are still waiting
    int one = 0, three = 0;
    for (size_t i = 1; i < arrivals.size(); ++i) {  // the first frame left alone
      ++(arrivals[i].priority == 1 ? one : three);
      ASSERT_LE(std::abs(3 * one - three), 3);
    }
  });
}

TEST(Port, AFewBytesOfWeightCarryFramesLargerThanTheTurn) {
  // Frames of 9018 B and frames of 64 B have equal weights: they get equal bytes.
  InChild([] {
    Cable cable(kLink);
    for (int i = 0; i < 200; ++i) cable.Send(1, 9018);
    for (int i = 0; i < 30'000; ++i) cable.Send(2, 64);
    RunUntil(Microseconds(200));
    auto served = Served(cable.at_b, 1, cable.at_b.arrivals.size());  // the first frame left alone
    EXPECT_GT(served[1], 500'000);
    EXPECT_NEAR(static_cast<double>(served[1]), static_cast<double>(served[2]), 2048 + 9018);
  });
}

TEST(Port, NoOneSavesUpItsTurnsWhileItIsIdle) {
  // Priority 1 is silent for 100 us, in which 2 sends alone; from then on both get half.
  InChild([] {
    Cable cable(kLink);
    for (int i = 0; i < 3000; ++i) cable.Send(2, kFrame);
    cable.Send(1, kFrame);
    At(Microseconds(100), [&] {
      for (int i = 0; i < 1000; ++i) cable.Send(1, kFrame);
    });
    RunUntil(Microseconds(150));
    auto served = Served(cable.at_b, 1001, cable.at_b.arrivals.size());
    EXPECT_GT(served[1], 100'000);
    EXPECT_NEAR(static_cast<double>(served[1]), static_cast<double>(served[2]), 2 * (2048 + kFrame));
  });
}

TEST(Port, APausedPriorityFinishesItsFrameAndTheOthersGoOn) {
  // Frames 0, 1 and 2 have priority 3, frames 3 and 4 priority 4. Priority 3 is paused from 50 ns, in the
  // middle of frame 0, until 450 ns.
  InChild([] {
    Cable cable(kLink);
    for (int i = 0; i < 3; ++i) cable.Send(3, kFrame);
    At(Nanoseconds(50), [&] {
      cable.a->SetPaused(3, true);
      cable.Send(4, kFrame);
      cable.Send(4, kFrame);
    });
    At(Nanoseconds(450), [&] { cable.a->SetPaused(3, false); });
    RunUntil(Microseconds(1));
    EXPECT_THAT(cable.at_b.Numbers(), ElementsAre(0, 3, 4, 1, 2));
    EXPECT_EQ(cable.at_b.arrivals[2].at, Nanoseconds(317));
    EXPECT_EQ(cable.at_b.arrivals[3].at, Nanoseconds(450 + 117));
  });
}

TEST(Port, PfcOvertakesAllQueuesAfterTheFrameOnTheWire) {
  // Frame 0 has left at 100 ns, then the PFC frame, requested at 50 ns, leaves until 106.72 ns, then frame 1
  // until 206.72 ns.
  InChild([] {
    TrafficClasses classes = EqualClasses();
    classes[6].strict = true;
    Cable cable(kLink, classes);
    cable.Send(6, kFrame);
    cable.Send(6, kFrame);
    cable.a->SetPaused(3, true);
    At(Nanoseconds(50), [&] { cable.a->SendPfc(1 << 3, 0, 65535); });
    RunUntil(Microseconds(1));
    EXPECT_THAT(cable.at_b.pfc, ElementsAre(Listener::Pfc{Picoseconds(106'720 + 17'000), 1 << 3, 0, 65535}));
    ASSERT_EQ(cable.at_b.arrivals.size(), 2u);
    EXPECT_EQ(cable.at_b.arrivals[1].at, Picoseconds(206'720 + 17'000));
    EXPECT_EQ(cable.a->statistics().pause_frames(3), 1u);
    EXPECT_EQ(cable.a->statistics().resume_frames(3), 0u);
  });
}

TEST(Port, PfcThatWaitsSharesAFrameButNoPauseIsTakenBackUnsaid) {
  // Requests during a frame: XOFF of 3 and 4, then XON of 3, then XOFF of 5. The first frame carries XOFF 3
  // and 4, the second XON 3 and XOFF 5: both sides count the same pauses.
  InChild([] {
    Cable cable(kLink);
    cable.Send(0, kFrame);
    At(Nanoseconds(10), [&] { cable.a->SendPfc((1 << 3) | (1 << 4), 0, 100); });
    At(Nanoseconds(20), [&] { cable.a->SendPfc(0, 1 << 3, 100); });
    At(Nanoseconds(30), [&] { cable.a->SendPfc(1 << 5, 0, 100); });
    RunUntil(Microseconds(1));
    ASSERT_EQ(cable.at_b.pfc.size(), 2u);
    EXPECT_EQ(cable.at_b.pfc[0].xoff, (1 << 3) | (1 << 4));
    EXPECT_EQ(cable.at_b.pfc[0].xon, 0);
    EXPECT_EQ(cable.at_b.pfc[1].xoff, 1 << 5);
    EXPECT_EQ(cable.at_b.pfc[1].xon, 1 << 3);
    EXPECT_EQ(cable.a->statistics().pause_frames(3), 1u);
    EXPECT_EQ(cable.a->statistics().pause_frames(4), 1u);
    EXPECT_EQ(cable.a->statistics().resume_frames(3), 1u);
    EXPECT_EQ(cable.b->statistics().pfc_frames_received(3), 2u);  // one frame that pauses, one that resumes
    EXPECT_EQ(cable.b->statistics().pfc_frames_received(4), 1u);
    EXPECT_EQ(cable.b->statistics().pfc_frames_received(5), 1u);
    EXPECT_EQ(cable.b->statistics().pfc_frames_received(0), 0u);
  });
}

TEST(Port, AnIdlePortSendsPfcAtOnceThoughEverythingIsPaused) {
  InChild([] {
    Cable cable(kLink);
    for (int p = 0; p < kPriorities; ++p) {
      cable.a->SetPaused(p, true);
      cable.Send(p, kFrame);
    }
    At(Nanoseconds(40), [&] { cable.a->SendPfc(0xff, 0, 1); });
    RunUntil(Microseconds(1));
    ASSERT_EQ(cable.at_b.pfc.size(), 1u);
    EXPECT_EQ(cable.at_b.pfc[0].at, Picoseconds(40'000 + 6'720 + 17'000));
    EXPECT_TRUE(cable.at_b.arrivals.empty());
  });
}

/// Makes frames of one priority on request.
class Spring final : public FrameSource {
 public:
  Spring(FramePool& pool, int count) : pool_(pool), count_(count) {}
  Frame* Pull(Port&, int priority) override {
    pulled_at.push_back(EventQueue::Get().now());
    if (count_ == 0) return nullptr;
    Frame* f = pool_.Take();
    f->priority = static_cast<uint8_t>(priority);
    f->bytes = kFrame;
    f->psn = 1000 + static_cast<uint32_t>(count_--);
    return f;
  }
  std::vector<Time> pulled_at;

 private:
  FramePool& pool_;
  int count_;
};

TEST(Port, ASourceIsAskedOnlyWhenTheWireIsFree) {
  // Three frames come from the source; a frame that is queued at 150 ns leaves before the source's third.
  InChild([] {
    Cable cable(kLink);
    Spring spring(cable.pool, 3);
    cable.a->SetSource(&spring);
    cable.a->SetPullable(1 << 3);
    At(Nanoseconds(150), [&] { cable.Send(3, kFrame); });
    RunUntil(Microseconds(1));
    EXPECT_THAT(cable.at_b.Numbers(), ElementsAre(1003, 1002, 0, 1001));
    EXPECT_THAT(spring.pulled_at, ElementsAre(Time{}, Nanoseconds(100), Nanoseconds(300), Nanoseconds(400)));
  });
}

TEST(Port, APausedSourceIsNotAsked) {
  InChild([] {
    Cable cable(kLink);
    Spring spring(cable.pool, 1);
    cable.a->SetSource(&spring);
    cable.a->SetPaused(3, true);
    cable.a->SetPullable(1 << 3);
    RunUntil(Microseconds(1));
    EXPECT_TRUE(spring.pulled_at.empty());
    cable.a->SetPaused(3, false);
    RunUntil(Microseconds(2));
    EXPECT_THAT(cable.at_b.Numbers(), ElementsAre(1001));
    EXPECT_EQ(spring.pulled_at.front(), Microseconds(1));
  });
}

}  // namespace
}  // namespace headroom::port_test
