// A service of type storage: disks of compute hosts, whose blocks lie on extent nodes.
//
// Without a back leg each compute host asks the extent nodes itself: the extents of its disk lie on them in
// turn, and each node executes what it is asked with a device of its own.
//
// With one, a compute host asks a front end, that the disk's partition server, and this the extent nodes
// (partition_server.h). A disk has its front end and partition server among those of its host's datacenter,
// where there are any, two different ones where there are two.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "history/service_history.h"
#include "protocol/channel/leg.h"
#include "protocol/channel/once_only.h"
#include "protocol/host_cores.h"
#include "protocol/operations.h"
#include "protocol/service_record.h"
#include "protocol/storage/disk.h"
#include "protocol/storage/disk_client.h"
#include "protocol/storage/extents/content_store.h"
#include "protocol/storage/extents/placement.h"
#include "protocol/storage/storage_host.h"
#include "protocol/storage/storage_parameters.h"

namespace headroom {

class StorageService final {
 public:
  using Hosts = std::vector<std::unique_ptr<HostCores>>;
  /// `number`: of the service, for the connection managers; `tag`: of its queue pairs' frames; `largest`:
  /// bytes of an I/O at most; `hosts` by host, null where no service is. `history`: null, or what to keep of
  /// it all; data are carried then. All outlive this; `attached` hears of each compute host whose disk is
  /// there.
  StorageService(const StorageParameters& parameters, uint16_t number, uint8_t tag, uint32_t largest,
                 const Hosts& hosts, const Topology& topology, Operations& operations,
                 ServiceHistory* history, std::function<void(NodeId)> attached);

  /// Hears of connections that move.
  void SetOnMove(Failover::OnChange f) { on_move_ = std::move(f); }
  /// Opens all connections.
  void Start();
  /// Nobody will ask for more: partition servers begin nothing in the background.
  void EndBackground();
  /// REQUIRES: the client's disk is there.
  void Submit(const OperationRequest& request);
  /// An extent node is away, or back. REQUIRES: a back leg.
  void SetExtentNodeAway(NodeId node, bool away);
  ServiceRecord Record() const;
  /// `use` hears of each queue pair that its connections have had: the host and its number there.
  void ForEachQueuePair(const Channel::UseQueuePair& use) const;

 private:
  /// An extent node that compute hosts ask themselves.
  struct Node {
    Node(const DiskParameters& parameters, uint32_t context, Trail* trail, const std::string& name,
         bool content)
        : disk(parameters, context, trail, name),
          store(disk),
          executes(content ? static_cast<StorageServer&>(store) : disk),
          once(executes) {}
    Disk disk;
    ContentStore store;
    StorageServer& executes;  ///< one of these
    OnceOnly once;
  };
  void MakeNodes(const Topology& topology, Operations& operations);
  void MakeSystem(const Topology& topology, Operations& operations);
  StorageHost& HostOf(HostCores& cores, Trail* trail);

  /// Null where no history is kept.
  History* OperationsHistory() const { return history_ == nullptr ? nullptr : &history_->operations; }
  AppendLog* Appends() const { return history_ == nullptr ? nullptr : &history_->appends; }
  void SetUpFailover(uint16_t number, uint8_t tag, uint32_t largest, const Topology& topology, Trail* trail);

  const StorageParameters& parameters_;
  ServiceHistory* const history_;
  const Hosts& hosts_;
  std::function<void(NodeId)> attached_;
  Leg front_;
  Failover::OnChange on_move_;
  std::unique_ptr<Failover> failover_;
  std::unique_ptr<Leg> standby_front_, standby_back_;  ///< with failover
  std::map<NodeId, std::unique_ptr<Node>> nodes_;      ///< without a back leg
  std::map<NodeId, std::unique_ptr<DiskClient>> clients_;

  // With a back leg.
  std::unique_ptr<Leg> back_;
  std::unique_ptr<Placement> placement_;
  std::map<NodeId, std::unique_ptr<StorageHost>> storage_hosts_;
  std::vector<NodeId> owners_;               ///< partition server, by disk
  std::vector<std::vector<NodeId>> fronts_;  ///< front ends, by disk: the next one when one does not answer
  size_t unjoined_ = 0;                      ///< storage hosts
  std::vector<NodeId> joined_;               ///< compute hosts that wait for these
};

}  // namespace headroom
