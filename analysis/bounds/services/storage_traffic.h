// The load of a storage service's I/Os on the network, leg by leg, computed from the routes, placement and
// messages that the service itself uses.
//
// The place of an extent is random. So a node's share of reads is its share of the extents, and a write goes
// to all replicas: averages over many extents. It excludes repetitions for timeouts or losses, reads of a
// second replica (hedge), reads of data written during the run, and traffic that a failover moves.
#pragma once

#include <map>
#include <vector>

#include "analysis/bounds/services/wire_sums.h"
#include "protocol/storage/extents/placement.h"
#include "protocol/storage/routes.h"
#include "protocol/storage/storage_parameters.h"

namespace headroom {

class StorageTraffic {
 public:
  /// The destination of writes.
  enum class Writes {
    first,  ///< to the first extents of each partition server
    any     ///< to all extents: a node gets a share in proportion to its extents
  };
  /// Draws places of extents as the service does: ns-3's random run is the scenario's.
  StorageTraffic(const Fabric& fabric, const StorageParameters& service, Writes writes);

  /// Adds `count` I/Os of a disk; `disk` is the index of its host in `compute`.
  void Add(size_t disk, OperationKind kind, Bytes size, double times);
  /// Background work of all partition servers in this time.
  void AddBackground(double seconds);

  /// Adds the messages that open its connections, each once.
  void AddConnections();

  /// Bytes with preamble and gap, and frames.
  const TrafficShares& wire() const { return wire_.bytes(); }
  const TrafficShares& frames() const { return wire_.frames(); }

  /// For an owner's extents: number of requests to a node per read, and per write; `fragments`: per write of
  /// fragments.
  struct Asked {
    std::vector<std::pair<NodeId, double>> reads, writes, fragments;
    const std::vector<std::pair<NodeId, double>>& By(OperationKind kind) const {
      return kind == OperationKind::read ? reads : writes;
    }
  };
  /// REQUIRES: the service has a back leg.
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
  std::map<int, Asked> drawn_;     ///< keyed by datacenter of the owner
  std::map<NodeId, Asked> asked_;  ///< keyed by owner
  WireSums wire_;
};

/// The rules of a scenario.
WireRules RulesOf(const Scenario& scenario);

}  // namespace headroom
