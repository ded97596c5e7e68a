// A service of type storage: disks of compute hosts with blocks on extent nodes.
//
// Without a back leg each compute host asks the extent nodes itself. The extents of its disk lie on them in
// round-robin order, and each node executes requests with a device of its own.
//
// With one, a compute host asks a front end, that the disk's partition server, and this the extent nodes
// (partition_server.h). A disk has its front end and partition server among those of its host's datacenter,
// if there are any, and two different ones if there are two.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "history/service_history.h"
#include "protocol/channel/duplicate_filter.h"
#include "protocol/channel/leg.h"
#include "protocol/host_cores.h"
#include "protocol/service.h"
#include "protocol/storage/disk.h"
#include "protocol/storage/disk_client.h"
#include "protocol/storage/extents/content_store.h"
#include "protocol/storage/extents/placement.h"
#include "protocol/storage/storage_host.h"
#include "protocol/storage/storage_parameters.h"
#include "protocol/storage_record.h"

namespace headroom {

class StorageService final : public Service {
 public:
  /// REQUIRES: its hosts have cores.
  StorageService(const StorageParameters& parameters, const ServiceGround& ground);

  /// Opens all connections. A client is attached when its disk is ready.
  void Start(const Attached& attached) override;
  void Submit(const OperationRequest& request) override;
  void Stop() override;
  std::shared_ptr<const ServiceRecord> Record() override;
  /// Those that its connections have had.
  void ForEachQueuePair(const UseQueuePair& use) const override;
  /// Takes an extent node away, or brings it back. REQUIRES: a back leg.
  void SetAway(NodeId node, bool away) override;
  bool Judge(HistoryJudgement& all) override;

 private:
  /// An extent node that compute hosts ask themselves.
  struct Node {
    Node(const DiskParameters& parameters, uint32_t context, Trail* trail, const std::string& name,
         bool content)
        : disk(parameters, context, trail, name),
          store(disk),
          executes(content ? static_cast<StorageServer&>(store) : disk),
          duplicates(executes) {}
    Disk disk;
    ContentStore store;
    StorageServer& executes;  ///< one of these
    DuplicateFilter duplicates;
  };
  /// Leg number `place` of this service.
  Leg::Setup SetupOf(const StorageLeg& leg, int place, bool back) const;
  void SetUpFailover();
  void MakeNodes();
  void MakeSystem();
  StorageHost& HostOf(NodeId id);
  void NoteMove(const Failover::Change& change);

  /// Null where no history is kept.
  History* OperationsHistory() { return history_ ? &history_->operations : nullptr; }
  AppendLog* Appends() { return history_ ? &history_->appends : nullptr; }
  HostCores& CoresOf(NodeId id) const { return *ground_.hosts[id].cores; }
  std::string NameAt(NodeId id) const { return parameters_.name + '/' + ground_.topology.nodes[id].name; }
  Trail* trail() const { return ground_.operations.trail(); }

  const StorageParameters parameters_;
  const ServiceGround ground_;
  std::optional<ServiceHistory> history_;
  Attached attached_;
  Leg front_;
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
