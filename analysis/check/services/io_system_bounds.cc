// Part of io_workload.h: throughput of I/Os through front ends and partition servers.
//
// Each call is open until the calls that it waits for have ended, so a lone I/O takes at least the sum of its
// calls, and the disk's time. A connection has a number of credits, or one chunk in flight, for all disks
// that use it. If all disks are equally active, a host's line and cores limit the data that the host sends,
// receives and computes for their I/Os.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analysis/bounds/services/storage_traffic.h"
#include "analysis/check/services/io_workload.h"

namespace headroom {
namespace {

using IoLimit = IoCheck::Limit;

/// Bounds of one disk, the smallest of each kind.
struct Bounds {
  std::map<IoLimit, double> least;
  void Add(IoLimit limit, double iops) {
    const auto [at, added] = least.try_emplace(limit, iops);
    if (!added) at->second = std::min(at->second, iops);
  }
  double Least() const {
    double iops = HUGE_VAL;
    for (const auto& [limit, of_limit] : least) iops = std::min(iops, of_limit);
    return iops;
  }
};

/// Bounds on the I/Os of all disks of a workload.
class SystemBounds {
 public:
  SystemBounds(const Fabric& fabric, const IoArrivals& io, const StorageParameters& service)
      : fabric_(fabric), io_(io), service_(service), traffic_(fabric, service, StorageTraffic::Writes::any) {
    for (const NodeId host : io.from) {
      const size_t disk = DiskOf(host);
      ++of_front_[Way(disk)];
      ++of_owner_[traffic_.routes().owners[disk]];
      ForEachBlock(io, [&](bool writes, Bytes size, double share) {
        traffic_.Add(disk, writes ? OperationKind::write : OperationKind::read, size, share);
      });
    }
  }

  NodeId FrontOf(NodeId host) const { return traffic_.routes().fronts[DiskOf(host)].front(); }

  struct Disk {
    double alone = 0;  ///< picoseconds, at least
    Bounds bounds;
  };
  Disk Of(NodeId host) {
    const size_t disk = DiskOf(host);
    const auto [front, owner] = Way(disk);
    Disk of;
    double streams[2] = {0, 0}, node_calls = 0, front_call = 0, device = 0;
    ForEachBlock(io_, [&](bool writes, Bytes size, double share) {
      const OperationKind kind = writes ? OperationKind::write : OperationKind::read;
      const IoCost there = Cost(service_.front, kind, size, host, front);
      of.alone += share * static_cast<double>(
                              (there.alone + CostsOf(host).OfRequest() + CostsOf(front).OfRequest()).v);
      streams[0] += share * static_cast<double>(there.request_way.v);
      streams[1] += share * static_cast<double>(there.response_way.v);
      device += share * static_cast<double>(service_.disk.Alone(!writes, size).v);
      if (front != owner) {
        const IoCost hand_on = Cost(*service_.back, kind, size, front, owner);
        front_call += share * static_cast<double>((hand_on.alone + CostsOf(owner).OfRequest()).v);
      }
    });
    node_calls = NodeCalls(owner);
    of.alone += front_call + node_calls + device;
    if (service_.front.protocol == StorageProtocol::sk_rdma)
      of.bounds.Add(IoLimit::credits, PerSecond(service_.front.credits, of.alone));
    if (service_.front.protocol == StorageProtocol::su_rdma)
      of.bounds.Add(IoLimit::stream, PerSecond(1, std::max(streams[0], streams[1])));
    if (front != owner) AddHandOn(of.bounds, front, owner, front_call + node_calls + device);
    AddNodeConnections(of.bounds, owner, device);
    AddHosts(of.bounds, host, front, owner);
    return of;
  }

 private:
  size_t DiskOf(NodeId host) const {
    return static_cast<size_t>(std::ranges::find(service_.compute, host) - service_.compute.begin());
  }
  std::pair<NodeId, NodeId> Way(size_t disk) const {
    return {traffic_.routes().fronts[disk].front(), traffic_.routes().owners[disk]};
  }
  const CoreCosts& CostsOf(NodeId host) const { return fabric_.scenario().hosts[host].costs; }
  IoCost Cost(const StorageLeg& leg, OperationKind kind, Bytes size, NodeId from, NodeId to) const {
    return from == to ? IoCost{} : CostOfCall(leg, kind, size, EndsOf(fabric_, from, to));
  }

  /// Calls f(node, share of its I/Os, kind, size) for an owner's requests to other hosts' extent nodes.
  template <class F>
  void ForEachNodeCall(NodeId owner, F&& f) {
    const StorageTraffic::Asked& asked = traffic_.AskedBy(owner);
    ForEachBlock(io_, [&](bool writes, Bytes size, double share) {
      const OperationKind kind = writes ? OperationKind::write : OperationKind::read;
      for (const auto& [node, times] : asked.By(kind))
        if (node != owner && times > 0) f(node, share * times, kind, size);
    });
  }

  /// Replicas are written at the same time, so one counts.
  double NodeCalls(NodeId owner) {
    double sum = 0;
    ForEachNodeCall(owner, [&](NodeId node, double share, OperationKind kind, Bytes size) {
      const double one = kind == OperationKind::write ? share / service_.replicas : share;
      const IoCost cost = Cost(*service_.back, kind, size, owner, node);
      sum += one * static_cast<double>((cost.alone + CostsOf(node).OfRequest()).v);
    });
    return sum;
  }

  /// The connection of a front end to an owner, whose calls take `open`.
  void AddHandOn(Bounds& bounds, NodeId front, NodeId owner, double open) {
    const auto disks = static_cast<double>(of_front_.at({front, owner}));
    if (service_.back->protocol == StorageProtocol::sk_rdma)
      bounds.Add(IoLimit::credits, PerSecond(service_.back->credits, disks * open));
    if (service_.back->protocol != StorageProtocol::su_rdma) return;
    double request = 0, response = 0;
    ForEachBlock(io_, [&](bool writes, Bytes size, double share) {
      const IoCost cost =
          Cost(*service_.back, writes ? OperationKind::write : OperationKind::read, size, front, owner);
      request += share * static_cast<double>(cost.request_way.v);
      response += share * static_cast<double>(cost.response_way.v);
    });
    bounds.Add(IoLimit::stream, PerSecond(1, disks * std::max(request, response)));
  }

  /// The connection of an owner to each of its extent nodes.
  void AddNodeConnections(Bounds& bounds, NodeId owner, double device) {
    struct OfConnection {
      double open = 0, request = 0, response = 0;
    };
    std::map<NodeId, OfConnection> uses;
    ForEachNodeCall(owner, [&](NodeId node, double share, OperationKind kind, Bytes size) {
      const IoCost cost = Cost(*service_.back, kind, size, owner, node);
      OfConnection& use = uses[node];
      use.open += share * (static_cast<double>(cost.alone.v) + device);
      use.request += share * static_cast<double>(cost.request_way.v);
      use.response += share * static_cast<double>(cost.response_way.v);
    });
    const auto disks = static_cast<double>(of_owner_.at(owner));
    for (const auto& [node, use] : uses) {
      if (service_.back->protocol == StorageProtocol::sk_rdma)
        bounds.Add(IoLimit::credits, PerSecond(service_.back->credits, disks * use.open));
      if (service_.back->protocol == StorageProtocol::su_rdma)
        bounds.Add(IoLimit::stream, PerSecond(1, disks * std::max(use.request, use.response)));
    }
  }

  /// Lines and cores of the hosts along the path. Rates are those at which every disk makes one request per
  /// second.
  void AddHosts(Bounds& bounds, NodeId client, NodeId front, NodeId owner) {
    AddHost(bounds, client, IoLimit::line, IoLimit::cores);
    std::set<NodeId> servers = {front, owner};
    ForEachNodeCall(owner, [&](NodeId node, double, OperationKind, Bytes) { servers.insert(node); });
    for (const NodeId server : servers) AddHost(bounds, server, IoLimit::node_line, IoLimit::node_cores);
  }

  void AddHost(Bounds& bounds, NodeId host, IoLimit line, IoLimit of_cores) {
    const TrafficShares& wire = traffic_.wire();
    const double bits = 8 * std::max(wire.out[host], wire.in[host]);
    bounds.Add(line, static_cast<double>(fabric_.LineRate(host).v) / bits);
    const auto at = traffic_.work().find(host);
    if (at == traffic_.work().end()) return;
    const StorageTraffic::Work& work = at->second;
    const double cores = fabric_.scenario().hosts[host].cores;
    bounds.Add(of_cores,
               std::min(PerSecond(cores, work.carried + work.requests),
                        PerSecond(std::min(cores, static_cast<double>(work.connections)), work.carried)));
  }

  const Fabric& fabric_;
  const IoArrivals& io_;
  const StorageParameters& service_;
  StorageTraffic traffic_;
  std::map<std::pair<NodeId, NodeId>, size_t> of_front_;  ///< number of disks, keyed by front end and owner
  std::map<NodeId, size_t> of_owner_;
};

}  // namespace

void IoWorkload::BoundSystem() {
  SystemBounds system(fabric_, io_, service_);
  servers_ = {system.FrontOf(io_.from.front())};
  check_.least_alone = kNever;
  double best = -1;
  for (const NodeId host : SampleOf(io_.from)) {
    SystemBounds::Disk disk = system.Of(host);
    const Time alone(std::llround(disk.alone));
    check_.least_alone = std::min(check_.least_alone, alone);
    check_.most_alone = std::max(check_.most_alone, alone);
    if (io_.rate == 0)
      disk.bounds.Add(IoLimit::depth, PerSecond(io_.depth, disk.alone + static_cast<double>(io_.think.v)));
    if (io_.job) {
      if (const auto most = io_.job->MostIops()) disk.bounds.Add(IoLimit::rate, *most * io_.job->clones);
    }
    const NicParameters& nic = scenario_.nics[host];
    if (nic.hidden_fence && service_.front.protocol == StorageProtocol::sk_rdma) {
      const Time request = RequestRoundTrip(service_.front, EndsOf(fabric_, host, system.FrontOf(host)));
      disk.bounds.Add(IoLimit::fence,
                      PerSecond(1, static_cast<double>((request + nic.registration_latency).v)));
      request_ = request;
    }
    disk.bounds.Add(IoLimit::disks, static_cast<double>(service_.extent_nodes.size()) *
                                        DiskIops(service_.replicas) / static_cast<double>(io_.from.size()));
    if (disk.bounds.Least() <= best) continue;
    best = disk.bounds.Least();
    check_.bounds.clear();
    for (const auto& [limit, iops] : disk.bounds.least)
      if (std::isfinite(iops)) check_.bounds.push_back({limit, iops});
  }
}

}  // namespace headroom
