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

bool IsGpu(const std::string& device) { return device.substr(device.find('/') + 1).starts_with("gpu"); }

std::vector<std::string> NamesOfNics(const std::string& host, int nics) {
  if (nics == 1) return {host};
  std::vector<std::string> names;
  for (int i = 0; i < nics; ++i) names.push_back(host + "/n" + std::to_string(i));
  return names;
}

Topology BuildCustom(const std::vector<std::string>& hosts, const std::vector<std::string>& switches,
                     const std::vector<CustomLink>& links, const std::vector<int>& nics,
                     const std::vector<std::string>& devices) {
  const std::map<std::string, int> rack = RacksOfHosts(switches, links);
  TopologyAssembly assembly;
  std::map<std::string, NodeId> node;
  const auto add = [&node](const std::string& name, NodeId id) {
    if (!node.emplace(name, id).second) throw std::invalid_argument("two nodes are named " + name);
  };
  const auto place_of = [&rack](const std::string& name) {
    const auto at = rack.find(name);
    return at == rack.end() ? Place{} : Place{.rack = at->second};
  };
  NodeId next = 0;
  for (size_t i = 0; i < hosts.size(); ++i) {
    const std::vector<std::string> names = NamesOfNics(hosts[i], nics.empty() ? 1 : nics[i]);
    std::vector<Place> places;
    for (const std::string& name : names) places.push_back(place_of(name));
    assembly.AddHost(hosts[i], places);
    for (const std::string& name : names) add(name, next++);
  }
  for (const std::string& name : devices)
    if (IsGpu(name)) add(name, assembly.AddHost(name, place_of(name)));
  for (size_t i = 0; i < switches.size(); ++i) {
    add(switches[i], assembly.AddSwitch(switches[i], "switch", {.rack = static_cast<int>(i)}));
  }
  for (const std::string& name : devices)
    if (!IsGpu(name)) add(name, assembly.AddSwitch(name, "device", {}));

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
