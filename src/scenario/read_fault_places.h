// Where a fault is, and when: the keys that faults share.
#pragma once

#include <optional>
#include <vector>

#include "scenario/fault_parameters.h"
#include "scenario/names.h"
#include "scenario/scenario.h"
#include "scenario/yaml/reader.h"

namespace headroom {

/// What the places of faults refer to.
struct FaultContext {
  const NodeNames& names;
  const Topology& topology;
  const TrafficClasses& classes;
  const std::vector<NicParameters>& nics;
};

/// Two nodes with a link between them; a port where one of several links is meant.
struct LinkEnds {
  NodeId from = 0, to = 0;
  std::optional<uint32_t> from_port, to_port;
};
/// [x, y], where each may be node:port if `ports`.
LinkEnds ReadLink(const Node& node, const FaultContext& context, bool ports);

struct PortPlace {
  NodeId node = 0;
  uint32_t port = 0;
};
/// `port: "node:port"`, or `node:` for a node with one port.
PortPlace ReadPlace(MapReader& map, const FaultContext& context);

/// A priority's number, a class's name, or a list of these; as a mask.
uint8_t ReadPriorities(const Node& node, const FaultContext& context);

/// start, stop and repeat.
FaultTimes ReadTimes(MapReader& map);

}  // namespace headroom
