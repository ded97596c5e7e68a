#include "analysis/bounds/traffic_shares.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "workload/nic_shares.h"

namespace headroom {
namespace {

class Sums final : public TrafficSums, public ShareSink {
 public:
  using TrafficSums::TrafficSums;

  void Add(NodeId from, NodeId to, double amount) override { TrafficSums::Add(from, to, amount); }

  void AddUniform(const std::vector<std::pair<NodeId, double>>& senders,
                  const std::vector<NodeId>& reach) override {
    std::vector<NodeId> sorted = reach;
    std::ranges::sort(sorted);
    std::map<uint32_t, double> hosts_in_rack;
    for (const NodeId to : reach) ++hosts_in_rack[fabric_.RackOf(to)];
    double to_each = 0;
    for (const auto& [from, weight] : senders) {
      const bool within = std::ranges::binary_search(sorted, from);
      const double each = weight / static_cast<double>(reach.size() - (within ? 1 : 0));
      to_each += each;
      sums_.out[from] += weight;
      for (const auto& [rack, hosts] : hosts_in_rack) Between(from, rack) += each * hosts;
      if (!within) continue;
      sums_.in[from] -= each;
      Between(from, fabric_.RackOf(from)) -= each;
    }
    for (const NodeId to : reach) sums_.in[to] += to_each;
  }

  double Sum() const { return std::accumulate(sums_.out.begin(), sums_.out.end(), 0.0); }
  TrafficShares Take(double sum) {
    if (sum > 0) {
      for (auto* all : {&sums_.out, &sums_.in, &sums_.between}) {
        for (double& share : *all) share /= sum;
      }
    }
    return std::move(sums_);
  }
};

/// Sums over some of the senders. A call for all senders adds their sum.
class SumsOfSome final : public ShareSink {
 public:
  SumsOfSome(Sums& sums, const std::function<bool(NodeId)>& sends) : sums_(sums), sends_(sends) {}
  void Add(NodeId from, NodeId to, double amount) override {
    if (sends_(from)) sums_.Add(from, to, amount);
    all += from == to ? 0 : amount;
  }
  void AddUniform(const std::vector<std::pair<NodeId, double>>& senders,
                  const std::vector<NodeId>& reach) override {
    std::vector<std::pair<NodeId, double>> some;
    for (const auto& sender : senders) {
      if (sends_(sender.first)) some.push_back(sender);
      all += sender.second;
    }
    sums_.AddUniform(some, reach);
  }
  double all = 0;

 private:
  Sums& sums_;
  const std::function<bool(NodeId)>& sends_;
};

/// Traffic from racks to one rack, on its path through the switches.
class ToRack {
 public:
  explicit ToRack(const Fabric& fabric)
      : fabric_(fabric), neighbours_(fabric.topology().nodes.size()), inflow_(neighbours_.size()) {
    for (const TopologyLink& link : fabric.topology().links) {
      neighbours_[link.a.node].push_back(link.b.node);
      neighbours_[link.b.node].push_back(link.a.node);
    }
  }

  /// Adds to `crossings`, which is indexed by directed link. `member` is a host of the rack. Returns the
  /// share of the rack's traffic that arrives at each of its ports.
  std::vector<double> Spread(const TrafficShares& shares, uint32_t rack, NodeId member,
                             std::vector<double>& crossings) {
    const std::vector<Fabric::Rack>& racks = fabric_.racks();
    const Fabric::Rack& own = racks[rack];
    std::ranges::fill(inflow_, 0.0);
    for (size_t from = 0; from < racks.size(); ++from) {
      for (const NodeId node : racks[from])
        inflow_[node] += shares.between[from * racks.size() + rack] / static_cast<double>(racks[from].size());
    }
    for (const NodeId node : FarthestFirst(own)) {
      // The hosts of the rack are neighbours of its nodes.
      if (inflow_[node] <= 0 || std::ranges::find(own, node) != own.end()) continue;
      const auto ports = fabric_.routes()[node].NextHops(member);
      const double each = inflow_[node] / static_cast<double>(std::max<size_t>(1, ports.size()));
      for (const uint16_t port : ports) {
        const PathHop& hop = fabric_.paths().HopAt(node, port);
        crossings[fabric_.Direction(hop)] += each;
        inflow_[hop.to.node] += each;
      }
    }
    if (own.size() == 1) return {1};
    double all = 0;
    std::vector<double> shares_of_ports;
    for (const NodeId node : own) {
      // A node delivers evenly over its links to a host.
      shares_of_ports.push_back(inflow_[node] / static_cast<double>(std::ranges::count(own, node)));
      all += shares_of_ports.back();
    }
    for (double& share : shares_of_ports) share = all > 0 ? share / all : 0;
    return shares_of_ports;
  }

 private:
  std::vector<NodeId> FarthestFirst(const Fabric::Rack& rack) const {
    std::vector<char> seen(neighbours_.size());
    std::vector<NodeId> order;
    for (const NodeId node : rack) {
      if (seen[node] == 0) order.push_back(node);
      seen[node] = 1;
    }
    for (size_t i = 0; i < order.size(); ++i) {
      for (const NodeId next : neighbours_[order[i]]) {
        if (next < fabric_.topology().hosts || seen[next]) continue;
        seen[next] = 1;
        order.push_back(next);
      }
    }
    std::ranges::reverse(order);
    return order;
  }

  const Fabric& fabric_;
  std::vector<std::vector<NodeId>> neighbours_;
  std::vector<double> inflow_;  ///< indexed by node
};

}  // namespace

TrafficSums::TrafficSums(const Fabric& fabric) : fabric_(fabric), racks_(fabric.racks().size()) {
  sums_.out.resize(fabric.topology().hosts);
  sums_.in.resize(fabric.topology().hosts);
  sums_.between.resize(racks_ * racks_);
}

void TrafficSums::Add(NodeId from, NodeId to, double amount) {
  if (from == to) return;
  sums_.out[from] += amount;
  sums_.in[to] += amount;
  Between(from, fabric_.RackOf(to)) += amount;
}

TrafficShares TrafficShares::Reversed(size_t racks) const {
  TrafficShares reversed{in, out, std::vector<double>(between.size())};
  for (size_t i = 0; i < racks; ++i) {
    for (size_t j = 0; j < racks; ++j) reversed.between[j * racks + i] = between[i * racks + j];
  }
  return reversed;
}

TrafficShares SharesOf(const WorkloadParameters& workload, const Fabric& fabric) {
  Sums sums(fabric);
  AddSharesOfNics(workload, fabric.hosts(), sums);
  return sums.Take(sums.Sum());
}

TrafficShares SharesOf(const WorkloadParameters& workload, const Fabric& fabric,
                       const std::function<bool(NodeId)>& sends) {
  Sums sums(fabric);
  SumsOfSome some(sums, sends);
  AddSharesOfNics(workload, fabric.hosts(), some);
  return sums.Take(some.all);
}

std::vector<double> ExpectedCrossings(const TrafficShares& shares, const Fabric& fabric) {
  std::vector<double> crossings(2 * fabric.topology().links.size());
  std::vector<NodeId> member(fabric.racks().size());
  for (NodeId host = 0; host < fabric.topology().hosts; ++host) {
    member[fabric.RackOf(host)] = host;
    const uint32_t ports = fabric.PortsOf(host);
    for (uint32_t port = 0; port < ports; ++port)
      crossings[fabric.Direction(fabric.UplinkOf(host, port))] += shares.out[host] / ports;
  }
  ToRack to_rack(fabric);
  std::vector<std::vector<double>> of_ports(member.size());  // indexed by rack
  for (uint32_t rack = 0; rack < member.size(); ++rack) {
    // Between two hosts without a switch, the uplink of one is the downlink of the other.
    if (!fabric.node(fabric.racks()[rack].front()).is_host)
      of_ports[rack] = to_rack.Spread(shares, rack, member[rack], crossings);
  }
  for (NodeId host = 0; host < fabric.topology().hosts; ++host) {
    const std::vector<double>& share = of_ports[fabric.RackOf(host)];
    for (uint32_t port = 0; port < share.size(); ++port)
      crossings[fabric.Direction(fabric.UplinkOf(host, port)) ^ 1u] += shares.in[host] * share[port];
  }
  return crossings;
}

}  // namespace headroom
