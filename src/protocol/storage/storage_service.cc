#include "protocol/storage/storage_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "protocol/storage/routes.h"
#include "sim/parts.h"

namespace headroom {

namespace {

/// The largest call of the back leg.
uint32_t LargestCall(const StorageParameters& parameters, uint32_t largest_io) {
  if (!parameters.background) return largest_io;
  return std::max(largest_io, static_cast<uint32_t>(parameters.background->piece.v));
}

}  // namespace

StorageService::StorageService(const StorageParameters& parameters, const ServiceGround& ground)
    : parameters_(parameters),
      ground_(ground),
      front_(SetupOf(parameters_.front, 0, false), ground_.hosts, ground_.topology) {
  if (ground_.histories) {
    history_.emplace();
    history_->extents = parameters_.back.has_value();
  }
  if (parameters_.back) {
    back_ = std::make_unique<Leg>(SetupOf(*parameters_.back, 1, true), ground_.hosts, ground_.topology);
    entity_ = EventQueue::Get().AddEntity(UINT32_MAX);
  }
  SetUpFailover();
  parameters_.back ? MakeSystem() : MakeNodes();
}

Leg::Setup StorageService::SetupOf(const StorageLeg& leg, int place, bool back) const {
  constexpr int kLegs = 4;
  const char* const names[kLegs] = {"", "/back", "/standby", "/back/standby"};  // indexed by place
  const auto largest = std::max(1u, static_cast<uint32_t>(ground_.load.largest.v));
  return {leg,
          parameters_.name + names[place],
          static_cast<uint16_t>(kLegs * (ground_.number + 1) + place),
          ground_.tag,
          place > 0 ? LargestCall(parameters_, largest) : largest,
          ground_.histories,
          back};
}

void StorageService::SetUpFailover() {
  if (!parameters_.failover) return;
  const StorageFailover& failover = *parameters_.failover;
  failover_ =
      std::make_unique<Failover>(failover.when, [this](const Failover::Change& change) { NoteMove(change); });
  const auto stands_by = [&](Leg& leg, int place, bool back) {
    auto standby = std::make_unique<Leg>(SetupOf(failover.to, place, back), ground_.hosts, ground_.topology);
    leg.SetStandby(*standby, *failover_, trail());
    return standby;
  };
  standby_front_ = stands_by(front_, 2, false);
  if (back_ != nullptr) standby_back_ = stands_by(*back_, 3, true);
}

void StorageService::NoteMove(const Failover::Change& change) {
  ground_.note({change.at, change.back ? "failback" : "failover", change.host,
                fmt::format("{} connection{} of {}: {}", change.connections,
                            change.connections == 1 ? "" : "s", parameters_.name, change.why)});
}

void StorageService::MakeNodes() {
  for (const NodeId id : parameters_.extent_nodes)
    nodes_[id] = std::make_unique<Node>(parameters_.disk, ground_.hosts[id].context, trail(),
                                        NameAt(id) + "/disk", history_.has_value());
  for (uint32_t disk = 0; disk < parameters_.compute.size(); ++disk) {
    const NodeId client = parameters_.compute[disk];
    for (const NodeId node : parameters_.extent_nodes) {
      Node& to = *nodes_[node];
      if (parameters_.timeout > Time(0) || parameters_.failover ||
          parameters_.front.protocol == StorageProtocol::tcp) {
        front_.Add(client, node, to.duplicates);
      } else {
        front_.Add(client, node, to.executes);  // each call arrives once
      }
    }
    // Disks begin at different extent nodes, so that the first extents of all disks do not lie on one node.
    const auto route = [this, client](const StoragePlace& place, uint32_t,
                                      NodeId& server) -> StorageChannel& {
      const uint64_t extent = place.offset / static_cast<uint64_t>(parameters_.extent.v);
      server = parameters_.extent_nodes[(extent + place.object) % parameters_.extent_nodes.size()];
      return front_.Find(client, server);
    };
    clients_[client] = std::make_unique<DiskClient>(disk, parameters_, ground_.operations,
                                                    OperationsHistory(), CoresOf(client), route);
  }
}

StorageHost& StorageService::HostOf(NodeId id) {
  auto& host = storage_hosts_[id];
  if (host == nullptr) {
    host =
        std::make_unique<StorageHost>(id, ground_.hosts[id].context, trail(),
                                      [this, id](NodeId node, StorageCall call, StorageChannel::Done done) {
                                        back_->Find(id, node).Call(std::move(call), std::move(done));
                                      });
    host->SetOwners(owners_);
  }
  return *host;
}

void StorageService::MakeSystem() {
  const StorageParameters& p = parameters_;
  const Topology& topology = ground_.topology;
  placement_ = std::make_unique<Placement>(p.name, p.across, p.extent_nodes, topology);
  for (const NodeId id : p.extent_nodes) {
    HostOf(id).extent_node =
        std::make_unique<ExtentNode>(p, id, NameAt(id), ground_.hosts[id].context, trail(), Appends());
  }
  const auto servers = static_cast<uint32_t>(p.partition_servers.size());
  for (uint32_t i = 0; i < servers; ++i) {
    const NodeId id = p.partition_servers[i];
    StorageHost& host = HostOf(id);
    host.extents = std::make_unique<ExtentMap>(p, *placement_, id, i, servers);
    host.partition_server = std::make_unique<PartitionServer>(p, *host.extents, NameAt(id),
                                                              CoresOf(id).process(CoresOf(id).NextCore()),
                                                              host.delayed_calls, Appends(), host.ask);
    host.duplicates = std::make_unique<DuplicateFilter>(*host.partition_server, p.bugs.repeats);
  }
  StorageRoutes routes = RoutesOf(p, *placement_, topology);
  fronts_ = std::move(routes.fronts);
  owners_ = std::move(routes.owners);
  for (uint32_t disk = 0; disk < p.compute.size(); ++disk) {
    const NodeId client = p.compute[disk];
    for (const NodeId front : fronts_[disk]) front_.Add(client, front, HostOf(front).front());
    const auto route = [this, client](const StoragePlace& place, uint32_t again,
                                      NodeId& server) -> StorageChannel& {
      const std::vector<NodeId>& ask = fronts_[place.object];
      server = ask[again % ask.size()];
      return front_.Find(client, server);
    };
    clients_[client] = std::make_unique<DiskClient>(disk, p, ground_.operations, OperationsHistory(),
                                                    CoresOf(client), route);
  }
  if (p.background) {
    std::map<NodeId, std::vector<uint32_t>> disks;
    for (uint32_t disk = 0; disk < owners_.size(); ++disk) disks[owners_[disk]].push_back(disk);
    for (const auto& [id, owned] : disks) {
      StorageHost& host = *storage_hosts_.at(id);
      host.background =
          std::make_unique<Background>(p, owned, NameAt(id), *host.partition_server, *host.extents,
                                       host.delayed_calls, host.ask, Appends(), ground_.operations);
    }
  }
  for (const auto& [from, to] : routes.back) back_->Add(from, to, HostOf(to).back());
}

void StorageService::Start(const Attached& attached) {
  attached_ = attached;
  if (failover_ != nullptr) failover_->Start();
  if (back_ == nullptr) {
    front_.Open(attached_);
    return;
  }
  for (const auto& [id, host] : storage_hosts_) {
    if (host->background != nullptr) host->background->Start();
  }
  for (const NodeId host : back_->callers()) joined_[host] = false;
  for (const NodeId host : front_.callers()) clients_joined_[host] = false;
  back_->Open([this](NodeId host) { joined_.at(host) = true; });
  front_.Open([this](NodeId host) {
    clients_joined_.at(host) = true;
    if (!starts_) attached_(host);
  });
  ScheduleCheck();
}

void StorageService::ScheduleCheck() {
  constexpr Time kStartCheck = Microseconds(10);  // ours
  EventQueue& events = EventQueue::Get();
  events.PushTarget(events.now() + kStartCheck, TimedEvent::Order(EventClass::workload, entity_, 0), this, 0);
}

/// Of several ranks that run its hosts, each knows the state of its own, and all ask in the same event.
bool StorageService::AllJoined() const {
  Parts& parts = Parts::Get();
  const bool all = std::ranges::all_of(joined_, [&](const auto& host) {
    return host.second || !parts.IsHere(ground_.hosts[host.first].context);
  });
  return ground_.divided ? parts.OnAll(all) : all;
}

void StorageService::OnEvent(uint64_t) {
  if (!AllJoined()) return ScheduleCheck();
  starts_ = false;
  for (const auto& [host, joined] : clients_joined_) {
    const Parts::Within part(ground_.hosts[host].context);
    if (joined && part.here()) attached_(host);
  }
}

void StorageService::Submit(const OperationRequest& request) { clients_.at(request.client)->Submit(request); }

void StorageService::Stop() {
  for (const auto& [id, host] : storage_hosts_) {
    if (host->background != nullptr) host->background->Stop();
  }
}

void StorageService::SetAway(NodeId node, bool away) {
  StorageHost& host = *storage_hosts_.at(node);
  away ? host.LeaveExtents() : host.ReturnToExtents();
}

std::shared_ptr<const ServiceRecord> StorageService::Record() {
  auto record = std::make_shared<StorageRecord>();
  front_.Count(*record);
  if (back_ != nullptr) back_->Count(*record);
  for (const auto& [id, node] : nodes_) {
    record->executed += node->disk.executed();
    record->uses.push_back(node->disk.Use(id));
    record->repeated += node->duplicates.repeated();
  }
  for (const auto& [id, host] : storage_hosts_) host->Count(*record);
  std::erase_if(record->uses, [](const ResourceUse& use) { return use.busy == Time(0); });
  return record;
}

bool StorageService::Judge(HistoryJudgement& all) {
  if (!history_) return false;
  const auto name = [this](NodeId node) { return ground_.topology.nodes[node].name; };
  all += history_->Judge({[&](uint32_t disk) {
                            return fmt::format("{}'s disk of {}", name(parameters_.compute[disk]),
                                               parameters_.name);
                          },
                          name});
  return true;
}

void StorageService::ForEachQueuePair(const UseQueuePair& use) const {
  front_.ForEachQueuePair(use);
  if (back_ != nullptr) back_->ForEachQueuePair(use);
}

static const ServiceType kStorage{"storage", &MakeAs<StorageService, StorageParameters>};

}  // namespace headroom
