// A storage server's roles for others: front end, partition server, extent node. It may have each. A call
// between roles of one host is no message.
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
  /// `others`: asks another host by its back channel. `context`: this one's ns-3 node. `trail`: null, or
  /// outlives this.
  StorageHost(NodeId id, uint32_t context, Trail* trail, AskNode others)
      : delayed_calls(context, trail), id_(id), others_(std::move(others)) {}

  DelayedCalls delayed_calls;
  std::unique_ptr<ExtentNode> extent_node;
  std::unique_ptr<ExtentMap> extents;  ///< of the partition server
  std::unique_ptr<PartitionServer> partition_server;
  std::unique_ptr<DuplicateFilter> duplicates;  ///< before the partition server
  std::unique_ptr<Background> background;       ///< beside it
  /// Asks any host of the service, this one too.
  const AskNode ask = [this](NodeId node, StorageCall call, StorageChannel::Done done) {
    Ask(node, std::move(call), std::move(done));
  };

  /// Its extent node refuses everything meanwhile: each Leave needs a Return of its own.
  void LeaveExtents() { ++away_; }
  void ReturnToExtents() { --away_; }
  /// Where disks are: their partition servers, by disk.
  void SetOwners(const std::vector<NodeId>& owners) { owners_ = &owners; }

  /// As a front end: passes on a compute host's requests to its disk.
  StorageServer& front() { return front_; }
  /// Requests of others over the back leg: for a disk here, or an extent.
  StorageServer& back() { return back_; }
  void Ask(NodeId node, StorageCall call, StorageChannel::Done done);
  /// Adds what it has done so far.
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
