#include "net/link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ns3/uinteger.h>

#include <cmath>

#include "support/cable.h"
#include "support/in_child.h"

namespace headroom::link_test {
namespace {

using testing::ElementsAre;

const LinkSpec kLink{GigabitsPerSecond(400), Nanoseconds(15), Nanoseconds(2), 0.0};

/// Numbers of the frames that arrived with CE.
std::vector<uint32_t> Marked(const Listener& listener) {
  std::vector<uint32_t> numbers;
  for (const auto& a : listener.arrivals) {
    if (a.ce) numbers.push_back(a.number);
  }
  return numbers;
}

TEST(LinkTiming, GivesLanesToSizesThatMakeUpMuchOfWhatIsSent) {
  // Each common size has a third of the frames; the size that comes once in a thousand frames has no time of
  // its own.
  InChild([] {
    StartSimulator(1);
    LinkTiming timing(GigabitsPerSecond(100), Nanoseconds(17), 20);
    timing.UseLanes(EventQueue::Get(), 1106);
    const LinkTiming::PerSize common = timing.For(1106);
    for (uint32_t i = 1; i <= 3000; ++i) {
      for (const uint32_t size : {90u, 452u, 1110u}) timing.ForSending(size);
      timing.ForSending(1106);
      if (i % 300 == 0) timing.ForSending(777);
    }
    for (const uint32_t size : {90u, 452u, 1110u}) {
      EXPECT_NE(timing.For(size).arrival, kNoLane) << size;
      EXPECT_NE(timing.For(size).done, kNoLane) << size;
      EXPECT_EQ(timing.For(size).serialization, SerializationTime(Bytes(size), GigabitsPerSecond(100)));
    }
    EXPECT_EQ(timing.For(777).arrival, kNoLane);
    EXPECT_EQ(timing.For(1106).arrival, common.arrival);
  });
}

TEST(LinkTiming, GivesNoLanesToSizesOfWhichEachIsRareAndFewInAll) {
  // Last frames of random messages have any size. A time that follows another is used no more than a few
  // times.
  InChild([] {
    StartSimulator(1);
    LinkTiming timing(GigabitsPerSecond(100), Nanoseconds(17), 20);
    for (uint32_t i = 0; i < 1'000'000; ++i) timing.ForSending(100 + i % 1000);
    for (uint32_t size = 100; size < 1100; ++size) EXPECT_EQ(timing.For(size).arrival, kNoLane);
    for (uint32_t size = 2000; size < 2100; ++size) {
      for (int i = 0; i < 5000; ++i) timing.ForSending(size);
    }
    int lanes = 0;
    for (uint32_t size = 2000; size < 2100; ++size) lanes += timing.For(size).arrival != kNoLane;
    EXPECT_EQ(lanes, 8);
  });
}

TEST(Link, DelaysFramesAtRandomAndPfcNever) {
  // Of 20 000 frames 30 % arrive 1 to 3 µs later. A frame of 64 bytes and 20 of gap takes 1.68 ns at 400
  // Gb/s, so thousands of frames overtake others. 6000 ± 5 × √(20 000 × 0.3 × 0.7) = ± 324; the mean of their
  // delays is 2 µs ± 5 × 2 µs / √12 / √6000 = ± 37 ns.
  InChild([] {
    LinkSpec spec = kLink;
    spec.reorder = {0.3, Microseconds(1), Microseconds(3)};
    Cable cable(spec);
    for (int i = 0; i < 20'000; ++i) cable.Send(3, 64);
    RunUntil(Seconds(1));
    ASSERT_EQ(cable.at_b.arrivals.size(), 20'000u);
    std::vector<bool> came(20'000);
    double late = 0, sum = 0;
    for (const auto& a : cable.at_b.arrivals) {
      EXPECT_FALSE(came[a.number]);
      came[a.number] = true;
      const Time on_time = Picoseconds(1680) * (a.number + 1) + Nanoseconds(17);
      const Time more = a.at - on_time;
      EXPECT_TRUE(more == Time{} || (more >= Microseconds(1) && more <= Microseconds(3))) << more.v;
      late += more > Time{};
      sum += static_cast<double>(more.v);
    }
    EXPECT_NEAR(late, 6000, 324);
    EXPECT_NEAR(sum / late, 2e6, 37e3);
    cable.a->SendPfc(1 << 3, 0, 1);
    const Time asked = EventQueue::Get().now();
    for (int i = 0; i < 200; ++i) {
      cable.a->SendPfc(1 << 3, 0, 1);
      cable.a->SendPfc(0, 1 << 3, 0);
    }
    RunUntil(Seconds(2));
    ASSERT_GT(cable.at_b.pfc.size(), 100u);
    for (size_t i = 0; i < cable.at_b.pfc.size(); ++i)
      EXPECT_EQ(cable.at_b.pfc[i].at,
                asked + Picoseconds(1680) * static_cast<int64_t>(i + 1) + Nanoseconds(17));
  });
}

TEST(Port, AFrameInTransmissionFinishesAtTheRateItBeganWith) {
  // 1000 bytes with 20 of gap: 81.6 ns at 100 Gb/s, 326.4 ns at 25 Gb/s. The rate falls during the second
  // frame, and rises during the fourth. Each frame arrives 17 ns after its last bit is sent.
  InChild([] {
    LinkSpec spec = kLink;
    spec.rate = GigabitsPerSecond(100);
    Cable cable(spec);
    LinkTiming slow(GigabitsPerSecond(25), Nanoseconds(17), 20), own(spec.rate, Nanoseconds(17), 20);
    for (int i = 0; i < 5; ++i) cable.Send(3, 1000);
    At(Nanoseconds(100), [&] { cable.a->SetTiming(&slow); });
    At(Nanoseconds(600), [&] { cable.a->SetTiming(&own); });
    RunUntil(Seconds(1));
    std::vector<int64_t> at;
    for (const auto& a : cable.at_b.arrivals) at.push_back(a.at.v - 17'000);
    EXPECT_THAT(at, ElementsAre(81'600, 163'200, 489'600, 816'000, 897'600));
    EXPECT_EQ(cable.a->rate(), GigabitsPerSecond(100));
  });
}

TEST(Link, LosesAsOftenAsItIsToldTo) {
  // 40 000 frames at 5 %: 2000 ± 5 × √(40 000 × 0.05 × 0.95) = ± 218.
  InChild([] {
    LinkSpec spec = kLink;
    spec.loss = 0.05;
    Cable cable(spec);
    for (int i = 0; i < 40'000; ++i) cable.Send(3, 64);
    RunUntil(Seconds(1));
    const PriorityDrops& drops = cable.b->statistics().drops(3);
    const uint64_t lost = drops.packets[static_cast<int>(DropReason::link_loss)];
    EXPECT_NEAR(static_cast<double>(lost), 2000, 218);
    EXPECT_EQ(drops.bytes[static_cast<int>(DropReason::link_loss)], 64 * lost);
    EXPECT_EQ(cable.at_b.arrivals.size() + lost, 40'000u);
    EXPECT_EQ(cable.pool.in_use(), 0u);
    EXPECT_EQ(cable.b->statistics().first_drop_reason(3), DropReason::link_loss);
    EXPECT_NE(cable.b->statistics().first_drop(3), kNever);
  });
}

/// Numbers of the frames that survive 20 % of loss from a to b.
std::string Survivors(const std::string& name, int side) {
  return TextFromChild([&] {
    Cable cable(kLink, EqualClasses(), {}, name);
    cable.link->SetLoss(side, 0.2);
    for (int i = 0; i < 100; ++i) cable.Send(3, 64);
    RunUntil(Seconds(1));
    std::string text;
    for (const uint32_t n : cable.at_b.Numbers()) text += std::to_string(n) + " ";
    return text;
  });
}

TEST(Link, LossBelongsToOneDirectionAndToTheLinksName) {
  const std::string lossy = Survivors("a:p0", 0);
  EXPECT_EQ(Survivors("a:p0", 0), lossy);
  EXPECT_NE(Survivors("b:p0", 0), lossy);
  EXPECT_EQ(Survivors("a:p0", 1).size(), 10u * 2 + 90 * 3);  // all frames: "0 " to "99 "
}

TEST(Link, TwoCausesOfLossAreIndependent) {
  // Half of the frames survive the first rule, half of these the second: 5000 of 20 000, ± 5 × √(20 000 ×
  // 3/16) = ± 306.
  InChild([] {
    Cable cable(kLink);
    cable.link->SetLoss(0, 0.5);
    cable.link->SetLoss(0, 0.5);
    for (int i = 0; i < 20'000; ++i) cable.Send(3, 64);
    RunUntil(Seconds(1));
    EXPECT_NEAR(static_cast<double>(cable.at_b.arrivals.size()), 5000, 306);
  });
}

TEST(Link, ALostPauseFrameDoesNotArrive) {
  InChild([] {
    LinkSpec spec = kLink;
    spec.loss = 1;
    Cable cable(spec);
    cable.a->SendPfc(1, 0, 100);
    RunUntil(Seconds(1));
    EXPECT_TRUE(cable.at_b.pfc.empty());
    EXPECT_EQ(cable.pool.in_use(), 0u);
  });
}

TEST(Link, MarksTheChosenDataFramesAndNoOthers) {
  // The ACKs, at every other place, do not count: data frames have the numbers 0, 2, 4, … and of these 0, 1
  // and 4 are chosen.
  InChild([] {
    Cable cable(kLink);
    cable.link->SetMarks(0, {0, 1, 4}, 0);
    for (int i = 0; i < 20; ++i) cable.Send(3, 64, Time{}, i % 2 == 0 ? FrameKind::data : FrameKind::ack);
    RunUntil(Seconds(1));
    EXPECT_THAT(Marked(cable.at_b), ElementsAre(0, 2, 8));
  });
}

TEST(Link, MarksEveryNthDataFrame) {
  InChild([] {
    Cable cable(kLink);
    cable.link->SetMarks(0, {}, 4);
    for (int i = 0; i < 12; ++i) cable.Send(3, 64);
    RunUntil(Seconds(1));
    EXPECT_THAT(Marked(cable.at_b), ElementsAre(3, 7, 11));
  });
}

TEST(Link, ListsOfMarksAddUp) {
  InChild([] {
    Cable cable(kLink);
    cable.link->SetMarks(0, {7, 9}, 0);
    cable.link->SetMarks(0, {3}, 0);
    for (int i = 0; i < 12; ++i) cable.Send(3, 64);
    RunUntil(Seconds(1));
    EXPECT_THAT(Marked(cable.at_b), ElementsAre(3, 7, 9));
  });
}

TEST(Link, IsAnNs3ChannelOfTwoPointToPointDevices) {
  InChild([] {
    Cable cable(kLink);
    EXPECT_EQ(cable.link->GetNDevices(), 2u);
    EXPECT_EQ(cable.link->GetDevice(0), cable.a);
    EXPECT_EQ(cable.link->GetDevice(1), cable.b);
    EXPECT_EQ(cable.a->GetChannel(), cable.link);
    EXPECT_TRUE(cable.a->IsPointToPoint());
    ns3::TimeValue delay;
    cable.link->GetAttribute("Delay", delay);
    EXPECT_EQ(delay.Get(), ns3::NanoSeconds(17));
    ns3::UintegerValue rate;
    cable.b->GetAttribute("Rate", rate);
    EXPECT_EQ(rate.Get(), 400'000'000'000u);
  });
}

int transmitted = 0, received = 0;

TEST(Link, TraceSourcesSeeEachEnd) {
  InChild([] {
    Cable cable(kLink);
    cable.a->TraceConnectWithoutContext("Transmit",
                                        ns3::MakeCallback(+[](const Port&, const Frame&) { ++transmitted; }));
    cable.b->TraceConnectWithoutContext("Receive",
                                        ns3::MakeCallback(+[](const Port&, const Frame&) { ++received; }));
    for (int i = 0; i < 3; ++i) cable.Send(3, 64);
    cable.a->SendPfc(1, 0, 1);
    RunUntil(Seconds(1));
    // The count includes the PFC frame.
    EXPECT_EQ(transmitted, 4);
    EXPECT_EQ(received, 4);
  });
}

}  // namespace
}  // namespace headroom::link_test
