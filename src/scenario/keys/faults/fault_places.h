// The place of a fault: the keys that name a link, a port or a node, and their reading and writing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scenario/keys/keys.h"
#include "scenario/scenario.h"

namespace headroom::keys {

/// Two nodes with a link between them; a port selects one of several links.
struct LinkEnds {
  NodeId from = 0, to = 0;
  std::optional<uint32_t> from_port, to_port;
};
struct PortPlace {
  NodeId node = 0;
  uint32_t port = 0;
};

PortPlace ReadPort(const Node& node, const Reading& context);
/// `ports`: an end may name a port of its node.
LinkEnds ReadLink(const Node& node, const Reading& context, bool ports);
std::string NameOf(NodeId node, const Writing& writing);
std::string PortName(NodeId node, uint32_t port, const Writing& writing);
/// A host by its name.
KindOf<NodeId> HostByName();

/// The written form of `link`.
inline const Shape& LinkShape() {
  static const Shape shape{"list", "[x, y]", R"({"$ref": "#/definitions/direction"})"};
  return shape;
}

/// link: [x, y], two nodes.
template <class F>
KeyOf<F> FaultLink(NodeId F::*from, NodeId F::*to, const char* help) {
  const auto read = [from, to](const Node& node, F& fault, Reading& reading) {
    const LinkEnds link = ReadLink(node, reading, false);
    fault.*from = link.from;
    fault.*to = link.to;
  };
  const auto write = [from, to](const F& fault, const Writing& writing) {
    return WriteTexts({NameOf(fault.*from, writing), NameOf(fault.*to, writing)});
  };
  return {"link", KindOf<F>{LinkShape(), read, write}, help, {.required = true}};
}

/// node with one port, or port: "node:port".
template <class F>
void ReadPlace(const Node& node, F& fault, Reading& reading) {
  const PortPlace place = ReadPort(node, reading);
  fault.node = place.node;
  fault.port = place.port;
}

template <class F>
KeyOf<F> FaultNode() {
  return {"node", KindOf<F>{Text().shape, ReadPlace<F>, {}}, "a node with one port", {.standard = "none"}};
}

template <class F>
KeyOf<F> FaultPort() {
  const auto write = [](const F& fault, const Writing& writing) {
    return WriteTexts({PortName(fault.node, fault.port, writing)});
  };
  return {"port", KindOf<F>{Text().shape, ReadPlace<F>, write}, "node:port", {.standard = "none"}};
}

}  // namespace headroom::keys
