// The routes of a scenario's nodes, and the ways that packets of a flow may take along them.
//
// Most flows have one way, by ECMP's hash. Where a switch on it chooses for each packet or flowlet, a flow
// has several. All have as many hops: they are shortest ones.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "net/topology/routing.h"
#include "scenario/send_windows.h"

namespace headroom {

/// One table a node: shortest paths, or at switches with dimension order those. Links that are not 0 in
/// `down` are left out; empty: none is.
std::vector<RouteTable> RoutesOf(const Scenario& scenario, const std::vector<int>& down = {});

/// A transmission that packets of a flow may make.
struct WayHop {
  PathHop hop;
  /// Of the flow's packets, where every switch that splits it does so by the weights alone. Spraying does;
  /// flowlets and adaptive routing may not.
  double share = 1;
};
/// By distance from the sender; empty where there is no way.
using WayHops = std::vector<std::vector<WayHop>>;

class FlowWays {
 public:
  /// Keeps references to all of them.
  FlowWays(const Scenario& scenario, const std::vector<RouteTable>& routes, const EcmpPaths& paths);
  WayHops Of(NodeId src, NodeId dst, uint32_t source_port) const;
  /// Whether some switch of the network splits flows.
  bool some_split() const { return some_split_; }

 private:
  const Scenario& scenario_;
  const std::vector<RouteTable>& routes_;
  const EcmpPaths& paths_;
  bool some_split_ = false;
};

/// Whether packets of a flow may overtake each other: switches split flows, or links delay frames at random.
bool MayOvertake(const Scenario& scenario);
/// How many there are; a large number is not exact.
double CountWays(const WayHops& ways);
/// All packets take the same way.
bool IsOneWay(const WayHops& ways);
/// No packet takes longer than along these hops: of each distance the lowest rate, and the longest delay and
/// latency.
std::vector<IdealHop> LongestHops(const Scenario& scenario, const WayHops& ways);
/// No packet takes less time than along these.
std::vector<IdealHop> ShortestHops(const Scenario& scenario, const WayHops& ways);

/// The ways do not differ in rates, delays and latencies.
bool AreAlike(const Scenario& scenario, const WayHops& ways);

}  // namespace headroom
