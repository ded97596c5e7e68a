// The routes of a scenario's nodes, and the paths that packets of a flow may take along them.
//
// Most flows have one path, chosen by ECMP's hash. If a switch on it chooses per packet or flowlet, or the
// sender changes the entropy (balancing), a flow has several. All are shortest paths, so they have equally
// many hops.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "net/topology/routing.h"
#include "scenario/send_windows.h"

namespace headroom {

/// The seed with which a node hashes five-tuples.
uint32_t EcmpSeedOf(const Scenario& scenario, NodeId node);
/// Those of all nodes, by number.
std::vector<uint32_t> EcmpSeedsOf(const Scenario& scenario);
/// One table per node: shortest paths, or, at switches with dimension order, those paths. Links with `down`
/// other than 0 are left out; empty: no link is down.
std::vector<RouteTable> RoutesOf(const Scenario& scenario, const std::vector<int>& down = {});

/// A transmission that packets of a flow may make.
struct FlowHop {
  PathHop hop;
  /// Share of the flow's packets, if every switch that splits the flow does so by the weights alone. Spraying
  /// does so; flowlets, adaptive routing and balancing by feedback may not.
  double share = 1;
};
/// Indexed by distance from the sender; empty if there is no path.
using FlowHops = std::vector<std::vector<FlowHop>>;

class FlowPaths {
 public:
  /// Keeps references to all its arguments.
  FlowPaths(const Scenario& scenario, const std::vector<RouteTable>& routes, const EcmpPaths& paths);
  FlowHops Of(NodeId src, NodeId dst, uint32_t source_port) const;
  /// Whether some switch or sender of the network splits flows.
  bool some_split() const { return some_split_; }

 private:
  const Scenario& scenario_;
  const std::vector<RouteTable>& routes_;
  const EcmpPaths& paths_;
  bool some_split_ = false;
};

/// Whether packets of a flow may overtake each other: switches or senders split flows, or links delay frames
/// at random.
bool MayOvertake(const Scenario& scenario);
/// The number of paths; a large number is not exact.
double CountPaths(const FlowHops& hops);
/// Whether all packets take the same path.
bool IsOnePath(const FlowHops& hops);
/// No packet takes longer than along these hops: the lowest rate, and the longest delay and latency, of each
/// distance.
std::vector<IdealHop> LongestHops(const Scenario& scenario, const FlowHops& hops);
/// No packet takes less time than along these hops.
std::vector<IdealHop> ShortestHops(const Scenario& scenario, const FlowHops& hops);

/// Whether the paths have the same rates, delays and latencies.
bool AreAlike(const Scenario& scenario, const FlowHops& hops);

}  // namespace headroom
