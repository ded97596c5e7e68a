#include "scenario/read_fault_places.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/keys/class_keys.h"
#include "scenario/yaml/nearest.h"

namespace headroom {

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

/// A node, and the text behind a colon if there is one.
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

PortPlace ReadPort(const Node& node, const FaultContext& context) {
  const auto [id, name] = SplitPort(node, context.names);
  if (!name.empty()) return {id, PortNamed(node, id, name, context.topology)};
  if (PortsOf(id, context.topology).size() == 1) return {id, 0};
  throw ScenarioError(node.where, Quote(node.text) + " has several ports", "give one as \"node:port\"");
}

}  // namespace

LinkEnds ReadLink(const Node& node, const FaultContext& context, bool ports) {
  const std::vector<Node>& ends = ParseList(node);
  if (ends.size() != 2)
    throw ScenarioError(node.where, fmt::format("a link with {} ends", ends.size()), "[from, to]");
  LinkEnds link;
  const auto read = [&](const Node& end, NodeId& id, std::optional<uint32_t>& port) {
    if (!ports) {
      id = context.names.AnyNode(end);
      return;
    }
    const auto [found, name] = SplitPort(end, context.names);
    id = found;
    if (!name.empty()) port = PortNamed(end, id, name, context.topology);
  };
  read(ends[0], link.from, link.from_port);
  read(ends[1], link.to, link.to_port);
  const auto joins = [&link](const LinkEnd& a, const LinkEnd& b) {
    return a.node == link.from && b.node == link.to &&
           a.port_index == link.from_port.value_or(a.port_index) &&
           b.port_index == link.to_port.value_or(b.port_index);
  };
  const std::vector<TopologyLink>& links = context.topology.links;
  const bool linked = std::any_of(links.begin(), links.end(),
                                  [&](const TopologyLink& l) { return joins(l.a, l.b) || joins(l.b, l.a); });
  if (!linked)
    throw ScenarioError(node.where, fmt::format("there is no link between {} and {}", Quote(ends[0].text),
                                                Quote(ends[1].text)));
  return link;
}

PortPlace ReadPlace(MapReader& map, const FaultContext& context) {
  PortPlace place;
  const auto read = [&](const Node& node) { place = ReadPort(node, context); };
  const bool node = map.Read("node", read);
  const bool port = map.Read("port", read);
  map.NeedOneOf({"node", "port"});
  if (node && port) map.errors().Add(ScenarioError(map.node().where, "\"node\" beside \"port\""));
  return place;
}

uint8_t ReadPriorities(const Node& node, const FaultContext& context) {
  uint8_t mask = 0;
  for (const std::string& text : ParseTexts(node)) {
    const bool number = text.size() == 1 && text[0] >= '0' && text[0] <= '7';
    const int priority = number ? text[0] - '0' : keys::ParseClass(text, node.where, context.classes);
    mask |= static_cast<uint8_t>(1u << priority);
  }
  return mask;
}

FaultTimes ReadTimes(MapReader& map) {
  FaultTimes times;
  map.Field("start", times.start);
  const bool stops = map.Read("stop", [&](const Node& node) {
    times.stop = ParseTime(node);
    if (times.stop <= times.start)
      throw ScenarioError(node.where, fmt::format("stop {} is not after start {}", FormatTime(times.stop),
                                                  FormatTime(times.start)));
  });
  map.Read("repeat", [&](const Node& node) {
    MapReader repeat(node, map.errors());
    repeat.Need({"every", "count"});
    repeat.Field("every", times.every, Nanoseconds(1));
    repeat.Integer("count", times.count, 1, 1'000'000'000);
    repeat.Finish();
    if (!stops) throw ScenarioError(node.where, "a fault that has no stop does not repeat");
    if (times.count > 1 && times.every < times.stop - times.start)
      throw ScenarioError(node.where, fmt::format("it repeats every {} and lasts {}", FormatTime(times.every),
                                                  FormatTime(times.stop - times.start)));
  });
  return times;
}

}  // namespace headroom
