// The roles of a storage server for others: front end, partition server, extent node. It may have several
// roles. A call between roles of one host is not a message.
#pragma once

#include <functional>
#include <memory>

#include "protocol/channel/duplicate_filter.h"
#include "protocol/storage/ask_node.h"
#include "protocol/storage/background.h"
#include "protocol/storage/extent_node.h"
#include "protocol/storage/partition_server.h"

namespace headroom {

class StorageHost final {
 public:
  /// `others`: calls another host over the back leg. `context`: the ns-3 node of this host. `trail`: null, or
  /// an object that outlives this one.
  StorageHost(NodeId id, uint32_t context, Trail* trail, AskNode others)
      : delayed_calls(context, trail), id_(id), others_(std::move(others)) {}

  DelayedCalls delayed_calls;
  std::unique_ptr<ExtentNode> extent_node;
  std::unique_ptr<ExtentMap> extents;  ///< extents of the partition server
  std::unique_ptr<PartitionServer> partition_server;
  std::unique_ptr<DuplicateFilter> duplicates;  ///< filters requests to the partition server
  std::unique_ptr<Background> background;       ///< background work of the partition server
  /// Calls any host of the service, including this one.
  const AskNode ask = [this](NodeId node, StorageCall call, StorageChannel::Done done) {
    Ask(node, std::move(call), std::move(done));
  };

  /// The host's extent node refuses everything until it returns: each Leave needs its own Return.
  void LeaveExtents() { ++away_; }
  void ReturnToExtents() { --away_; }
  /// Sets the partition server of each disk.
  void SetOwners(const std::vector<NodeId>& owners) { owners_ = &owners; }

  /// As a front end: passes a compute host's requests to its disk.
  StorageServer& front() { return front_; }
  /// Handles requests of other hosts over the back leg: for a disk here, or an extent.
  StorageServer& back() { return back_; }
  void Ask(NodeId node, StorageCall call, StorageChannel::Done done);
  /// Adds its counts so far.
  void Count(StorageRecord& record) const;

 private:
  struct Front final : StorageServer {
    explicit Front(StorageHost& of) : host(of) {}
    void Execute(StorageCall call, Reply reply) override;
    StorageHost& host;
  };
  struct Back final : StorageServer {
    explicit Back(StorageHost& of) : host(of) {}
    void Execute(StorageCall call, Reply reply) override;
    StorageHost& host;
  };
  const NodeId id_;
  AskNode others_;
  const std::vector<NodeId>* owners_ = nullptr;
  int away_ = 0;
  Front front_{*this};
  Back back_{*this};
};

}  // namespace headroom
