// Headroom as a library: a topology from a builder, its timing in exact picoseconds, and a run of ns-3's
// simulator.
#include <iostream>

#include "net/topology_builders.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "sim/units.h"

int main() {
  ns3::Time::SetResolution(ns3::Time::PS);

  const headroom::LinkSpec cable{
      .rate = headroom::GigabitsPerSecond(100), .delay = headroom::Nanoseconds(15), .phy = {}};
  const headroom::Topology star = headroom::BuildStar({"a", "b", "c"}, cable);

  // A frame of 1024 bytes crosses the first link: its last bit arrives after serialization and propagation.
  const headroom::LinkSpec& link = star.links.front().spec;
  const headroom::Time arrival = headroom::SerializationTime(headroom::Bytes(1024), link.rate) + link.delay;
  ns3::Simulator::Schedule(ns3::PicoSeconds(arrival.v), [&star] {
    std::cout << star.nodes[star.links.front().b.node].name << " has the frame at "
              << ns3::Simulator::Now().As(ns3::Time::NS) << '\n';
  });
  ns3::Simulator::Run();
  const bool on_time = ns3::Simulator::Now() == ns3::PicoSeconds(96'920);
  ns3::Simulator::Destroy();
  return on_time ? 0 : 1;
}
