// The parts of the network: nodes by tier, links by their ends and kinds.
#pragma once

#include <string>
#include <vector>

#include "analysis/bounds/fabric.h"
#include "workload/parameters.h"

namespace headroom {

struct TierCount {
  std::string tier;
  uint32_t nodes = 0;
};

/// Equal links between the same two tiers.
struct LinkClass {
  std::string lower, upper;
  LinkSpec spec;
  uint32_t links = 0;
  std::string example;  ///< node:port at the lower tier
};

/// Pairs of hosts with one kind of smallest common place. Base RTT: one frame of full payload alone in the
/// network, from posting to its ACK. The bandwidth-delay product uses the sender's line rate.
struct Distance {
  Scope scope = Scope::rack;
  size_t least_hops = 0, most_hops = 0;
  Time least_rtt, most_rtt;
  Bytes least_bdp, most_bdp;
  std::string from, to;  ///< a pair with the minimum RTT
};

struct TopologyCheck {
  std::vector<TierCount> tiers;  ///< hosts first, then tiers upwards
  std::vector<LinkClass> links;
  std::vector<Distance> distances;  ///< nearest first; distances without a pair are left out
};

/// Counts the paths of one queue pair in each direction. In very large networks, a sample of the racks
/// represents all.
TopologyCheck CheckTopology(const Fabric& fabric);

/// The smallest place that contains both.
Scope CommonScope(const Place& a, const Place& b);
const char* ScopeName(Scope scope);

}  // namespace headroom
