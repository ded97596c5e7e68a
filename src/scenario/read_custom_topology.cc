// Topologies of type custom: the links one by one, with every name checked.
#include <fmt/format.h>

#include <map>
#include <set>

#include "scenario/names.h"
#include "scenario/nearest.h"
#include "scenario/read_topology.h"

namespace headroom {

namespace {

/// Gives ports their names as the builder will, to find one that is used twice.
class PortNames {
 public:
  void Add(const std::string& node, const std::string& port, const Position& where) {
    auto& used = used_[node];
    const std::string name = port.empty() ? fmt::format("p{}", used.size()) : port;
    if (!used.insert(name).second)
      throw ScenarioError(where, fmt::format("port \"{}\" of \"{}\" has a link already", name, node));
  }

 private:
  std::map<std::string, std::set<std::string>> used_;
};

void ReadEnd(const Node& node, const std::set<std::string>& nodes, PortNames& ports, std::string& name,
             std::string& port) {
  const std::string text = ParseText(node);
  const size_t colon = text.find(':');
  name = text.substr(0, colon);
  if (!nodes.contains(name))
    throw ScenarioError(node.where, Quote(name) + " is neither a host nor a switch", {},
                        Nearest(name, {nodes.begin(), nodes.end()}));
  if (colon != std::string::npos) {
    port = text.substr(colon + 1);
    CheckName(port, node.where);
  }
  ports.Add(name, port, node.where);
}

void ReadEnds(const Node& node, const std::set<std::string>& nodes, PortNames& ports, CustomLink& link) {
  const std::vector<Node>& ends = ParseList(node);
  if (ends.size() != 2)
    throw ScenarioError(node.where, fmt::format("a link with {} ends", ends.size()), "a link has two ends");
  ReadEnd(ends[0], nodes, ports, link.a, link.a_port);
  ReadEnd(ends[1], nodes, ports, link.b, link.b_port);
  if (link.a == link.b) throw ScenarioError(node.where, fmt::format("\"{}\" is linked to itself", link.a));
}

}  // namespace

CustomSpec ReadCustomTopology(MapReader& map) {
  CustomSpec spec;
  std::set<std::string> nodes;
  map.Need({"hosts", "links"});
  map.Read("hosts", [&](const Node& node) {
    spec.hosts = ParseUniqueNames(node);
    nodes.insert(spec.hosts.begin(), spec.hosts.end());
  });
  map.Read("switches", [&](const Node& node) {
    if (node.IsList() && node.items.empty()) return;
    spec.switches = ParseUniqueNames(node);
    for (const Node& name : node.items)
      if (!nodes.insert(name.text).second)
        throw ScenarioError(name.where, Quote(name.text) + " is a host already");
  });
  if (nodes.empty()) return spec;
  map.Read("links", [&](const Node& node) {
    PortNames ports;
    for (const Node& item : ParseList(node)) {
      MapReader keys(item, map.errors());
      CustomLink link;
      keys.Need({"ends"});
      keys.Read("ends", [&](const Node& ends) { ReadEnds(ends, nodes, ports, link); });
      ReadLinkKeys(keys, link.spec);
      keys.Finish();
      spec.links.push_back(std::move(link));
    }
    CheckHostLinks(spec, node.where);
  });
  return spec;
}

void CheckHostLinks(const CustomSpec& spec, const Position& where) {
  std::map<std::string, int> links;
  for (const CustomLink& link : spec.links) ++links[link.a], ++links[link.b];
  for (const std::string& host : spec.hosts) {
    if (links[host] == 0) throw ScenarioError(where, fmt::format("host \"{}\" has no link", host));
    if (links[host] > 1)
      throw NotSupportedYet(where, fmt::format("host \"{}\" with {} links", host, links[host]),
                            "a host has one link");
  }
}

}  // namespace headroom
