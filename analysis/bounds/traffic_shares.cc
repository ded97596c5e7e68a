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

  /// Adds to `crossings`, which is indexed by directed link. `member` is a host of the rack.
  void Spread(const TrafficShares& shares, uint32_t rack, NodeId member, std::vector<double>& crossings) {
    const std::vector<NodeId>& racks = fabric_.racks();
    std::ranges::fill(inflow_, 0.0);
    for (size_t from = 0; from < racks.size(); ++from) {
      if (from != rack) inflow_[racks[from]] += shares.between[from * racks.size() + rack];
    }
    for (const NodeId node : FarthestFirst(racks[rack])) {
      if (node == racks[rack] || inflow_[node] <= 0) continue;
      const auto ports = fabric_.routes()[node].NextHops(member);
      const double each = inflow_[node] / static_cast<double>(std::max<size_t>(1, ports.size()));
      for (const uint16_t port : ports) {
        const PathHop& hop = fabric_.paths().HopAt(node, port);
        crossings[fabric_.Direction(hop)] += each;
        inflow_[hop.to.node] += each;
      }
    }
  }

 private:
  std::vector<NodeId> FarthestFirst(NodeId rack) const {
    std::vector<char> seen(neighbours_.size());
    std::vector<NodeId> order{rack};
    seen[rack] = 1;
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
    const PathHop& up = fabric.UplinkOf(host);
    const DirectedLink away = fabric.Direction(up);
    member[fabric.RackOf(host)] = host;
    crossings[away] += shares.out[host];
    // Between two hosts without a switch, the uplink of one is the downlink of the other.
    if (!fabric.node(up.to.node).is_host) crossings[away ^ 1u] += shares.in[host];
  }
  ToRack to_rack(fabric);
  for (uint32_t rack = 0; rack < member.size(); ++rack) {
    if (!fabric.node(fabric.racks()[rack]).is_host) to_rack.Spread(shares, rack, member[rack], crossings);
  }
  return crossings;
}

}  // namespace headroom
