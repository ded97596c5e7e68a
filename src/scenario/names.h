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

  /// Errors: ScenarioError if there is no such node or host, with the existing names.
  NodeId AnyNode(const Node& node) const;
  NodeId Host(const Node& node) const;
  /// The hosts that a name, a pattern or a list of these matches, in the order of the list; never empty. The
  /// hosts of a pattern are in the order of their ids, without those that the list already has. Errors: an
  /// item that adds no host.
  std::vector<NodeId> Hosts(const Node& node) const;
  std::vector<NodeId> AllHosts() const;
  /// Whether a pattern over nodes, or over node:port, matches anything.
  bool MatchesAny(const std::string& pattern, bool hosts_only) const;
  /// The most similar name, for a message; empty if none is similar, or if only a number differs.
  std::string NearestNode(const std::string& name, bool hosts, bool switches) const;

 private:
  /// For example "h0, h1, s0", or "h0 … h16 (17)" if there are many.
  std::string SomeNames(size_t begin, size_t end) const;

  const Topology& topology_;
  std::unordered_map<std::string, NodeId> ids_;
};

}  // namespace headroom
