#include "cli/run/ideal_times.h"

#include <gtest/gtest.h>

#include "support/scenarios.h"
#include "workload/types/list.h"

namespace headroom::ideal_times_test {
namespace {

/// The ideal time of a message from h0 to h1 over two spines.
Time IdealWith(RoutingParameters::Kind routing, Rate fabric_rate, Time to_second_spine) {
  const LinkSpec host{GigabitsPerSecond(100), Nanoseconds(15), Time{}, 0.0};
  const LinkOf fabric = LinkOf::Choose([&](const auto&, const auto&, const TopologyNode& spine, const auto&) {
    return LinkSpec{fabric_rate, spine.name == "spine1" ? to_second_spine : Nanoseconds(200), Time{}, 0.0};
  });
  Scenario s = ScenarioOf(BuildLeafSpine(2, 2, 1, host, fabric));
  for (SwitchParameters& sw : s.switches) sw.routing.kind = routing;
  s.workloads = {WorkloadOf("w", ListArrivals{})};
  MessageRecord m;
  m.src = 0;
  m.dst = 1;
  m.size = Bytes(100'000);
  m.source_port = 49152;
  std::vector<MessageRecord> messages{m};
  FillIdealTimes(s, messages);
  return messages[0].ideal;
}

TEST(IdealTimes, OfSeveralPathsAreKnownWhereTheseAreAlikeAndNoLinkIsSlowerThanTheSenders) {
  using Kind = RoutingParameters::Kind;
  const Rate fast = GigabitsPerSecond(100), slow = GigabitsPerSecond(25);
  const Time same = Nanoseconds(200), longer = Microseconds(2);
  const Time of_one = IdealWith(Kind::ecmp, fast, same);
  EXPECT_GT(of_one, Time{});
  for (const Kind kind : {Kind::spray, Kind::flowlet, Kind::adaptive}) {
    EXPECT_EQ(IdealWith(kind, fast, same), of_one);
    EXPECT_EQ(IdealWith(kind, fast, longer), Time{});
    EXPECT_EQ(IdealWith(kind, slow, same), Time{});
  }
  EXPECT_GT(IdealWith(Kind::ecmp, fast, longer), Time{});
  EXPECT_GT(IdealWith(Kind::ecmp, slow, same), Time{});
}

}  // namespace
}  // namespace headroom::ideal_times_test
