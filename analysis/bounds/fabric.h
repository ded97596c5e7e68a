// A scenario's network with the data that questions about flows need: routes, paths, racks, line rates.
#pragma once

#include <cstdint>
#include <vector>

#include "net/topology/routing.h"
#include "scenario/paths/flow_paths.h"
#include "scenario/scenario.h"

namespace headroom {

/// A link in one direction: twice the link's index from its end a to its end b, plus one from b to a.
using DirectedLink = uint32_t;

class Fabric {
 public:
  /// Keeps a reference to the scenario.
  explicit Fabric(const Scenario& scenario) : Fabric(scenario, {}) {}
  /// The routes leave out the links with `down` other than 0; empty: no link is down.
  Fabric(const Scenario& scenario, const std::vector<int>& down);
  Fabric(const Fabric&) = delete;
  Fabric& operator=(const Fabric&) = delete;

  const Scenario& scenario() const { return scenario_; }
  const Topology& topology() const { return scenario_.topology; }
  const std::vector<RouteTable>& routes() const { return routes_; }
  /// Paths of flows that no switch splits.
  const EcmpPaths& paths() const { return paths_; }
  /// Paths of all flows.
  const FlowPaths& flow_paths() const { return flow_paths_; }
  const TopologyNode& node(NodeId id) const { return scenario_.topology.nodes[id]; }

  /// The hosts in the form that workloads need.
  const HostView& hosts() const { return hosts_; }

  /// A link of a host, in the direction away from the host.
  const PathHop& UplinkOf(NodeId host, uint32_t port = 0) const { return paths_.HopAt(host, port); }
  uint32_t PortsOf(NodeId host) const { return hosts_.ports[host]; }
  /// The rate of one port, the most that a queue pair sends; and that of all ports.
  Rate LineRate(NodeId host) const { return hosts_.PortRate(host); }
  Rate Capacity(NodeId host) const { return hosts_.line_rates[host]; }
  const TopologyLink& LinkOf(const PathHop& hop) const { return scenario_.topology.links[hop.link]; }
  DirectedLink Direction(const PathHop& hop) const {
    const LinkEnd& a = LinkOf(hop).a;
    return 2 * hop.link + (a.node == hop.from.node && a.port_index == hop.from.port_index ? 0 : 1);
  }

  /// A rack here: the node, or the nodes, to which its hosts are attached, port by port. Racks are numbered
  /// in the order of the hosts.
  using Rack = std::vector<NodeId>;
  uint32_t RackOf(NodeId host) const { return rack_of_[host]; }
  const std::vector<Rack>& racks() const { return racks_; }

 private:
  const Scenario& scenario_;
  std::vector<RouteTable> routes_;
  EcmpPaths paths_;
  FlowPaths flow_paths_;
  std::vector<uint32_t> rack_of_;
  std::vector<Rack> racks_;
  HostView hosts_;
};

}  // namespace headroom
