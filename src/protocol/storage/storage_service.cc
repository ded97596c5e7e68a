#include "protocol/storage/storage_service.h"

#include <algorithm>
#include <string>
#include <utility>

#include "protocol/storage/routes.h"

namespace headroom {

namespace {

/// Of the back leg.
uint32_t LargestCall(const StorageParameters& parameters, uint32_t largest_io) {
  if (!parameters.background) return largest_io;
  return std::max(largest_io, static_cast<uint32_t>(parameters.background->piece.v));
}

}  // namespace

StorageService::StorageService(const StorageParameters& parameters, uint16_t number, uint8_t tag,
                               uint32_t largest, const Hosts& hosts, const Topology& topology,
                               Operations& operations, ServiceHistory* history,
                               std::function<void(NodeId)> attached)
    : parameters_(parameters),
      history_(history),
      hosts_(hosts),
      attached_(std::move(attached)),
      front_({parameters.front, parameters.name, static_cast<uint16_t>(4 * number), tag, largest,
              history != nullptr},
             hosts, topology) {
  if (parameters.back)
    back_ = std::make_unique<Leg>(
        Leg::Setup{*parameters.back, parameters.name + "/back", static_cast<uint16_t>(4 * number + 1), tag,
                   LargestCall(parameters, largest), history != nullptr, true},
        hosts, topology);
  SetUpFailover(number, tag, largest, topology, operations.trail());
  parameters.back ? MakeSystem(topology, operations) : MakeNodes(topology, operations);
}

void StorageService::SetUpFailover(uint16_t number, uint8_t tag, uint32_t largest, const Topology& topology,
                                   Trail* trail) {
  if (!parameters_.failover) return;
  const StorageFailover& failover = *parameters_.failover;
  failover_ = std::make_unique<Failover>(failover.when, [this](const Failover::Change& change) {
    if (on_move_) on_move_(change);
  });
  const auto stands_by = [&](Leg& leg, const char* name, int place) {
    auto standby = std::make_unique<Leg>(
        Leg::Setup{failover.to, parameters_.name + name, static_cast<uint16_t>(4 * number + place), tag,
                   LargestCall(parameters_, largest), history_ != nullptr, &leg == back_.get()},
        hosts_, topology);
    leg.SetStandby(*standby, *failover_, trail);
    return standby;
  };
  standby_front_ = stands_by(front_, "/standby", 2);
  if (back_ != nullptr) standby_back_ = stands_by(*back_, "/back/standby", 3);
}

void StorageService::MakeNodes(const Topology& topology, Operations& operations) {
  for (const NodeId id : parameters_.extent_nodes)
    nodes_[id] = std::make_unique<Node>(parameters_.disk, hosts_[id]->context(), operations.trail(),
                                        parameters_.name + '/' + topology.nodes[id].name + "/disk",
                                        history_ != nullptr);
  for (uint32_t disk = 0; disk < parameters_.compute.size(); ++disk) {
    const NodeId client = parameters_.compute[disk];
    for (const NodeId node : parameters_.extent_nodes) {
      Node& to = *nodes_[node];
      if (parameters_.timeout > Time(0) || parameters_.failover ||
          parameters_.front.protocol == StorageProtocol::tcp) {
        front_.Add(client, node, to.once);
      } else {
        front_.Add(client, node, to.executes);  // each call comes once
      }
    }
    // Disks begin at different extent nodes, so that the first extents of all do not lie on one.
    const auto route = [this, client](const StoragePlace& place, uint32_t, NodeId& server) -> Channel& {
      const uint64_t extent = place.offset / static_cast<uint64_t>(parameters_.extent.v);
      server = parameters_.extent_nodes[(extent + place.object) % parameters_.extent_nodes.size()];
      return front_.Find(client, server);
    };
    clients_[client] = std::make_unique<DiskClient>(disk, parameters_, operations, OperationsHistory(),
                                                    *hosts_[client], route);
  }
}

StorageHost& StorageService::HostOf(HostCores& cores, Trail* trail) {
  auto& host = storage_hosts_[cores.host()];
  if (host == nullptr) {
    host = std::make_unique<StorageHost>(
        cores.host(), cores.context(), trail,
        [this, id = cores.host()](NodeId node, StorageCall call, Channel::Done done) {
          back_->Find(id, node).Call(std::move(call), std::move(done));
        });
    host->SetOwners(owners_);
  }
  return *host;
}

void StorageService::MakeSystem(const Topology& topology, Operations& operations) {
  const StorageParameters& p = parameters_;
  Trail* const trail = operations.trail();
  placement_ = std::make_unique<Placement>(p.name, p.across, p.extent_nodes, topology);
  for (const NodeId id : p.extent_nodes) {
    HostOf(*hosts_[id], trail).extent_node = std::make_unique<ExtentNode>(
        p, id, p.name + '/' + topology.nodes[id].name, hosts_[id]->context(), trail, Appends());
  }
  const auto servers = static_cast<uint32_t>(p.partition_servers.size());
  for (uint32_t i = 0; i < servers; ++i) {
    const NodeId id = p.partition_servers[i];
    StorageHost& host = HostOf(*hosts_[id], trail);
    host.extents = std::make_unique<ExtentMap>(p, *placement_, id, i, servers);
    host.partition_server = std::make_unique<PartitionServer>(
        p, *host.extents, p.name + '/' + topology.nodes[id].name, hosts_[id]->process(hosts_[id]->NextCore()),
        host.later, Appends(), host.ask);
    host.once = std::make_unique<OnceOnly>(*host.partition_server, p.bugs.repeats);
  }
  StorageRoutes routes = RoutesOf(p, *placement_, topology);
  fronts_ = std::move(routes.fronts);
  owners_ = std::move(routes.owners);
  for (uint32_t disk = 0; disk < p.compute.size(); ++disk) {
    const NodeId client = p.compute[disk];
    for (const NodeId front : fronts_[disk]) front_.Add(client, front, HostOf(*hosts_[front], trail).front());
    const auto route = [this, client](const StoragePlace& place, uint32_t again, NodeId& server) -> Channel& {
      const std::vector<NodeId>& ask = fronts_[place.object];
      server = ask[again % ask.size()];
      return front_.Find(client, server);
    };
    clients_[client] =
        std::make_unique<DiskClient>(disk, p, operations, OperationsHistory(), *hosts_[client], route);
  }
  if (p.background) {
    std::map<NodeId, std::vector<uint32_t>> disks;
    for (uint32_t disk = 0; disk < owners_.size(); ++disk) disks[owners_[disk]].push_back(disk);
    for (const auto& [id, owned] : disks) {
      StorageHost& host = *storage_hosts_.at(id);
      host.background = std::make_unique<Background>(p, owned, p.name + '/' + topology.nodes[id].name,
                                                     *host.partition_server, *host.extents, host.later,
                                                     host.ask, Appends());
    }
  }
  for (const auto& [from, to] : routes.back) back_->Add(from, to, HostOf(*hosts_[to], trail).back());
}

void StorageService::Start() {
  if (failover_ != nullptr) failover_->Start();
  if (back_ == nullptr) {
    front_.Open(attached_);
    return;
  }
  unjoined_ = back_->Open([this](NodeId) {
    if (--unjoined_ > 0) return;
    for (const NodeId host : std::exchange(joined_, {})) attached_(host);
  });
  for (const auto& [id, host] : storage_hosts_) {
    if (host->background != nullptr) host->background->Start();
  }
  front_.Open([this](NodeId host) {
    if (unjoined_ == 0) return attached_(host);
    joined_.push_back(host);
  });
}

void StorageService::Submit(const OperationRequest& request) { clients_.at(request.client)->Submit(request); }

void StorageService::EndBackground() {
  for (const auto& [id, host] : storage_hosts_) {
    if (host->background != nullptr) host->background->Stop();
  }
}

void StorageService::SetExtentNodeAway(NodeId node, bool away) {
  StorageHost& host = *storage_hosts_.at(node);
  away ? host.LeaveExtents() : host.ReturnToExtents();
}

ServiceRecord StorageService::Record() const {
  ServiceRecord record;
  front_.Count(record);
  if (back_ != nullptr) back_->Count(record);
  for (const auto& [id, node] : nodes_) {
    record.executed += node->disk.executed();
    record.repeated += node->once.repeated();
  }
  for (const auto& [id, host] : storage_hosts_) host->Count(record);
  return record;
}

void StorageService::ForEachQueuePair(const Channel::UseQueuePair& use) const {
  front_.ForEachQueuePair(use);
  if (back_ != nullptr) back_->ForEachQueuePair(use);
}

}  // namespace headroom
