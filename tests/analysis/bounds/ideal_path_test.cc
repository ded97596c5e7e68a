#include "analysis/bounds/ideal_path.h"

#include <gtest/gtest.h>

#include "net/topology/topology_builders.h"
#include "support/path_of.h"

namespace headroom::ideal_path_test {
namespace {

TEST(IdealPathOf, TakesRatesDelaysAndLatenciesHopByHop) {
  Scenario scenario;
  const LinkSpec slow{GigabitsPerSecond(25), Nanoseconds(15), Nanoseconds(2), 0.0};
  const LinkSpec fast{GigabitsPerSecond(100), Microseconds(1), Time(), 0.0};
  scenario.topology = BuildCustom({"a", "b"}, {"s"}, {{"a", "", "s", "", slow}, {"s", "", "b", "", fast}});
  scenario.switches.resize(1);
  scenario.switches[0].latency = Nanoseconds(600);
  scenario.nics.resize(2);
  scenario.nics[0].tx_latency = Nanoseconds(1);
  scenario.nics[0].rx_latency = Nanoseconds(2);
  scenario.nics[1].tx_latency = Nanoseconds(3);
  scenario.nics[1].rx_latency = Nanoseconds(4);
  scenario.nics[1].transport.ack_every = 8;
  const auto routes = ComputeRoutes(scenario.topology);
  const IdealPath path =
      IdealPathOf(scenario, PathOf(scenario, routes, 0, 1, 7), PathOf(scenario, routes, 1, 0, 7));
  ASSERT_EQ(path.data.size(), 2u);
  EXPECT_EQ(path.data[0].rate, slow.rate);
  EXPECT_EQ(path.data[0].delay, Nanoseconds(17));
  EXPECT_EQ(path.data[0].latency, Nanoseconds(1));
  EXPECT_EQ(path.data[1].latency, Nanoseconds(600));
  ASSERT_EQ(path.acks.size(), 2u);
  EXPECT_EQ(path.acks[0].rate, fast.rate);
  EXPECT_EQ(path.acks[0].latency, Nanoseconds(3));
  EXPECT_EQ(path.receiver_rx_latency, Nanoseconds(4));
  EXPECT_EQ(path.sender_rx_latency, Nanoseconds(2));
  EXPECT_EQ(path.ack_every, 8);
}

}  // namespace
}  // namespace headroom::ideal_path_test
