#include "scenario/keys/faults/fault_places.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/names.h"
#include "scenario/yaml/nearest.h"

namespace headroom::keys {

namespace {

/// The ends of links at this node, in the order of its ports.
std::vector<const LinkEnd*> PortsOf(NodeId node, const Topology& topology) {
  std::vector<const LinkEnd*> ports;
  for (const TopologyLink& link : topology.links) {
    for (const LinkEnd* end : {&link.a, &link.b}) {
      if (end->node == node) ports.push_back(end);
    }
  }
  return ports;
}

/// A node, and the text behind a colon, if there is one.
std::pair<NodeId, std::string> SplitPort(const Node& node, const NodeNames& names) {
  const std::string text = ParseText(node);
  const size_t colon = text.find(':');
  Node name = node;
  name.text = text.substr(0, colon);
  return {names.AnyNode(name), colon == std::string::npos ? std::string() : text.substr(colon + 1)};
}

uint32_t PortNamed(const Node& node, NodeId id, const std::string& name, const Topology& topology) {
  std::vector<std::string> known;
  for (const LinkEnd* end : PortsOf(id, topology)) {
    if (end->port == name) return end->port_index;
    known.push_back(end->port);
  }
  throw ScenarioError(node.where,
                      fmt::format("{} has no port {}", Quote(topology.nodes[id].name), Quote(name)),
                      known.size() > 16 ? "" : "allowed: " + Join(known), Nearest(name, known));
}

}  // namespace

PortPlace ReadPort(const Node& node, const Reading& context) {
  const auto [id, name] = SplitPort(node, *context.names);
  if (!name.empty()) return {id, PortNamed(node, id, name, *context.topology)};
  if (PortsOf(id, *context.topology).size() == 1) return {id, 0};
  throw ScenarioError(node.where, Quote(node.text) + " has several ports", "give one link as \"node:port\"");
}

LinkEnds ReadLink(const Node& node, const Reading& context, bool ports) {
  const std::vector<Node>& ends = ParseList(node);
  if (ends.size() != 2)
    throw ScenarioError(node.where, fmt::format("the link has {} ends", ends.size()), "[from, to]");
  LinkEnds link;
  const auto read = [&](const Node& end, NodeId& id, std::optional<uint32_t>& port) {
    if (!ports) {
      id = context.names->AnyNode(end);
      return;
    }
    const auto [found, name] = SplitPort(end, *context.names);
    id = found;
    if (!name.empty()) port = PortNamed(end, id, name, *context.topology);
  };
  read(ends[0], link.from, link.from_port);
  read(ends[1], link.to, link.to_port);
  const auto joins = [&link](const LinkEnd& a, const LinkEnd& b) {
    return a.node == link.from && b.node == link.to &&
           a.port_index == link.from_port.value_or(a.port_index) &&
           b.port_index == link.to_port.value_or(b.port_index);
  };
  const std::vector<TopologyLink>& links = context.topology->links;
  const bool linked = std::any_of(links.begin(), links.end(),
                                  [&](const TopologyLink& l) { return joins(l.a, l.b) || joins(l.b, l.a); });
  if (!linked)
    throw ScenarioError(node.where, fmt::format("there is no link between {} and {}", Quote(ends[0].text),
                                                Quote(ends[1].text)));
  return link;
}

std::string NameOf(NodeId node, const Writing& writing) { return writing.topology->nodes[node].name; }

std::string PortName(NodeId node, uint32_t port, const Writing& writing) {
  for (const LinkEnd* end : PortsOf(node, *writing.topology))
    if (end->port_index == port) return NameOf(node, writing) + ":" + end->port;
  return NameOf(node, writing);
}

KindOf<NodeId> HostByName() {
  return {Text().shape,
          [](const Node& node, NodeId& out, Reading& reading) {
            reading.names->Forget();
            out = reading.names->Host(node);
            if (reading.names->met().hosts) out = reading.names->AnyNode(node);  // which names its NICs
          },
          [](const NodeId& of, const Writing& writing) { return WriteTexts({NameOf(of, writing)}); }};
}

}  // namespace headroom::keys
