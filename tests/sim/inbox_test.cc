#include "sim/inbox.h"

#include <gtest/gtest.h>

#include <random>

namespace headroom::inbox_test {
namespace {

bool Before(const TimedEvent& a, const TimedEvent& b) { return KeyOf(a) < KeyOf(b); }

TEST(Inbox, GivesEachWindowWhatIsBeforeItsEndInOrder) {
  std::mt19937_64 random(1);
  Inbox::Table table;
  for (int round = 0; round < 50; ++round) {
    Inbox inbox;
    std::vector<TimedEvent> all;  // what is in it
    const auto spread = static_cast<int64_t>(1 + random() % (round % 2 == 0 ? 10 : 1'000'000));
    int64_t begin = 0;
    for (int window = 0; window < 8; ++window) {
      for (uint64_t n = random() % 300; n > 0; --n) {
        const Time at(begin + static_cast<int64_t>(random() % static_cast<uint64_t>(2 * spread)));
        const auto entity = static_cast<EntityId>(random() % 1000);
        all.push_back({at, TimedEvent::Order(static_cast<EventClass>(1 + random() % 7), entity, n)});
        inbox.Push(all.back());
      }
      std::ranges::sort(all, Before);
      ASSERT_EQ(inbox.first().time, all.empty() ? Inbox::kNothing.time : all.front().time.v);
      const TimedKey end{TimedEvent::Order(EventClass::sample, 0), begin + spread};
      size_t taken = 0;
      inbox.TakeBefore(end, table, [&](const TimedEvent& e) {
        ASSERT_LT(taken, all.size());
        ASSERT_EQ(e.time, all[taken].time);
        ASSERT_EQ(e.order, all[taken++].order);
      });
      ASSERT_TRUE(taken == all.size() || !(KeyOf(all[taken]) < end));
      all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(taken));
      begin += spread;
    }
  }
}

}  // namespace
}  // namespace headroom::inbox_test
