// A service of type storage: disks of compute hosts with blocks on extent nodes.
//
// Without a back leg, each compute host calls the extent nodes itself. The extents of its disk are assigned
// to them in round-robin order, and each node executes requests on its own device.
//
// With a back leg, a compute host calls a front end, the front end calls the disk's partition server, and
// that calls the extent nodes (partition_server.h). A disk uses a front end and a partition server in its
// host's datacenter, if there are any, and two different hosts if there are two. I/Os start when all hosts
// are connected: every 10 us the service checks whether they are.
//
// Without failover, background work and TCP, hosts affect each other only by messages. So they may be in
// different parts of the network (sim/parts.h).
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

class StorageService final : public Service, public EventTarget {
 public:
  /// REQUIRES: its hosts have cores.
  StorageService(const StorageParameters& parameters, const ServiceGround& ground);

  /// Opens all connections. A client is attached when its disk is ready.
  void Start(const Attached& attached) override;
  void Submit(const OperationRequest& request) override;
  void Stop() override;
  std::shared_ptr<const ServiceRecord> Record() override;
  /// The queue pairs that its connections have had.
  void ForEachQueuePair(const UseQueuePair& use) const override;
  /// Removes an extent node, or brings it back. REQUIRES: the service has a back leg.
  void SetAway(NodeId node, bool away) override;
  bool Judge(HistoryJudgement& all) override;
  /// Event: with a back leg, attaches the clients once all hosts are connected.
  void OnEvent(uint64_t) override;

 private:
  /// An extent node that compute hosts call directly.
  struct Node {
    Node(const DiskParameters& parameters, uint32_t context, Trail* trail, const std::string& name,
         bool content)
        : disk(parameters, context, trail, name),
          store(disk),
          executes(content ? static_cast<StorageServer&>(store) : disk),
          duplicates(executes) {}
    Disk disk;
    ContentStore store;
    StorageServer& executes;  ///< one of these two
    DuplicateFilter duplicates;
  };
  /// The set-up of leg number `place` of this service.
  Leg::Setup SetupOf(const StorageLeg& leg, int place, bool back) const;
  void SetUpFailover();
  void MakeNodes();
  void MakeSystem();
  StorageHost& HostOf(NodeId id);
  void NoteMove(const Failover::Change& change);
  void ScheduleCheck();
  bool AllJoined() const;

  /// Null if no history is kept.
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

  // Members for a back leg:
  std::unique_ptr<Leg> back_;
  std::unique_ptr<Placement> placement_;
  std::map<NodeId, std::unique_ptr<StorageHost>> storage_hosts_;
  std::vector<NodeId> owners_;  ///< partition servers, indexed by disk
  std::vector<std::vector<NodeId>>
      fronts_;  ///< front ends, indexed by disk: the next one if one does not answer
  EntityId entity_ = 0;
  bool starts_ = true;             ///< some storage hosts are not connected; changes in events of no node
  std::map<NodeId, bool> joined_;  ///< storage hosts that call others: whether they are connected
  std::map<NodeId, bool> clients_joined_;  ///< the same for compute hosts
};

}  // namespace headroom
