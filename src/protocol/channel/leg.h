// The channels of one leg of a service, for instance between compute hosts and front ends: all with one
// protocol and class, and with shared objects at each host.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "net/topology/topology.h"
#include "protocol/channel/failover.h"
#include "protocol/channel/leg_parameters.h"
#include "protocol/channel/request_costs.h"
#include "protocol/channel/storage_call.h"
#include "protocol/host_cores.h"
#include "protocol/service.h"
#include "protocol/storage/wire/registered_pool.h"
#include "protocol/tcp/tcp_caller.h"
#include "protocol/tcp/tcp_server.h"

namespace headroom {

/// A channel whose ends the connection manager connects.
class RdmaChannel : public StorageChannel {
 public:
  /// The server's end, for a session that the caller's end has opened.
  virtual CmParty* Accept(uint64_t session, NodeId from) = 0;
};

/// The cores of the two hosts that work for a channel. With several connections, the ends are those of the
/// caller's first connection; the other connections use the following cores.
struct ChannelCores {
  size_t caller = 0, server = 0;
};

/// Registered memory of a core. Only su_rdma uses `messages` and `outgoing`.
struct LegMemory {
  std::unique_ptr<RegisteredPool> messages, outgoing, incoming;
};

class Leg final {
 public:
  struct Setup {
    const StorageLeg& parameters;
    std::string name;      ///< name of its channels' random numbers
    uint16_t number = 0;   ///< its own number, unique among all services
    uint8_t tag = 0;       ///< tag of its queue pairs' frames
    uint32_t largest = 1;  ///< maximum bytes of a call
    bool content = false;  ///< data are carried; otherwise they are only counted
    bool back = false;     ///< its calls belong to requests that began elsewhere
  };
  /// `hosts`: by host; hosts with channels need cores. All must outlive this object.
  Leg(const Setup& setup, const std::vector<ServiceHost>& hosts, const Topology& topology);
  ~Leg();

  /// Adds another leg as standby: each channel made from now on has a standby channel on it, and `failover`
  /// moves it. Both must outlive this object; `trail` may be null. REQUIRES: called before the first channel
  /// is added; `standby` has no standby itself.
  void SetStandby(Leg& standby, Failover& failover, Trail* trail) {
    standby_ = &standby, failover_ = &failover, trail_ = trail;
  }
  /// Adds a channel, on cores in round-robin order; its standby uses the same core. `server` executes its
  /// calls and must outlive it. REQUIRES: this pair has no channel yet.
  StorageChannel& Add(NodeId from, NodeId to, StorageServer& server);
  /// REQUIRES: the channel exists.
  StorageChannel& Find(NodeId from, NodeId to) const { return At(by_ends_.at({from, to})); }
  bool Has(NodeId from, NodeId to) const { return by_ends_.contains({from, to}); }
  /// The hosts that call others, once all channels are added.
  std::set<NodeId> callers() const;
  /// Opens all channels, of several ranks (sim/parts.h) those whose calling hosts are here. `joined` is
  /// called for each calling host, in an event of that host, when all its channels are connected.
  void Open(std::function<void(NodeId from)> joined);

  /// For channels:
  const Setup& setup() const { return setup_; }
  HostCores& host(NodeId id) const { return *hosts_[id].cores; }
  std::string NameOf(NodeId from, NodeId to) const {
    return setup_.name + '/' + topology_.nodes[from].name + '/' + topology_.nodes[to].name;
  }
  LegMemory& MemoryOf(HostCores& host, size_t core);
  TcpPath PathTo(HostCores& from, HostCores& to) const;

  size_t channels() const { return channels_.size(); }
  void Count(StorageRecord& record) const;
  void ForEachQueuePair(const StorageChannel::UseQueuePair& use) const;

 private:
  class Listener;
  StorageChannel& AddOn(const ChannelCores& cores, NodeId from, NodeId to, StorageServer& server);
  StorageServer& WithCosts(Process& process, StorageServer& server);
  void AddRdma(const ChannelCores& cores, NodeId from, NodeId to, StorageServer& server);
  void AddTcp(const ChannelCores& cores, NodeId from, NodeId to, StorageServer& server);
  CmParty* Accept(NodeId at, uint64_t session, NodeId from);
  StorageChannel& At(size_t place) const {
    return standby_ == nullptr ? static_cast<StorageChannel&>(*channels_[place]) : *migrating_[place];
  }
  void CountMemory(StorageRecord& record) const;

  const Setup setup_;
  const std::vector<ServiceHost>& hosts_;
  const Topology& topology_;
  std::map<std::pair<NodeId, size_t>, LegMemory> memory_;
  std::map<NodeId, std::unique_ptr<Listener>> listeners_;
  std::map<NodeId, std::unique_ptr<TcpListener>> tcp_listeners_;
  std::vector<std::unique_ptr<RequestCosts>> costs_;  ///< for channels to servers with software costs
  std::vector<std::unique_ptr<StorageChannel>> channels_;
  std::vector<std::unique_ptr<MigratingChannel>> migrating_;  ///< by channel, if a leg stands by
  Leg* standby_ = nullptr;
  Failover* failover_ = nullptr;
  Trail* trail_ = nullptr;
  std::vector<NodeId> from_;                             ///< by channel
  std::map<std::pair<NodeId, NodeId>, size_t> by_ends_;  ///< place in channels_
  std::map<NodeId, size_t> unjoined_;  ///< number of channels that are not connected, by calling host
};

}  // namespace headroom
