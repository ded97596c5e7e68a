// What I/Os of a storage service put on the network, and on the cores of its hosts, leg by leg: from the
// routes, placement and messages that the service itself uses.
//
// Where an extent lies is drawn. So a node's share of reads is its share of the extents, and a write goes to
// all replicas: averages over many extents. Repetitions for timeouts or losses are left out, and so are reads
// of a second replica (hedge), of data written since, and traffic that a failover moves.
#pragma once

#include <map>
#include <vector>

#include "analysis/bounds/services/wire_sums.h"
#include "protocol/storage/extents/placement.h"
#include "protocol/storage/routes.h"

namespace headroom {

class StorageTraffic {
 public:
  /// Where what is written goes.
  enum class Writes {
    first,  ///< to the first extents of each partition server
    any     ///< to any, in proportion to its extents
  };
  /// Draws places of extents as the service does: ns-3's random run is the scenario's.
  StorageTraffic(const Fabric& fabric, const StorageParameters& service, Writes writes);

  /// So many I/Os of a disk, the place of its host among `compute`.
  void Add(size_t disk, OperationKind kind, Bytes size, double times);
  /// Background work of all partition servers in this time.
  void AddBackground(double seconds);

  /// Adds the messages that open its connections, each once.
  void AddConnections();

  /// Bytes with preamble and gap, and frames.
  const TrafficShares& wire() const { return wire_.bytes(); }
  const TrafficShares& frames() const { return wire_.frames(); }

  /// Work of a host's cores, in picoseconds: at least, and of the connections that carry calls.
  struct Work {
    double carried = 0, requests = 0;
    size_t connections = 0;
  };
  const std::map<NodeId, Work>& work() const { return work_; }
  const StorageRoutes& routes() const { return routes_; }

  /// Of an owner's extents: number of requests to a node per read, and per write; `fragments`: per write of
  /// fragments.
  struct Asked {
    std::vector<std::pair<NodeId, double>> reads, writes, fragments;
    const std::vector<std::pair<NodeId, double>>& By(OperationKind kind) const {
      return kind == OperationKind::read ? reads : writes;
    }
  };
  /// REQUIRES: a back leg.
  const Asked& AskedBy(NodeId owner);

 private:
  Asked Draw(NodeId owner) const;
  std::vector<std::pair<NodeId, double>> FirstWrites(NodeId owner) const;
  void Even(std::vector<double>& times) const;
  void Call(const StorageLeg& leg, NodeId from, NodeId to, OperationKind kind, Bytes size, double times);

  const Fabric& fabric_;
  const StorageParameters& service_;
  const Placement placement_;
  const StorageRoutes routes_;
  const Writes writes_;
  std::map<int, Asked> drawn_;     ///< by datacenter of the owner
  std::map<NodeId, Asked> asked_;  ///< by owner
  WireSums wire_;
  std::map<NodeId, Work> work_;
};

/// The rules of a scenario.
WireRules RulesOf(const Scenario& scenario);

}  // namespace headroom
