// Both ends of a pause: port b pauses port a over an otherwise idle cable.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>

#include "pfc/pause_receiver.h"
#include "pfc/pause_sender.h"
#include "support/cable.h"
#include "support/in_child.h"

namespace headroom::pause_sender_to_receiver_test {
namespace {

using testing::ElementsAre;

// At 100 Gb/s a quantum of 512 bit times is 5.12 ns; a PFC frame (84 B on the wire) takes 6.72 ns and arrives
// after another 17 ns: 23.72 ns after its request. A frame of 1230 B takes 100 ns.
const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(17), Time{}, 0.0};
constexpr Time kDelay = Picoseconds(23'720);

struct Change {
  Time at;
  PauseChange what;
};

class Pauses {
 public:
  explicit Pauses(const PfcParameters& parameters) : cable(kLink) {
    cable.at_a.on_pfc = [this](Port&, const Frame& f) { receiver.Receive(f); };
    sender.Setup(ns3::PeekPointer(cable.b), parameters);
    receiver.Setup(ns3::PeekPointer(cable.a), parameters.response);
    for (const auto& port : {cable.a, cable.b}) {
      port->TraceConnectWithoutContext("Pause", ns3::MakeCallback(&Pauses::Note, this));
    }
  }

  /// Spans in which the priority was paused: at a the time for which it is paused, at b that for which it
  /// pauses.
  std::vector<std::pair<Time, Time>> Spans(const std::vector<Change>& changes, int priority) const {
    std::vector<std::pair<Time, Time>> spans;
    for (const Change& c : changes) {
      if (c.what.priority != priority) continue;
      if (c.what.kind == PauseChange::Kind::begin) spans.push_back({c.at, kNever});
      if (c.what.kind == PauseChange::Kind::end) spans.back().second = c.at;
    }
    return spans;
  }
  static long Refreshes(const std::vector<Change>& changes) {
    return std::count_if(changes.begin(), changes.end(),
                         [](const Change& c) { return c.what.kind == PauseChange::Kind::refresh; });
  }

  Cable cable;
  PauseSender sender;
  PauseReceiver receiver;
  std::vector<Change> paused, pausing;

 private:
  void Note(const Port&, const PauseChange& change) {
    (change.sent ? pausing : paused).push_back({EventQueue::Get().now(), change});
  }
};

PfcParameters Parameters(uint16_t quanta, std::optional<Time> refresh, Time response = Time{}) {
  PfcParameters p;
  p.quanta = quanta;
  p.refresh = refresh;
  p.response = response;
  return p;
}

TEST(Pause, EndsByItselfWhenItsQuantaAreOver) {
  // 1000 quanta are 5.12 us, and are not repeated.
  InChild([] {
    Pauses p(Parameters(1000, Seconds(1)));
    p.sender.Xoff(1 << 3, 4711);
    At(Nanoseconds(50), [&] { p.cable.Send(3, 1230); });
    RunUntil(Microseconds(20));
    EXPECT_THAT(p.Spans(p.paused, 3), ElementsAre(std::pair(kDelay, kDelay + Nanoseconds(5120))));
    ASSERT_EQ(p.cable.at_b.arrivals.size(), 1u);
    EXPECT_EQ(p.cable.at_b.arrivals[0].at, kDelay + Nanoseconds(5120 + 100 + 17));
    EXPECT_EQ(p.pausing[0].what.group_bytes, 4711);
  });
}

TEST(Pause, IsRepeatedAtHalfItsTimeAndSoNeverRunsOut) {
  // A pause of 5.12 us is repeated every 2.56 us. XON follows at 50 us: 19 refreshes (2.56 … 48.64 us) make
  // one unbroken pause.
  InChild([] {
    Pauses p(Parameters(1000, std::nullopt));
    p.cable.Send(3, 1230);
    p.sender.Xoff(1 << 3, 0);
    At(Nanoseconds(50), [&] { p.cable.Send(3, 1230); });
    At(Microseconds(50), [&] { p.sender.Xon(1 << 3); });
    RunUntil(Microseconds(100));
    EXPECT_THAT(p.Spans(p.paused, 3), ElementsAre(std::pair(kDelay, Microseconds(50) + kDelay)));
    EXPECT_THAT(p.Spans(p.pausing, 3), ElementsAre(std::pair(Time{}, Microseconds(50))));
    EXPECT_EQ(Pauses::Refreshes(p.paused), 19);
    EXPECT_EQ(Pauses::Refreshes(p.pausing), 19);
    EXPECT_EQ(p.cable.b->statistics().pause_frames(3), 20u);
    EXPECT_EQ(p.cable.b->statistics().resume_frames(3), 1u);
    ASSERT_EQ(p.cable.at_b.arrivals.size(), 2u);  // one frame was on the wire when the pause arrived
    EXPECT_EQ(p.cable.at_b.arrivals[1].at, Microseconds(50) + kDelay + Nanoseconds(117));
  });
}

TEST(Pause, ARefreshLongerThanThePauseLeavesHoles) {
  // A pause of 5.12 us comes every 6 us.
  InChild([] {
    Pauses p(Parameters(1000, Microseconds(6)));
    p.sender.Xoff(1 << 3, 0);
    RunUntil(Microseconds(13));
    EXPECT_THAT(p.Spans(p.paused, 3),
                ElementsAre(std::pair(kDelay, kDelay + Nanoseconds(5120)),
                            std::pair(Microseconds(6) + kDelay, Nanoseconds(11'120) + kDelay),
                            std::pair(Microseconds(12) + kDelay, kNever)));
  });
}

TEST(Pause, TakesEffectAfterTheResponseTime) {
  // With a response of 250 ns the frames that start at 0, 100 and 200 ns still leave; the frame of 300 ns
  // waits for XON.
  InChild([] {
    Pauses p(Parameters(1000, std::nullopt, Nanoseconds(250)));
    for (int i = 0; i < 4; ++i) p.cable.Send(3, 1230);
    p.sender.Xoff(1 << 3, 0);
    At(Microseconds(2), [&] { p.sender.Xon(1 << 3); });
    RunUntil(Microseconds(10));
    const Time begin = kDelay + Nanoseconds(250);
    EXPECT_THAT(p.Spans(p.paused, 3), ElementsAre(std::pair(begin, Microseconds(2) + begin)));
    ASSERT_EQ(p.cable.at_b.arrivals.size(), 4u);
    EXPECT_EQ(p.cable.at_b.arrivals[2].at, Nanoseconds(317));
    EXPECT_EQ(p.cable.at_b.arrivals[3].at, Microseconds(2) + begin + Nanoseconds(117));
  });
}

TEST(Pause, ItsTimeCountsFromItsArrivalNotFromTheEndOfTheResponse) {
  // The pause lasts 5.12 us from its arrival, of which the first 250 ns pass before anything stops.
  InChild([] {
    Pauses p(Parameters(1000, Seconds(1), Nanoseconds(250)));
    p.sender.Xoff(1 << 3, 0);
    RunUntil(Microseconds(20));
    EXPECT_THAT(p.Spans(p.paused, 3),
                ElementsAre(std::pair(kDelay + Nanoseconds(250), kDelay + Nanoseconds(5120))));
  });
}

TEST(Pause, OneNoLongerThanTheResponseStopsNothing) {
  // 48 quanta are 245.76 ns, the response 250 ns. 49 quanta are 250.88 ns: 0.88 ns remain.
  InChild([] {
    Pauses p(Parameters(1, Seconds(1), Nanoseconds(250)));
    p.cable.b->SendPfc(1 << 3, 0, 48);
    p.cable.b->SendPfc(1 << 4, 0, 49);
    RunUntil(Microseconds(20));
    EXPECT_TRUE(p.Spans(p.paused, 3).empty());
    const Time second = kDelay + Picoseconds(6'720);
    EXPECT_THAT(p.Spans(p.paused, 4),
                ElementsAre(std::pair(second + Nanoseconds(250), second + Picoseconds(250'880))));
  });
}

TEST(Pause, AShortOneThatIsRepeatedInTimeStopsAfterTheResponse) {
  // 40 quanta are 204.8 ns, repeated each 102.4 ns until 1945.6 ns: the time does not expire before 204.8 ns
  // after that.
  InChild([] {
    Pauses p(Parameters(40, std::nullopt, Nanoseconds(250)));
    p.sender.Xoff(1 << 3, 0);
    At(Microseconds(2), [&] { p.sender.Xon(1 << 3); });
    RunUntil(Microseconds(20));
    EXPECT_THAT(p.Spans(p.paused, 3),
                ElementsAre(std::pair(kDelay + Nanoseconds(250), kDelay + Picoseconds(1'945'600 + 204'800))));
  });
}

TEST(Pause, SaysByItsNumberWhichOneItIs) {
  // Priority 3's second pause begins before the first has acted, which takes 1 us.
  InChild([] {
    Pauses p(Parameters(65535, std::nullopt, Microseconds(1)));
    p.sender.Xoff(1 << 3, 0);
    At(Nanoseconds(100), [&] { p.sender.Xoff(1 << 4, 0); });
    At(Nanoseconds(200), [&] { p.sender.Xon(1 << 3); });
    At(Nanoseconds(300), [&] { p.sender.Xoff(1 << 3, 0); });
    RunUntil(Microseconds(300));
    for (const std::vector<Change>* end : {&p.pausing, &p.paused}) {
      std::vector<std::pair<int, uint32_t>> begun;
      for (const Change& c : *end) {
        if (c.what.kind == PauseChange::Kind::begin) begun.emplace_back(c.what.priority, c.what.number);
      }
      EXPECT_THAT(begun, ElementsAre(std::pair(3, 1u), std::pair(4, 2u), std::pair(3, 3u)));
    }
    // A refresh belongs to the last pause.
    const auto refresh = std::find_if(p.paused.begin(), p.paused.end(), [](const Change& c) {
      return c.what.kind == PauseChange::Kind::refresh && c.what.priority == 3;
    });
    ASSERT_NE(refresh, p.paused.end());
    EXPECT_EQ(refresh->what.number, 3u);
  });
}

TEST(Pause, PrioritiesArePausedEachByItself) {
  // Priority 3 is paused from 0 to 20 us, 4 from 1 us on. Priority 5 is never paused.
  InChild([] {
    Pauses p(Parameters(1000, std::nullopt));
    p.sender.Xoff(1 << 3, 0);
    At(Microseconds(1), [&] { p.sender.Xoff(1 << 4, 0); });
    At(Microseconds(20), [&] { p.sender.Xon(1 << 3); });
    At(Microseconds(10), [&] {
      for (const int priority : {3, 4, 5}) p.cable.Send(priority, 1230);
    });
    RunUntil(Microseconds(60));
    EXPECT_THAT(p.Spans(p.paused, 3), ElementsAre(std::pair(kDelay, Microseconds(20) + kDelay)));
    EXPECT_THAT(p.Spans(p.paused, 4), ElementsAre(std::pair(Microseconds(1) + kDelay, kNever)));
    EXPECT_TRUE(p.Spans(p.paused, 5).empty());
    EXPECT_THAT(p.cable.at_b.Numbers(), ElementsAre(2, 0));
    EXPECT_EQ(p.sender.xoff(), 1 << 4);
  });
}

TEST(Pause, ALostXonIsMadeUpForByTheQuanta) {
  InChild([] {
    Pauses p(Parameters(1000, std::nullopt));
    p.sender.Xoff(1 << 3, 0);
    At(Microseconds(2), [&] {
      p.cable.link->SetLoss(1, 1.0);
      p.sender.Xon(1 << 3);
    });
    RunUntil(Microseconds(60));
    EXPECT_THAT(p.Spans(p.paused, 3), ElementsAre(std::pair(kDelay, kDelay + Nanoseconds(5120))));
  });
}

TEST(Pause, AnXonAndTheNextXoffThatWaitTogetherAreBothSent) {
  // The wire back is busy from 10.0 to 10.1 us; XON and XOFF are both requested in that time. The peer sees
  // two pauses, with the time of a PFC frame between them: 84 B at 100 Gb/s, 6.72 ns.
  InChild([] {
    Pauses p(Parameters(1000, std::nullopt));
    p.sender.Xoff(1 << 3, 0);
    At(Microseconds(10), [&] {
      Frame* f = p.cable.pool.Take();
      f->bytes = f->charge = 1230;
      p.cable.b->Enqueue(f);
    });
    At(Nanoseconds(10'020), [&] { p.sender.Xon(1 << 3); });
    At(Nanoseconds(10'040), [&] { p.sender.Xoff(1 << 3, 0); });
    At(Microseconds(20), [&] { p.sender.Xon(1 << 3); });
    RunUntil(Microseconds(60));
    EXPECT_EQ(p.Spans(p.pausing, 3).size(), 2u);
    const Time free = Microseconds(10) + Nanoseconds(100);
    EXPECT_THAT(p.Spans(p.paused, 3),
                ElementsAre(std::pair(kDelay, free + kDelay),
                            std::pair(free + Picoseconds(6'720) + kDelay, Microseconds(20) + kDelay)));
    EXPECT_EQ(p.cable.b->statistics().resume_frames(3), 2u);
  });
}

TEST(Pause, TheRecordsOfBothEndsAgree) {
  // XOFF and XON of all priorities come at random times, further apart than a PFC frame is long: each pause
  // at a equals one of b, later by the path's delay and the response.
  InChild([] {
    const Time response = Nanoseconds(80);
    Pauses p(Parameters(2000, std::nullopt, response));
    std::mt19937 random(3);
    Time at;
    for (int i = 0; i < 2000; ++i) {
      at += Nanoseconds(20 + random() % 3000);
      At(at, [&p, priority = static_cast<int>(random() % 8)] {
        if ((p.sender.xoff() >> priority) & 1) {
          p.sender.Xon(static_cast<uint8_t>(1u << priority));
        } else {
          p.sender.Xoff(static_cast<uint8_t>(1u << priority), 0);
        }
      });
    }
    RunUntil(at + Milliseconds(1));
    for (int priority = 0; priority < 8; ++priority) {
      auto expected = p.Spans(p.pausing, priority);
      EXPECT_GT(expected.size(), 50u);
      for (auto& [begin, end] : expected) {
        begin += kDelay + response;
        if (end != kNever) end += kDelay + response;
      }
      const auto got = p.Spans(p.paused, priority);
      ASSERT_EQ(got.size(), expected.size());
      // A refresh may be on the wire when XOFF or XON is requested: these then wait for its end, at most 6.72
      // ns.
      for (size_t i = 0; i < got.size(); ++i) {
        EXPECT_LE(got[i].first - expected[i].first, Picoseconds(6'720));
        EXPECT_GE(got[i].first, expected[i].first);
        if (expected[i].second == kNever) continue;
        EXPECT_LE(got[i].second - expected[i].second, Picoseconds(6'720));
        EXPECT_GE(got[i].second, expected[i].second);
      }
    }
    EXPECT_EQ(p.cable.pool.in_use(), 0u);
  });
}

TEST(PauseReceiver, StopsTheQueuesOfThePrioritiesThatItHonours) {
  // Priorities 3 and 4 stop queue 1, priority 5 stops queue 5, priority 6 stops none. The queue resumes when
  // the last of its priorities does.
  InChild([] {
    Pauses p(Parameters(65535, std::nullopt));
    p.receiver.SetQueues({0, 1, 2, 1, 1, 5, 6, 7});
    p.receiver.Honour(1 << 3 | 1 << 4 | 1 << 5);
    p.sender.Xoff(1 << 3 | 1 << 4 | 1 << 5 | 1 << 6, 0);
    RunUntil(Microseconds(1));
    EXPECT_EQ(p.receiver.paused(), 1 << 3 | 1 << 4 | 1 << 5);
    EXPECT_EQ(p.cable.a->paused(), 1 << 1 | 1 << 5);
    p.sender.Xon(1 << 3);
    RunUntil(Microseconds(2));
    EXPECT_EQ(p.cable.a->paused(), 1 << 1 | 1 << 5);
    p.receiver.Honour(1 << 3 | 1 << 4);  // priority 5 no longer counts
    EXPECT_EQ(p.cable.a->paused(), 1 << 1);
    p.sender.Xon(1 << 4);
    RunUntil(Microseconds(3));
    EXPECT_EQ(p.cable.a->paused(), 0);
    EXPECT_EQ(p.paused.back().what.kind, PauseChange::Kind::end);
  });
}

/// PFC frames with random contents come from b, one each microsecond. The model keeps for each priority the
/// end of its last pause, and whether it is stopped; and for each frame the time at which its request acts.
void KeepsTimeAsAPlainArrayWould(Time response) {
  struct Wish {
    Time acts;
    uint8_t xoff, xon;
  };
  Pauses p(Parameters(1, Seconds(1), response));
  std::mt19937 random(5);
  std::array<Time, kPriorities> until{};
  std::array<bool, kPriorities> stopped{};
  std::deque<Wish> pending;
  const auto let_run_out = [&](Time now) {
    for (int q = 0; q < kPriorities; ++q) stopped[q] = stopped[q] && until[q] > now;
  };
  const auto go_on_to = [&](Time now) {
    for (; !pending.empty() && pending.front().acts <= now; pending.pop_front()) {
      const Wish& wish = pending.front();
      let_run_out(wish.acts);
      for (int q = 0; q < kPriorities; ++q) {
        if ((wish.xoff >> q) & 1) stopped[q] = until[q] > wish.acts;
        if ((wish.xon >> q) & 1) stopped[q] = false;
      }
    }
    let_run_out(now);
  };
  int times_paused = 0, too_short = 0, before_the_last_acted = 0;
  for (int i = 1; i < 3000; ++i) {
    const auto xoff = static_cast<uint8_t>(random() & random());
    const auto xon = static_cast<uint8_t>(random() & random() & ~xoff);
    const auto quanta = static_cast<uint16_t>(1 + random() % 1500);
    p.cable.b->SendPfc(xoff, xon, quanta);
    const Time arrival = Microseconds(i - 1) + kDelay;
    go_on_to(arrival);
    for (const Wish& wish : pending) before_the_last_acted += ((wish.xoff | wish.xon) & (xoff | xon)) != 0;
    for (int q = 0; q < kPriorities; ++q) {
      if (((xoff >> q) & 1) == 0) continue;
      until[q] = arrival + QuantaTime(quanta, kLink.rate);
      too_short += until[q] <= arrival + response;
    }
    pending.push_back({arrival + response, xoff, xon});
    RunUntil(Microseconds(i));
    go_on_to(Microseconds(i));
    for (int q = 0; q < kPriorities; ++q) {
      times_paused += stopped[q];
      ASSERT_EQ((p.cable.a->paused() >> q) & 1, stopped[q]) << "priority " << q << " at " << i << " us";
    }
  }
  EXPECT_GT(times_paused, 3000);
  EXPECT_EQ(too_short > 0, response > Time{});
  EXPECT_EQ(before_the_last_acted > 3000, response > Microseconds(1));
}

TEST(PauseReceiver, KeepsTheTimeOfEveryPriorityAsAPlainArrayWould) {
  InChild([] { KeepsTimeAsAPlainArrayWould(Time{}); });
}

TEST(PauseReceiver, KeepsTheTimeOfEveryPriorityAsAPlainArrayWouldWhateverItsResponse) {
  // 3.3 us: three frames have arrived before the first of them acts.
  for (const Time response : {Nanoseconds(800), Nanoseconds(3300)})
    InChild([response] { KeepsTimeAsAPlainArrayWould(response); });
}

}  // namespace
}  // namespace headroom::pause_sender_to_receiver_test
