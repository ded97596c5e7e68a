// Converts messages and operations to bytes on links: the bytes of data, requests, answers and
// acknowledgements on every link of their paths, spread evenly over equal paths.
//
// It excludes retransmissions, CNPs and pauses. `check` calls this for expected messages and operations, and
// a test for those drawn by a run.
#pragma once

#include <map>
#include <vector>

#include "analysis/bounds/services/storage_traffic.h"
#include "analysis/bounds/services/wire_sums.h"
#include "workload/arrivals.h"

namespace headroom {

/// Indexed by directed link.
struct LinkTraffic {
  std::vector<double> wire, frames;  ///< bytes with preamble and gap; frames
  double sent = 0;                   ///< frames that left a host
  double FrameHops() const;
};

class OperationTraffic final : public TrafficSink {
 public:
  explicit OperationTraffic(const Fabric& fabric);

  void AddWrites(NodeId from, NodeId to, int64_t bytes, double times) override;
  void AddIos(uint32_t service, NodeId client, OperationKind kind, Bytes size, double times);
  /// Adds the background traffic of storage services.
  void AddBackground(uint32_t service, double seconds);

  /// Adds the messages that open connections.
  void AddConnections(uint32_t service);

  LinkTraffic OnLinks() const;

 private:
  void DoAddMessages(NodeId from, NodeId to, Operation verb, int64_t bytes, double times,
                     Transport transport) override;
  StorageTraffic& StorageOf(uint32_t service);

  const Fabric& fabric_;
  WireSums wire_;
  std::map<uint32_t, StorageTraffic> storage_;
};

}  // namespace headroom
