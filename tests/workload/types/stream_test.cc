
#include <gtest/gtest.h>

#include <map>

#include "workload/offers.h"
#include "workload/types/stream.h"

namespace headroom::stream_test {
namespace {

StreamArrivals Stream(std::vector<NodeId> from, std::vector<NodeId> to, int in_flight) {
  StreamArrivals a;
  a.from = std::move(from);
  a.to = std::move(to);
  a.message = Bytes(1000);
  a.in_flight = in_flight;
  a.start = Microseconds(10);
  return a;
}

/// Completes every message 3 us after it was offered.
class Completer final : public EventTarget {
 public:
  explicit Completer(Offered& offered) : offered_(offered) {
    offered.on_offer = [this](const Offered::Message& m) {
      ++outstanding[{m.src, m.dst}];
      most = std::max(most, outstanding[{m.src, m.dst}]);
      sent_.push_back(m);
      offered_.queue->PushTarget(m.at + Microseconds(3),
                                 TimedEvent::Order(EventClass::arrival, 0, sent_.size()), this,
                                 sent_.size() - 1);
    };
  }
  void OnEvent(uint64_t i) override {
    const Offered::Message m = sent_[i];
    --outstanding[{m.src, m.dst}];
    offered_.generator->OnCompleted({0, m.src, m.dst});
  }
  std::map<std::pair<NodeId, NodeId>, int> outstanding;
  int most = 0;

 private:
  Offered& offered_;
  std::vector<Offered::Message> sent_;
};

TEST(Stream, KeepsSoManyInFlightBetweenEveryPair) {
  // From 10 us to 100 us, with three in flight that take 3 us each: 30 rounds of three for each of the two
  // pairs.
  StreamArrivals a = Stream({0, 1}, {1, 2}, 3);
  a.to = {1, 2};
  a.from = {0, 1};
  a.stop = Microseconds(100);
  std::unique_ptr<Completer> completer;
  const Offered offered(WorkloadOf("pair", a), Star(3), Milliseconds(1), GigabitsPerSecond(100),
                        [&](Offered& o) { completer = std::make_unique<Completer>(o); });
  std::map<std::pair<NodeId, NodeId>, int> pairs;
  for (const auto& m : offered.messages) ++pairs[{m.src, m.dst}];
  ASSERT_EQ(pairs.size(), 3u);  // 0 → 1, 0 → 2, 1 → 2; no host sends to itself
  for (const auto& [pair, n] : pairs) EXPECT_EQ(n, 90);
  EXPECT_EQ(completer->most, 3);
  for (const auto& [pair, n] : completer->outstanding) EXPECT_EQ(n, 0);
  EXPECT_EQ(offered.messages.front().at, Microseconds(10));
  EXPECT_EQ(offered.messages.back().at, Microseconds(97));
  EXPECT_EQ(offered.exhausted, 1);
  EXPECT_EQ(offered.exhausted_at, Microseconds(100));
}

TEST(Stream, EndsWithTheArrivalsIfNotBefore) {
  std::unique_ptr<Completer> completer;
  const Offered offered(WorkloadOf("pair", Stream({0}, {1}, 1)), Star(2), Microseconds(20),
                        GigabitsPerSecond(100),
                        [&](Offered& o) { completer = std::make_unique<Completer>(o); });
  EXPECT_EQ(offered.messages.size(), 4u);  // at 10, 13, 16 and 19 us
  EXPECT_EQ(offered.exhausted_at, Microseconds(20));
}

TEST(Stream, StartingAfterTheArrivalsEndItOffersNothing) {
  const Offered offered(WorkloadOf("pair", Stream({0}, {1}, 1)), Star(2), Microseconds(10));
  EXPECT_TRUE(offered.messages.empty());
  EXPECT_EQ(offered.exhausted, 1);
}

}  // namespace
}  // namespace headroom::stream_test
