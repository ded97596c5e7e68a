// Part of topology_builders.h: a topology listed node by node.
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "net/topology/topology_assembly.h"
#include "net/topology/topology_builders.h"

namespace headroom {
namespace {

/// Hosts attached to the same switch form one rack, numbered as the switch: the first link of a host decides.
std::map<std::string, int> RacksOfHosts(const std::vector<std::string>& switches,
                                        const std::vector<CustomLink>& links) {
  std::map<std::string, int> number;
  for (size_t i = 0; i < switches.size(); ++i) number.emplace(switches[i], static_cast<int>(i));
  std::map<std::string, int> rack;
  for (const CustomLink& link : links) {
    if (const auto at = number.find(link.b); at != number.end()) rack.emplace(link.a, at->second);
    if (const auto at = number.find(link.a); at != number.end()) rack.emplace(link.b, at->second);
  }
  return rack;
}

void RequireDistinctPorts(const Topology& topology) {
  std::set<std::pair<NodeId, std::string>> seen;
  const auto check = [&](const LinkEnd& end) {
    if (!seen.insert({end.node, end.port}).second) {
      throw std::invalid_argument("two ports of " + topology.nodes[end.node].name + " are named " + end.port);
    }
  };
  for (const TopologyLink& link : topology.links) {
    check(link.a);
    check(link.b);
  }
}

}  // namespace

Topology BuildCustom(const std::vector<std::string>& hosts, const std::vector<std::string>& switches,
                     const std::vector<CustomLink>& links) {
  const std::map<std::string, int> rack = RacksOfHosts(switches, links);
  TopologyAssembly assembly;
  std::map<std::string, NodeId> node;
  const auto add = [&node](const std::string& name, NodeId id) {
    if (!node.emplace(name, id).second) throw std::invalid_argument("two nodes are named " + name);
  };
  for (const std::string& name : hosts) {
    const auto at = rack.find(name);
    add(name, assembly.AddHost(name, at == rack.end() ? Place{} : Place{.rack = at->second}));
  }
  for (size_t i = 0; i < switches.size(); ++i) {
    add(switches[i], assembly.AddSwitch(switches[i], "switch", {.rack = static_cast<int>(i)}));
  }

  const auto find = [&node](const std::string& name) {
    const auto at = node.find(name);
    if (at == node.end())
      throw std::invalid_argument("a link ends at " + name + ", which is not a host or switch");
    return at->second;
  };
  for (const CustomLink& link : links) {
    assembly.Connect(find(link.a), find(link.b), link.spec, link.a_port, link.b_port);
  }
  Topology topology = assembly.Take();
  RequireDistinctPorts(topology);
  return topology;
}

}  // namespace headroom
