#include "net/routing/hop_chooser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "net/routing/adaptive.h"
#include "net/routing/flowlets.h"
#include "net/routing/spray.h"
#include "support/cable.h"
#include "support/dice.h"
#include "support/in_child.h"

namespace headroom::hop_chooser_test {
namespace {

const std::vector<uint16_t> kPorts{2, 3, 5, 8};

Frame FrameOf(NodeId dst, uint32_t flow) {
  Frame f;
  f.dst = dst;
  f.flow_hash = flow;
  return f;
}

TEST(Spray, SpreadsPacketsOfOneFlowInTheRatioOfWeights) {
  // Port 3 has two of 5 places: 40 000 × 2/5 = 16 000 ± 5 × √(40 000 × 2/5 × 3/5) = ± 490. The others get
  // 8000 ± 5 × √(40 000 × 1/5 × 4/5) = ± 400.
  InChild([] {
    StartSimulator(1);
    Spray spray("s0");
    const std::vector<uint16_t> ports{2, 3, 3, 5, 8};
    std::map<uint16_t, int> taken;
    const Frame f = FrameOf(7, 99);
    for (int i = 0; i < 40'000; ++i) ++taken[spray.Choose(f, ports)];
    ASSERT_EQ(taken.size(), 4u);
    for (const auto& [port, times] : taken) {
      EXPECT_NEAR(times, port == 3 ? 16'000 : 8'000, port == 3 ? 490 : 400) << port;
    }
  });
}

TEST(Spray, DrawsDependOnTheSwitchAndTheSeedAlone) {
  InChild([] {
    StartSimulator(3);
    Spray a("s0"), same("s0"), other("s1");
    int differs = 0;
    for (int i = 0; i < 200; ++i) {
      const uint16_t port = a.Choose(FrameOf(static_cast<NodeId>(i), 1), kPorts);
      EXPECT_EQ(same.Choose(FrameOf(5, 77), kPorts), port);
      differs += other.Choose(FrameOf(5, 77), kPorts) != port;
    }
    EXPECT_GT(differs, 100);
  });
}

/// Four links of 100 Gb/s between two nodes, as equal next hops.
class FourPaths {
 public:
  FourPaths() : timing_(kRate, Nanoseconds(15), 20), spray_("s0") {
    for (uint16_t i = 0; i < 4; ++i) {
      const auto from = ns3::CreateObject<Port>(), to = ns3::CreateObject<Port>();
      from->Setup(&idle_, &pool_, &timing_, {}, EqualClasses(), i, EventQueue::Get().AddEntity(0));
      to->Setup(&sinks_[i], &pool_, &timing_, {}, EqualClasses(), i, EventQueue::Get().AddEntity(1));
      links_.push_back(ns3::CreateObject<Link>());
      links_.back()->Connect(*from, *to, {kRate, Nanoseconds(15), Time{}, 0.0}, "l" + std::to_string(i));
      ports_.push_back(from);
      ends_.push_back(to);
    }
    Port::InstallHandlers(EventQueue::Get(), *ports_[0]);
  }
  /// A frame of 1250 bytes with its gap: 100 ns.
  void Send(uint32_t number) {
    Frame* f = pool_.Take();
    f->bytes = 1230;
    f->charge = 1230;
    f->psn = number;
    ports_[spray_.Choose(*f, kAll)]->Enqueue(f);
  }
  /// The numbers of the frames in the order of their arrival over all links.
  std::vector<uint32_t> Arrived() const {
    std::vector<std::pair<int64_t, uint32_t>> all;
    for (const Listener& sink : sinks_) {
      for (const auto& a : sink.arrivals) all.emplace_back(a.at.v, a.number);
    }
    std::ranges::stable_sort(all, {}, &std::pair<int64_t, uint32_t>::first);
    std::vector<uint32_t> numbers;
    for (const auto& [at, number] : all) numbers.push_back(number);
    return numbers;
  }

 private:
  static constexpr Rate kRate = GigabitsPerSecond(100);
  inline static const std::vector<uint16_t> kAll{0, 1, 2, 3};
  FramePool pool_;
  LinkTiming timing_;
  Spray spray_;
  Listener idle_;
  std::array<Listener, 4> sinks_;
  std::vector<ns3::Ptr<Port>> ports_, ends_;
  std::vector<ns3::Ptr<Link>> links_;
};

TEST(Spray, DisordersAFlowOverFourLoadedPathsAsMuchAsAModelOfQueuesSays) {
  // One hop with four FIFO paths. A flow sends at half the rate of a path, evenly. The rest of the load is
  // Poisson traffic, also sprayed. This share of the flow's packets arrives while an earlier one is missing,
  // by a model that shares no code with this one: 1.9, 21 and 56 % at loads of 0.5, 0.8 and 0.95.
  constexpr uint32_t kOther = UINT32_MAX;
  struct Case {
    double load, expected, within;  // the higher the load, the longer queues stay long
  };
  for (const Case& c : {Case{0.5, 0.019, 0.004}, Case{0.8, 0.21, 0.03}, Case{0.95, 0.56, 0.06}}) {
    InChild([c] {
      StartSimulator(1);
      FourPaths paths;
      RandomStream gaps("gaps");
      constexpr uint32_t kPackets = 30'000;
      const double mean = 100e3 / (4 * c.load - 0.5);  // ps between packets of the other traffic
      const Time end = Nanoseconds(200) * int64_t{kPackets};
      double other = gaps.Exponential(mean);
      for (uint32_t number = 0; number < kPackets; ++number) {
        const Time at = Nanoseconds(200) * int64_t{number + 1};
        for (; other < static_cast<double>(at.v); other += gaps.Exponential(mean)) {
          RunUntil(Time(static_cast<int64_t>(other)));
          paths.Send(kOther);
        }
        RunUntil(at);
        paths.Send(number);
      }
      RunUntil(end + Milliseconds(1));
      std::vector<bool> came(kPackets);
      uint32_t next = 0;
      int early = 0;
      for (const uint32_t number : paths.Arrived()) {
        if (number == kOther) continue;
        early += number != next;
        came[number] = true;
        while (next < kPackets && came[next]) ++next;
      }
      EXPECT_EQ(next, kPackets);
      EXPECT_NEAR(early / static_cast<double>(kPackets), c.expected, c.within) << c.load;
    });
  }
}

TEST(Adaptive, NeverTakesAQueueLongerThanTheShortest) {
  // Queue lengths are random, some are equal, some links are down. The choice is among the shortest that are
  // up, and each of these is chosen sometimes. If all are down, any port may be chosen.
  InChild([] {
    StartSimulator(1);
    std::vector<std::optional<int64_t>> bytes(9);
    Adaptive adaptive("s0", [&](const Frame&, uint16_t port) { return bytes[port]; });
    Dice dice(11);
    for (int round = 0; round < 300; ++round) {
      std::vector<uint16_t> best;
      std::optional<int64_t> least;
      for (const uint16_t port : kPorts) {
        bytes[port] = dice.OneIn(5) ? std::nullopt : std::optional<int64_t>(dice.Between(0, 2) * 1000);
        if (bytes[port] && (!least || *bytes[port] < *least)) least = bytes[port];
      }
      for (const uint16_t port : kPorts) {
        if (!least || bytes[port] == least) best.push_back(port);
      }
      std::map<uint16_t, int> taken;
      for (int i = 0; i < 60; ++i) ++taken[adaptive.Choose(FrameOf(1, 1), kPorts)];
      EXPECT_EQ(taken.size(), best.size());
      for (const uint16_t port : best) EXPECT_TRUE(taken.contains(port)) << port;
    }
  });
}

TEST(Flowlets, AgreeWithANaiveTable) {
  // A thousand flows have random gaps around the timeout. A flow keeps its port while no gap is longer than
  // the timeout, and draws again after each longer one. Draws use one stream, in the order of arrival.
  InChild([] {
    StartSimulator(1);
    const Time timeout = Microseconds(50);
    Flowlets flowlets("s0", timeout);
    RandomStream stream("s0/flowlet");
    struct Known {
      Time last;
      uint16_t port = 0;
    };
    std::map<std::pair<NodeId, uint32_t>, Known> naive;
    Dice dice(5);
    int changes = 0, kept = 0;
    Time now;
    for (int i = 0; i < 20'000; ++i) {
      now += Nanoseconds(dice.Between(0, 119));
      RunUntil(now);
      const NodeId dst = static_cast<NodeId>(dice.Between(0, 19));
      const uint32_t flow = static_cast<uint32_t>(dice.Between(0, 49)) * 0x9e3779b9u;
      const auto [at, fresh] = naive.try_emplace({dst, flow});
      Known& known = at->second;
      const bool draws = fresh || now - known.last > timeout;
      if (draws) known.port = kPorts[stream.Below(kPorts.size())];
      known.last = now;
      (draws ? changes : kept) += 1;
      ASSERT_EQ(flowlets.Choose(FrameOf(dst, flow), kPorts), known.port) << i;
    }
    EXPECT_GT(changes, 2000);
    EXPECT_GT(kept, 2000);
  });
}

TEST(Flowlets, LeaveAPortThatIsNoLongerANextHop) {
  InChild([] {
    StartSimulator(1);
    Flowlets flowlets("s0", Seconds(1));
    const uint16_t before = flowlets.Choose(FrameOf(1, 1), kPorts);
    std::vector<uint16_t> left = kPorts;
    std::erase(left, before);
    const uint16_t after = flowlets.Choose(FrameOf(1, 1), left);
    EXPECT_NE(after, before);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(flowlets.Choose(FrameOf(1, 1), kPorts), after);
  });
}

}  // namespace
}  // namespace headroom::hop_chooser_test
