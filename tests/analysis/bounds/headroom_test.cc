#include "analysis/bounds/headroom.h"

#include <gtest/gtest.h>

#include "net/topology/topology_builders.h"

namespace headroom::headroom_test {
namespace {

TEST(HeadroomOfLink, TakesItsTermsFromTheScenario) {
  Scenario scenario;
  const LinkSpec cable{GigabitsPerSecond(100), Nanoseconds(1'500), Nanoseconds(100), 0.0};
  scenario.topology = BuildCustom({"a"}, {"s", "t"}, {{"a", "", "s", "", cable}, {"s", "", "t", "", cable}});
  scenario.switches.resize(2);
  scenario.switches[0].pfc.response = Nanoseconds(80);
  scenario.switches[1].pfc.response = Nanoseconds(160);
  scenario.switches[0].buffer.cell = Bytes(208);

  // 100 Gb/s is 12.5 B/ns; a frame of 1024 B payload is 62 + 16 + 1024 = 1102 B, 1122 with preamble and gap.
  const LinkHeadroom from_host = HeadroomOfLink(scenario, scenario.topology.links[0], 1);
  EXPECT_EQ(from_host.cable, Bytes(40'000));  // 2 · (1500 + 100) ns
  EXPECT_EQ(from_host.pause_waits, Bytes(1'122));
  EXPECT_EQ(from_host.pause_frame, Bytes(84));
  EXPECT_EQ(from_host.response, Bytes(1'000));  // 80 ns, as set at the host's switch
  EXPECT_EQ(from_host.frame_begun, Bytes(1'102));
  // The smallest frame has 1 B of payload, 64 B. Of less than 42 206 B of wire each such frame takes 84 B and
  // a cell of 208 B; the frame over the limit and the last one take 6 cells each.
  EXPECT_EQ(from_host.over_limit, Bytes(1'102));
  EXPECT_EQ(from_host.Total(), Bytes(42'205 * 208 / 84 + 2 * 6 * 208));

  // From the other switch the peer's response counts: 160 ns, 2000 B.
  EXPECT_EQ(HeadroomOfLink(scenario, scenario.topology.links[1], 1).response, Bytes(2'000));
  EXPECT_EQ(HeadroomOfLink(scenario, scenario.topology.links[1], 2).response, Bytes(1'000));
}

}  // namespace
}  // namespace headroom::headroom_test
