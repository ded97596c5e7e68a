// References to nodes by their names in a scenario.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "net/topology/topology.h"
#include "scenario/yaml/node.h"

namespace headroom {

/// The hosts and switches of a topology by name. Keeps a reference to the topology. A host with several NICs
/// is its first NIC.
class NodeNames {
 public:
  explicit NodeNames(const Topology& topology);

  /// Errors: ScenarioError if there is no such node or host, with the existing names, or, for AnyNode, if the
  /// host has several NICs.
  NodeId AnyNode(const Node& node) const;
  /// A host, or a NIC.
  NodeId Host(const Node& node) const;
  /// The hosts that a name, a pattern or a list of these matches, in the order of the list; never empty. The
  /// hosts of a pattern are in the order of their ids, without those that the list already has. A pattern
  /// with a slash matches NICs and GPUs. Errors: an item that adds no host.
  std::vector<NodeId> Hosts(const Node& node) const;
  /// The hosts without GPUs inside them.
  std::vector<NodeId> AllHosts() const;
  /// Which kinds of names Host and Hosts have met since Forget: hosts with several NICs, and NICs or GPUs.
  struct Met {
    bool hosts = false, nics = false;
  };
  const Met& met() const { return met_; }
  void Forget() const { met_ = {}; }
  /// Whether a pattern over nodes, or over node:port, matches anything.
  bool MatchesAny(const std::string& pattern, bool hosts_only) const;
  /// The most similar name, for a message; empty if none is similar, or if only a number differs.
  std::string NearestNode(const std::string& name, bool hosts, bool switches) const;

 private:
  /// Notes whether the name is one of a host with several NICs, or of a NIC.
  void Meet(const std::string& name, NodeId host) const;
  /// For example "h0, h1, s0", or "h0 … h16 (17)" if there are many.
  std::string SomeNames(size_t begin, size_t end) const;

  const Topology& topology_;
  std::unordered_map<std::string, NodeId> ids_;
  mutable Met met_;
};

}  // namespace headroom
