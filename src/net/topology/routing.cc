#include "net/topology/routing.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

namespace headroom {
namespace {

using Ports = std::vector<uint16_t>;
/// For each node: the neighbour at each port.
using Neighbours = std::vector<std::vector<NodeId>>;

constexpr uint32_t kUnreached = UINT32_MAX;
constexpr NodeId kNobody = UINT32_MAX;  ///< the neighbour at the far end of a link that is down

Neighbours NeighboursOf(const Topology& topology, const std::vector<int>& down) {
  Neighbours neighbours(topology.nodes.size());
  for (size_t i = 0; i < topology.links.size(); ++i) {
    const TopologyLink& link = topology.links[i];
    const bool up = down.empty() || down[i] == 0;
    neighbours[link.a.node].push_back(up ? link.b.node : kNobody);
    neighbours[link.b.node].push_back(up ? link.a.node : kNobody);
  }
  for (NodeId n = 0; n < neighbours.size(); ++n) {
    if (neighbours[n].size() > size_t{UINT16_MAX} + 1) {
      throw std::length_error(topology.nodes[n].name + " has more than 65536 ports");
    }
  }
  return neighbours;
}

/// For every node, the ports that lead to a switch. Hosts do not forward, and are most neighbours of most
/// switches.
class SwitchPorts {
 public:
  struct Exit {
    uint16_t port;
    uint32_t to;  ///< switch number, counted from 0
  };

  SwitchPorts(const Neighbours& neighbours, uint32_t hosts) : switches_(neighbours.size() - hosts) {
    for (const std::vector<NodeId>& of_node : neighbours) {
      begin_.push_back(exits_.size());
      for (size_t p = 0; p < of_node.size(); ++p) {
        if (of_node[p] == kNobody || of_node[p] < hosts) continue;
        exits_.push_back({static_cast<uint16_t>(p), of_node[p] - hosts});
      }
    }
    begin_.push_back(exits_.size());
  }

  std::span<const Exit> Of(NodeId node) const {
    return {exits_.data() + begin_[node], exits_.data() + begin_[node + 1]};
  }
  size_t switches() const { return switches_; }

 private:
  size_t switches_;
  std::vector<size_t> begin_;
  std::vector<Exit> exits_;
};

/// Hosts with the same neighbours at the same ports.
struct Groups {
  std::vector<RouteSlot> slots;              ///< indexed by host
  std::vector<std::vector<NodeId>> members;  ///< indexed by group, in order of rank
};

Groups GroupHosts(const Neighbours& neighbours, uint32_t hosts) {
  Groups groups;
  std::map<std::vector<NodeId>, uint32_t> known;
  for (NodeId host = 0; host < hosts; ++host) {
    const auto [at, is_new] = known.emplace(neighbours[host], static_cast<uint32_t>(known.size()));
    if (is_new) groups.members.emplace_back();
    std::vector<NodeId>& members = groups.members[at->second];
    groups.slots.push_back({at->second, static_cast<uint32_t>(members.size())});
    members.push_back(host);
  }
  return groups;
}

/// For each switch, counted from 0: the smallest switch of its connected component.
std::vector<uint32_t> ComponentsOf(const SwitchPorts& exits, uint32_t hosts) {
  constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> component(exits.switches(), kNone), queue;
  for (uint32_t first = 0; first < component.size(); ++first) {
    if (component[first] != kNone) continue;
    component[first] = first;
    queue.assign(1, first);
    for (size_t i = 0; i < queue.size(); ++i) {
      for (const SwitchPorts::Exit& exit : exits.Of(hosts + queue[i])) {
        if (component[exit.to] != kNone) continue;
        component[exit.to] = first;
        queue.push_back(exit.to);
      }
    }
  }
  return component;
}

/// A table under construction: equal sets are stored once.
class TableBuilder {
 public:
  void Add(const Ports& set) {
    if (last_ == nullptr || last_->first != set) {  // nearby groups have the same path
      const auto [at, is_new] = known_.try_emplace(set);
      if (is_new) at->second = Store(set, set.size(), false);
      last_ = &*at;
    }
    entries_.push_back(last_->second);
  }

  /// REQUIRES: each member has the same number of ports.
  void AddDirect(const std::vector<NodeId>& neighbours, const std::vector<NodeId>& members) {
    std::map<NodeId, Ports> ports_to;
    for (NodeId member : members) ports_to[member];
    for (size_t p = 0; p < neighbours.size(); ++p) {
      const auto at = ports_to.find(neighbours[p]);
      if (at != ports_to.end()) at->second.push_back(static_cast<uint16_t>(p));
    }
    Ports of_all;
    for (NodeId member : members)
      of_all.insert(of_all.end(), ports_to[member].begin(), ports_to[member].end());
    entries_.push_back(Store(of_all, ports_to.begin()->second.size(), true));
  }

  RouteTable Take(std::shared_ptr<const std::vector<RouteSlot>> slots) {
    return RouteTable(std::move(slots), std::make_shared<const std::vector<RouteEntry>>(std::move(entries_)),
                      std::make_shared<const Ports>(std::move(ports_)));
  }

 private:
  /// The entry for these ports, `count` ports for each host.
  RouteEntry Store(const Ports& ports, size_t count, bool direct) {
    const bool listed =
        std::ranges::adjacent_find(ports, [](int a, int b) { return b != a + 1; }) != ports.end();
    if (listed)
      ports_.resize((ports_.size() + RouteEntry::kStep - 1) / RouteEntry::kStep * RouteEntry::kStep);
    const size_t first = listed ? ports_.size() / RouteEntry::kStep : ports.empty() ? 0 : ports.front();
    if (first > UINT16_MAX || count > kMostNextHops) {
      throw std::length_error("more equal-cost next hops at a node than a route table holds");
    }
    if (listed) ports_.insert(ports_.end(), ports.begin(), ports.end());
    RouteEntry entry{};
    entry.first = static_cast<uint16_t>(first);
    entry.count = static_cast<uint16_t>(count & 0x7ff);
    entry.direct = direct;
    entry.listed = listed;
    return entry;
  }

  std::map<Ports, RouteEntry> known_;
  const std::pair<const Ports, RouteEntry>* last_ = nullptr;  ///< the last entry in known_
  std::vector<RouteEntry> entries_;
  Ports ports_;
};

/// Hops from every switch to the hosts of one group, by breadth-first search from the switches next to them.
class HopCounter {
 public:
  HopCounter(const SwitchPorts& exits, uint32_t hosts) : exits_(exits), hosts_(hosts) {}

  const std::vector<uint32_t>& CountTo(NodeId member) {
    hops_.assign(exits_.switches(), kUnreached);
    queue_.clear();
    Reach(member, 1);
    for (size_t i = 0; i < queue_.size(); ++i) Reach(hosts_ + queue_[i], hops_[queue_[i]] + 1);
    return hops_;
  }

 private:
  void Reach(NodeId from, uint32_t hops) {
    for (const SwitchPorts::Exit& exit : exits_.Of(from)) {
      if (hops_[exit.to] != kUnreached) continue;
      hops_[exit.to] = hops;
      queue_.push_back(exit.to);
    }
  }

  const SwitchPorts& exits_;
  uint32_t hosts_;
  std::vector<uint32_t> hops_;
  std::vector<uint32_t> queue_;
};

void FindPortsOnShortestPaths(std::span<const SwitchPorts::Exit> exits, const std::vector<uint32_t>& hops,
                              Ports& ports) {
  ports.clear();
  uint32_t best = kUnreached;
  for (const SwitchPorts::Exit& exit : exits) {
    const uint32_t here = hops[exit.to];
    if (here == kUnreached || here > best) continue;
    if (here < best) ports.clear();
    best = here;
    ports.push_back(exit.port);
  }
}

void FindPortsOnPaths(std::span<const SwitchPorts::Exit> exits, const std::vector<uint32_t>& hops,
                      Ports& ports) {
  ports.clear();
  for (const SwitchPorts::Exit& exit : exits) {
    if (hops[exit.to] != kUnreached) ports.push_back(exit.port);
  }
}

/// The weights of links, by node and port; empty if all links weigh the same.
using Weights = std::vector<std::vector<int>>;

Weights WeightsOf(const Topology& topology) {
  const auto differ = [](const TopologyLink& a, const TopologyLink& b) {
    return a.spec.weight != b.spec.weight;
  };
  if (std::ranges::adjacent_find(topology.links, differ) == topology.links.end()) return {};
  Weights weights(topology.nodes.size());
  for (const TopologyLink& link : topology.links) {
    weights[link.a.node].push_back(link.spec.weight);
    weights[link.b.node].push_back(link.spec.weight);
  }
  return weights;
}

/// Repeats ports in the ratio of their links' weights, in lowest terms. `weights`: one for each port.
void RepeatByWeight(const std::vector<int>& weights, Ports& ports) {
  int common = 0;
  for (const uint16_t port : ports) common = std::gcd(common, weights[port]);
  Ports repeated;
  for (const uint16_t port : ports)
    repeated.insert(repeated.end(), static_cast<size_t>(weights[port] / common), port);
  ports = std::move(repeated);
}

/// The numbers 0 to 65535: a set of consecutive ports is a part of this list.
const Ports& Numbers() {
  static const Ports numbers = [] {
    Ports all(size_t{UINT16_MAX} + 1);
    std::iota(all.begin(), all.end(), uint16_t{0});
    return all;
  }();
  return numbers;
}

}  // namespace

std::span<const uint16_t> RouteTable::NextHops(NodeId host) const {
  const RouteSlot slot = slots_[host];
  const RouteEntry entry = entries_[slot.group];
  const uint16_t* set =
      entry.listed ? ports_ + entry.first * RouteEntry::kStep : Numbers().data() + entry.first;
  return {set + (entry.direct ? slot.rank * entry.count : 0), entry.count};
}

uint16_t RouteTable::ListedHop(NodeId host, uint32_t flow_hash, uint32_t node_seed) const {
  const std::span<const uint16_t> set = NextHops(host);
  return set[EcmpChoice(flow_hash, node_seed, static_cast<uint32_t>(set.size()))];
}

std::vector<RouteTable> ComputeRoutes(const Topology& topology) { return ComputeRoutes(topology, {}); }

std::vector<RouteTable> ComputeRoutes(const Topology& topology, const std::vector<int>& down) {
  const Neighbours neighbours = NeighboursOf(topology, down);
  Groups groups = GroupHosts(neighbours, topology.hosts);
  const SwitchPorts exits(neighbours, topology.hosts);

  // Hosts of one group have equal tables, so the first member stands for all. Hosts with one link to a switch
  // have equal tables, too, as far as their switches are connected, since that link is their only one. This
  // saves racks × racks entries.
  std::vector<NodeId> deciders;
  for (NodeId n = topology.hosts; n < neighbours.size(); ++n) deciders.push_back(n);
  const std::vector<uint32_t> components = ComponentsOf(exits, topology.hosts);
  std::map<uint32_t, size_t> decider_of_component;
  std::vector<size_t> decider_of_group;
  for (const std::vector<NodeId>& members : groups.members) {
    const std::vector<NodeId>& next = neighbours[members.front()];
    if (next.size() == 1 && next[0] != kNobody && next[0] >= topology.hosts) {
      const auto [at, is_new] =
          decider_of_component.emplace(components[next[0] - topology.hosts], deciders.size());
      decider_of_group.push_back(at->second);
      if (!is_new) continue;
    } else {
      decider_of_group.push_back(deciders.size());
    }
    deciders.push_back(members.front());
  }

  std::vector<TableBuilder> builders(deciders.size());
  HopCounter counter(exits, topology.hosts);
  Ports ports;
  const Weights weights = WeightsOf(topology);
  for (const std::vector<NodeId>& members : groups.members) {
    const std::vector<uint32_t>& hops = counter.CountTo(members.front());
    const std::vector<NodeId>& next = neighbours[members.front()];
    for (size_t i = 0; i < deciders.size(); ++i) {
      if (std::ranges::find(next, deciders[i]) != next.end()) {
        builders[i].AddDirect(neighbours[deciders[i]], members);
        continue;
      }
      if (deciders[i] < topology.hosts) {
        FindPortsOnPaths(exits.Of(deciders[i]), hops, ports);
      } else {
        FindPortsOnShortestPaths(exits.Of(deciders[i]), hops, ports);
        if (!weights.empty()) RepeatByWeight(weights[deciders[i]], ports);
      }
      builders[i].Add(ports);
    }
  }
  const auto slots = std::make_shared<const std::vector<RouteSlot>>(std::move(groups.slots));
  std::vector<RouteTable> by_decider;
  for (TableBuilder& builder : builders) by_decider.push_back(builder.Take(slots));
  std::vector<RouteTable> tables;
  for (NodeId n = 0; n < neighbours.size(); ++n) {
    tables.push_back(
        by_decider[n < topology.hosts ? decider_of_group[(*slots)[n].group] : n - topology.hosts]);
  }
  return tables;
}

std::shared_ptr<const std::vector<RouteSlot>> SlotsOfHosts(uint32_t hosts) {
  std::vector<RouteSlot> slots(hosts);
  for (uint32_t host = 0; host < hosts; ++host) slots[host].group = host;
  return std::make_shared<const std::vector<RouteSlot>>(std::move(slots));
}

RouteTable TableOf(std::shared_ptr<const std::vector<RouteSlot>> slots,
                   const std::vector<std::vector<uint16_t>>& next_hops) {
  TableBuilder builder;
  for (const Ports& set : next_hops) builder.Add(set);
  return builder.Take(std::move(slots));
}

uint32_t EcmpSeed(const std::string& node_name) {
  uint32_t hash = 2166136261u;
  for (const char c : node_name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash;
}

EcmpPaths::EcmpPaths(const Topology& topology, const std::vector<RouteTable>& routes,
                     std::vector<uint32_t> seeds)
    : routes_(routes), seeds_(std::move(seeds)), hops_(topology.nodes.size()) {
  if (seeds_.empty())
    for (const TopologyNode& node : topology.nodes) seeds_.push_back(EcmpSeed(node.name));
  for (uint32_t l = 0; l < topology.links.size(); ++l) {
    const TopologyLink& link = topology.links[l];
    hops_[link.a.node].push_back({link.a, link.b, l});
    hops_[link.b.node].push_back({link.b, link.a, l});
  }
}

std::vector<PathHop> EcmpPaths::Of(NodeId src, NodeId dst, uint32_t source_port) const {
  const uint32_t hash = FlowHash(src, dst, source_port);
  std::vector<PathHop> path;
  for (NodeId at = src; at != dst;) {
    const std::span<const uint16_t> ports = routes_[at].NextHops(dst);
    if (ports.empty()) return {};
    path.push_back(hops_[at][ports[EcmpChoice(hash, seeds_[at], static_cast<uint32_t>(ports.size()))]]);
    at = path.back().to.node;
  }
  return path;
}

std::vector<PathHop> EcmpPath(const Topology& topology, const std::vector<RouteTable>& routes, NodeId src,
                              NodeId dst, uint32_t source_port) {
  return EcmpPaths(topology, routes).Of(src, dst, source_port);
}

}  // namespace headroom
