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
  for (NodeId id = 0; id < topology.nodes.size(); ++id) ids_.emplace(topology.nodes[id].name, id);
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
  return found->second;
}

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
      if (!Matches(text, topology_.nodes[id].name)) continue;
      any = true;
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
  std::vector<NodeId> hosts(topology_.hosts);
  for (NodeId id = 0; id < topology_.hosts; ++id) hosts[id] = id;
  return hosts;
}

bool NodeNames::MatchesAny(const std::string& pattern, bool hosts_only) const {
  for (NodeId id = 0; id < (hosts_only ? topology_.hosts : topology_.nodes.size()); ++id)
    if (Matches(pattern, topology_.nodes[id].name)) return true;
  if (hosts_only) return false;
  const auto port = [&](const LinkEnd& end) {
    return Matches(pattern, topology_.nodes[end.node].name + ":" + end.port);
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
