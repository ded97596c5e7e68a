#include "analysis/check/services/io_loads.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace headroom {
namespace {

using Of = IoLoad::Of;

/// Work of hosts per second.
struct HostWork {
  double carried = 0, requests = 0;  ///< seconds of core time
  double out = 0, in = 0;            ///< bits
};

class Loads {
 public:
  Loads(const Fabric& fabric, const StorageParameters& service, const StorageRoutes& routes)
      : fabric_(fabric), service_(service), routes_(routes) {
    for (const std::vector<NodeId>& fronts : routes.fronts) servers_.insert(fronts.begin(), fronts.end());
    servers_.insert(routes.owners.begin(), routes.owners.end());
    servers_.insert(service.extent_nodes.begin(), service.extent_nodes.end());
    for (const NodeId node : service.extent_nodes) {
      if (std::ranges::none_of(nodes_, [&](NodeId other) { return CostsOf(other) == CostsOf(node); }))
        nodes_.push_back(node);
    }
  }

  void Add(const IoWorkload& workload) {
    const IoArrivals& io = workload.io();
    for (const NodeId host : io.from) {
      const auto disk =
          static_cast<size_t>(std::ranges::find(service_.compute, host) - service_.compute.begin());
      AddCores(io, disk);
      HostWork& at = hosts_[host];
      at.out += io.rate * workload.Bits(true);
      at.in += io.rate * workload.Bits(false);
      AddLines(workload, disk);
    }
    const auto nodes = static_cast<double>(service_.extent_nodes.size());
    disks_ += io.rate * static_cast<double>(io.from.size()) /
              (nodes * workload.DiskIops(service_.back ? service_.replicas : 1));
  }

  IoLoads All() const {
    IoLoads loads;
    const auto add = [&](Of of, double share, NodeId at) {
      if (share <= 0) return;
      const auto same = std::ranges::find(loads, of, &IoLoad::of);
      if (same == loads.end()) {
        loads.push_back({of, share, fabric_.node(at).name});
      } else if (share > same->share) {
        *same = {of, share, fabric_.node(at).name};
      }
    };
    const Scenario& s = fabric_.scenario();
    for (const auto& [host, work] : hosts_) {
      const double cores = s.hosts[host].cores;
      const auto disk =
          static_cast<size_t>(std::ranges::find(service_.compute, host) - service_.compute.begin());
      const StorageLeg& leg = service_.front;
      const double streams = static_cast<double>(routes_.fronts[disk].size()) *
                             (leg.protocol == StorageProtocol::tcp ? leg.connections : 1);
      add(Of::cores, (work.carried + work.requests) / cores, host);
      if (streams < cores) add(Of::connection_cores, work.carried / streams, host);
      add(Of::line, std::max(work.out, work.in) / static_cast<double>(fabric_.LineRate(host).v), host);
    }
    double cores = 0, lines = 0;
    for (const NodeId server : servers_) {
      cores += s.hosts[server].cores;
      lines += static_cast<double>(fabric_.LineRate(server).v);
    }
    for (const auto& [of, share] :
         {std::pair(Of::server_cores, at_servers_ / cores),
          std::pair(Of::server_lines, std::max(into_servers_, from_servers_) / lines),
          std::pair(Of::disks, disks_)})
      if (share > 0) loads.push_back({of, share, ""});
    return loads;
  }

 private:
  const CoreCosts& CostsOf(NodeId host) const { return fabric_.scenario().hosts[host].costs; }

  /// Work for the disk's I/Os at its compute host, and at servers in the cheapest case: a server's request to
  /// itself is free, and a partition server has one of the replicas.
  void AddCores(const IoArrivals& io, size_t disk) {
    const NodeId client = service_.compute[disk];
    ForEachBlock(io, [&](bool writes, Bytes size, double share) {
      const OperationKind kind = writes ? OperationKind::write : OperationKind::read;
      const double each = io.rate * share / 1e12;
      const auto call = [&](const StorageLeg& leg, NodeId from, NodeId to) {
        const IoCores cores = CoresOfIo(leg, kind, size, CostsOf(from), CostsOf(to));
        return std::pair(each * static_cast<double>(cores.client.v),
                         each * static_cast<double>((cores.server + CostsOf(to).OfRequest()).v));
      };
      HostWork& at = hosts_[client];
      at.requests += each * static_cast<double>(CostsOf(client).OfRequest().v);
      at.carried += call(service_.front, client, routes_.fronts[disk].front()).first;
      at_servers_ += Least(service_.back ? routes_.fronts[disk] : nodes_,
                           [&](NodeId to) { return call(service_.front, client, to).second; });
      if (!service_.back) return;
      const NodeId owner = routes_.owners[disk];
      const auto both = [&](NodeId from, NodeId to) {
        const auto [asks, answers] = call(*service_.back, from, to);
        return asks + answers;
      };
      at_servers_ += Least(routes_.fronts[disk],
                           [&](NodeId front) { return front == owner ? 0.0 : both(front, owner); });
      at_servers_ += CallsOf(writes, owner) * Least(nodes_, [&](NodeId node) { return both(owner, node); });
    });
  }

  void AddLines(const IoWorkload& workload, size_t disk) {
    const double rate = workload.io().rate;
    double times[2] = {0, 0};  // bytes between servers, as multiples of the bytes read and written
    if (service_.back) {
      const NodeId owner = routes_.owners[disk];
      const bool away = std::ranges::find(routes_.fronts[disk], owner) == routes_.fronts[disk].end();
      for (const bool writes : {false, true}) times[writes] = away + CallsOf(writes, owner);
    }
    const double between = rate * (workload.DataBits(true) * times[1] + workload.DataBits(false) * times[0]);
    into_servers_ += rate * workload.Bits(true) + between;
    from_servers_ += rate * workload.Bits(false) + between;
  }

  /// The minimum number of calls from a partition server to extent nodes on other hosts.
  double CallsOf(bool writes, NodeId owner) const {
    const bool here = std::ranges::find(service_.extent_nodes, owner) != service_.extent_nodes.end();
    return (writes ? service_.replicas : 1) - (here ? 1 : 0);
  }

  template <class F>
  static double Least(const std::vector<NodeId>& hosts, F&& of) {
    double least = HUGE_VAL;
    for (const NodeId host : hosts) least = std::min(least, of(host));
    return least;
  }

  const Fabric& fabric_;
  const StorageParameters& service_;
  const StorageRoutes& routes_;
  std::set<NodeId> servers_;
  std::vector<NodeId> nodes_;  ///< extent nodes, one for each cost
  std::map<NodeId, HostWork> hosts_;
  double at_servers_ = 0, into_servers_ = 0, from_servers_ = 0, disks_ = 0;
};

}  // namespace

const char* LoadName(Of of) {
  constexpr const char* kNames[] = {"cores", "connections' cores", "server cores",
                                    "line",  "server lines",       "disks"};
  return kNames[static_cast<size_t>(of)];
}

const IoLoad& FirstOf(const IoLoads& loads) { return *std::ranges::max_element(loads, {}, &IoLoad::share); }

double ShareOf(const IoLoads& loads, Of of) {
  const auto at = std::ranges::find(loads, of, &IoLoad::of);
  return at == loads.end() ? 0 : at->share;
}

IoLoads LoadsOf(const Fabric& fabric, const StorageParameters& service, const StorageRoutes& routes,
                const std::vector<const IoWorkload*>& workloads) {
  Loads loads(fabric, service, routes);
  for (const IoWorkload* workload : workloads) loads.Add(*workload);
  return loads.All();
}

}  // namespace headroom
