#include "scenario/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "scenario/yaml/nearest.h"
#include "scenario/yaml/pattern.h"
#include "scenario/yaml/reader.h"

namespace headroom {

NodeNames::NodeNames(const Topology& topology) : topology_(topology) {
  for (NodeId id = 0; id < topology.nodes.size(); ++id) {
    const TopologyNode& node = topology.nodes[id];
    ids_.emplace(node.name, id);
    if (node.nics > 1) ids_.emplace(HostName(node.name), id);
  }
}

void NodeNames::Meet(const std::string& name, NodeId host) const {
  const bool inside = name.find('/') != std::string::npos;
  met_.nics |= inside;
  met_.hosts |= !inside && topology_.nodes[host].nics > 1;
}

NodeId NodeNames::AnyNode(const Node& node) const {
  RefuseBoolean(node);
  const std::string name = ParseText(node);
  const auto found = ids_.find(name);
  if (found == ids_.end())
    throw ScenarioError(node.where, "there is no node " + Quote(name),
                        fmt::format("there are {} and {}", SomeNames(0, topology_.hosts),
                                    SomeNames(topology_.hosts, topology_.nodes.size())),
                        NearestNode(name, true, true));
  const TopologyNode& first = topology_.nodes[found->second];
  if (first.name != name)
    throw ScenarioError(node.where, fmt::format("{} has {} NICs", Quote(name), first.nics),
                        fmt::format("name one of them, such as {}", first.name));
  return found->second;
}

NodeId NodeNames::Host(const Node& node) const {
  RefuseBoolean(node);
  const std::string name = ParseText(node);
  const auto found = ids_.find(name);
  if (found == ids_.end())
    throw ScenarioError(node.where, "there is no host " + Quote(name),
                        "there are " + SomeNames(0, topology_.hosts), NearestNode(name, true, false));
  if (found->second >= topology_.hosts)
    throw ScenarioError(node.where, Quote(name) + " is a switch, not a host");
  Meet(name, found->second);
  return found->second;
}

namespace {

/// Whether a pattern names the host of this NIC, by its first NIC, or the NIC itself.
bool IsNamedBy(const std::string& pattern, const TopologyNode& nic) {
  if (pattern.find('/') != std::string::npos) return Matches(pattern, nic.name);
  const bool host = nic.nics > 1 ? nic.nic == 0 : nic.name.find('/') == std::string::npos;
  return host && MatchesNode(pattern, nic.name);
}

}  // namespace

std::vector<NodeId> NodeNames::Hosts(const Node& node) const {
  std::vector<NodeId> hosts;
  std::vector<char> listed(topology_.hosts);
  const auto add = [&](const Node& item) {
    const std::string text = ParseText(item);
    if (!IsPattern(text)) {
      const NodeId host = Host(item);
      if (std::exchange(listed[host], 1) != 0)
        throw ScenarioError(item.where, Quote(text) + " is already in the list", "name each host once");
      hosts.push_back(host);
      return;
    }
    bool any = false;
    const size_t before = hosts.size();
    for (NodeId id = 0; id < topology_.hosts; ++id) {
      if (!IsNamedBy(text, topology_.nodes[id])) continue;
      any = true;
      Meet(text, id);
      if (std::exchange(listed[id], 1) == 0) hosts.push_back(id);
    }
    if (!any)
      throw ScenarioError(item.where, Quote(text) + " matches no host",
                          "there are " + SomeNames(0, topology_.hosts));
    if (hosts.size() == before)
      throw ScenarioError(item.where, "all hosts that match " + Quote(text) + " are already in the list",
                          "leave this item out");
  };
  if (node.IsList()) {
    for (const Node& item : node.items) add(item);
    if (node.items.empty()) throw ScenarioError(node.where, "the list is empty");
  } else {
    add(node);
  }
  return hosts;
}

std::vector<NodeId> NodeNames::AllHosts() const {
  std::vector<NodeId> hosts;
  for (NodeId id = 0; id < topology_.hosts; ++id)
    if (IsNamedBy("*", topology_.nodes[id])) hosts.push_back(id);
  return hosts;
}

bool NodeNames::MatchesAny(const std::string& pattern, bool hosts_only) const {
  for (NodeId id = 0; id < (hosts_only ? topology_.hosts : topology_.nodes.size()); ++id)
    if (MatchesNode(pattern, topology_.nodes[id].name)) return true;
  if (hosts_only) return false;
  const auto port = [&](const LinkEnd& end) {
    return MatchesPort(pattern, topology_.nodes[end.node].name, end.port);
  };
  return std::any_of(topology_.links.begin(), topology_.links.end(),
                     [&](const TopologyLink& link) { return port(link.a) || port(link.b); });
}

std::string NodeNames::SomeNames(size_t begin, size_t end) const {
  constexpr size_t kMost = 6;
  std::vector<std::string> names;
  for (size_t id = begin; id < end; ++id) {
    if (end - begin <= kMost || id == begin || id + 1 == end) names.push_back(topology_.nodes[id].name);
  }
  return end - begin <= kMost ? Join(names)
                              : fmt::format("{} … {} ({})", names.front(), names.back(), end - begin);
}

namespace {

std::string WithoutDigits(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isdigit(c) != 0; });
  return text;
}

}  // namespace

std::string NodeNames::NearestNode(const std::string& name, bool hosts, bool switches) const {
  std::vector<std::string> names;
  for (NodeId id = 0; id < topology_.nodes.size(); ++id)
    if (id < topology_.hosts ? hosts : switches) names.push_back(topology_.nodes[id].name);
  // For example, h17 of 17 hosts is one too many; h1 was not meant.
  std::string near = Nearest(name, names);
  const std::string bare = near.size() > 2 ? near.substr(1, near.size() - 2) : near;
  return bare != WithoutDigits(bare) && WithoutDigits(name) == WithoutDigits(bare) ? std::string() : near;
}

}  // namespace headroom
