// References to nodes by their names in a scenario.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "net/topology/topology.h"
#include "scenario/yaml/node.h"

namespace headroom {

/// The hosts and switches of a topology by name. Keeps a reference to the topology.
class NodeNames {
 public:
  explicit NodeNames(const Topology& topology);

  /// Errors: ScenarioError where there is no such node or host, with the names there are.
  NodeId AnyNode(const Node& node) const;
  NodeId Host(const Node& node) const;
  /// The hosts that a name, a pattern or a list of them matches, in id order; never empty.
  std::vector<NodeId> Hosts(const Node& node) const;
  std::vector<NodeId> AllHosts() const;
  /// Whether a pattern over nodes, or over node:port, matches anything.
  bool MatchesAny(const std::string& pattern, bool hosts_only) const;
  /// A nearest name for a message; empty if none is near, or only a number differs.
  std::string NearestNode(const std::string& name, bool hosts, bool switches) const;

 private:
  /// "h0, h1, s0", or "h0 … h16 (17)" where there are many.
  std::string SomeNames(size_t begin, size_t end) const;

  const Topology& topology_;
  std::unordered_map<std::string, NodeId> ids_;
};

}  // namespace headroom
