#include "analysis/check/io_workload.h"

#include <algorithm>
#include <cmath>

#include "analysis/bounds/ideal_path.h"
#include "scenario/expected_traffic.h"

namespace headroom {
namespace {

using IoLimit = IoCheck::Limit;

double PerSecond(double n, double picoseconds) { return picoseconds > 0 ? n * 1e12 / picoseconds : HUGE_VAL; }

}  // namespace

const IoCheck::Bound& IoCheck::Least() const { return *std::ranges::min_element(bounds, {}, &Bound::iops); }

const IoCheck::Bound* IoCheck::Find(Limit limit) const {
  const auto at = std::ranges::find(bounds, limit, &Bound::limit);
  return at == bounds.end() ? nullptr : &*at;
}

const char* LimitName(IoCheck::Limit limit) {
  constexpr const char* kNames[] = {"depth",      "credits", "chunk", "hidden_fence", "cores",
                                    "node cores", "disks",   "line",  "node lines",   "rate"};
  return kNames[static_cast<size_t>(limit)];
}

std::vector<NodeId> SampleOf(const std::vector<NodeId>& hosts) {
  constexpr size_t kMost = 24;
  const size_t stride = 1 + (hosts.size() - 1) / kMost;
  std::vector<NodeId> sample;
  for (size_t i = 0; i < hosts.size(); i += stride) sample.push_back(hosts[i]);
  return sample;
}

IoEnds EndsOf(const Fabric& fabric, NodeId client, NodeId server) {
  constexpr uint32_t kSourcePort = 0xC000;
  const Scenario& s = fabric.scenario();
  const auto there = fabric.paths().Of(client, server, kSourcePort);
  const auto back = fabric.paths().Of(server, client, kSourcePort);
  return {IdealPathOf(s, there, back), IdealPathOf(s, back, there), s.hosts[client].costs,
          s.hosts[server].costs, s.nics[client].registration_latency};
}

/// Sums over the extent nodes of one disk's I/Os, in picoseconds.
struct IoWorkload::DiskSums {
  double alone = 0, client_core = 0, stream = 0;
  double server_core = 0;  ///< at the node whose cores have the most to do, over these
  Time request = kNever;   ///< the shortest request with its acknowledgement
};

IoWorkload::IoWorkload(const Fabric& fabric, const WorkloadParameters& workload)
    : fabric_(fabric),
      scenario_(fabric.scenario()),
      io_(std::get<IoArrivals>(workload.arrivals)),
      service_(scenario_.services[io_.service]) {
  check_.workload = workload.name;
  check_.service = service_.name;
  check_.rate = io_.rate;
  check_.mean_bytes = MeanMessage(workload);
  if (service_.back) {
    check_.bounds = BoundsOfSystem();
    return;
  }
  check_.least_alone = kNever;
  double best = -1;
  for (const NodeId host : SampleOf(io_.from)) {
    const DiskSums sums = SumsOf(host);
    const Time alone(std::llround(sums.alone));
    check_.least_alone = std::min(check_.least_alone, alone);
    check_.most_alone = std::max(check_.most_alone, alone);
    IoCheck bounded = check_;
    bounded.bounds = BoundsOf(host, sums);
    if (bounded.Least().iops <= best) continue;
    best = bounded.Least().iops;
    check_.bounds = bounded.bounds;
    request_ = sums.request;
  }
}

/// Of an average I/O.
IoWorkload::DiskSums IoWorkload::SumsOf(NodeId host) const {
  DiskSums sums;
  const std::vector<NodeId> nodes = SampleOf(io_.to);
  for (const NodeId node : nodes) {
    const IoEnds ends = EndsOf(fabric_, host, node);
    sums.request = std::min(sums.request, RequestRoundTrip(service_.front, ends.there));
    double ways[2] = {0, 0}, at_server = 0;
    const auto cores = static_cast<double>(
        std::min<size_t>(static_cast<size_t>(scenario_.hosts[node].cores), io_.from.size()));
    ForEachBlock(io_, [&](bool writes, Bytes size, double share) {
      const IoCost cost = CostOfIo(service_, writes ? OperationKind::write : OperationKind::read, size, ends);
      const auto add = [&](double& sum, Time t, double over) {
        sum += share * static_cast<double>(t.v) / over;
      };
      const auto count = static_cast<double>(nodes.size());
      add(sums.alone, cost.alone, count);
      add(sums.client_core, cost.client_core, count);
      add(at_server, cost.server_core, cores);
      add(ways[0], cost.request_way, 1);
      add(ways[1], cost.response_way, 1);
    });
    sums.server_core = std::max(sums.server_core, at_server);
    sums.stream += std::max(ways[0], ways[1]) / static_cast<double>(nodes.size());
  }
  return sums;
}

/// I/Os that one disk of an extent node lets through, each of which reads and writes there so often. Of
/// writes their bandwidth and once its cache.
double IoWorkload::DiskIops(double reads, double writes) const {
  const DiskParameters& disk = service_.disk;
  double iops = disk.iops > 0 ? disk.iops / (reads + writes) : HUGE_VAL;
  const auto limit = [&](Rate bandwidth, double times, double cached) {
    if (bandwidth.v == 0 || times <= 0) return;
    const double bytes = static_cast<double>(bandwidth.v) / 8 + cached / InSeconds(scenario_.duration);
    iops = std::min(iops, bytes / (times * check_.mean_bytes));
  };
  limit(disk.read_bandwidth, reads, 0);
  limit(disk.write_bandwidth, writes, static_cast<double>(disk.cache.v));
  return iops;
}

/// What disks and lines let through where front ends and partition servers hand on what is read and written.
/// Of a server that has several of these roles nothing is a message, which is left out: so many pass at most.
std::vector<IoCheck::Bound> IoWorkload::BoundsOfSystem() const {
  const auto disks = static_cast<double>(io_.from.size());
  const double writes = 1 - io_.reads;
  const double bits =
      8 * check_.mean_bytes *
      static_cast<double>(scenario_.frames.OnWire(scenario_.frames.Data(scenario_.mtu, false)).v) /
      static_cast<double>(scenario_.mtu);
  std::vector<IoCheck::Bound> bounds;
  const auto nodes = static_cast<double>(service_.extent_nodes.size());
  const double of_disks = nodes * DiskIops(io_.reads, writes * service_.replicas) / disks;
  if (std::isfinite(of_disks)) bounds.push_back({IoLimit::disks, of_disks});
  Rate line = fabric_.LineRate(io_.from.front());
  for (const NodeId host : io_.from) line = std::max(line, fabric_.LineRate(host));
  bounds.push_back({IoLimit::line, static_cast<double>(line.v) / (bits * std::max(io_.reads, writes))});
  // An extent node receives what is written and sends what is read.
  double all = 0;
  for (const NodeId node : service_.extent_nodes) all += static_cast<double>(fabric_.LineRate(node).v);
  const double away = nodes > 1 ? (nodes - 1) / nodes : 0;  // of them, from a partition server on one
  const double each = bits * away * std::max(io_.reads, writes * service_.replicas);
  if (each > 0) bounds.push_back({IoLimit::node_line, all / each / disks});
  return bounds;
}

std::vector<IoCheck::Bound> IoWorkload::BoundsOf(NodeId host, const DiskSums& sums) const {
  const auto nodes = static_cast<double>(io_.to.size()), disks = static_cast<double>(io_.from.size());
  const double share = nodes / disks;  // of an extent node, for each disk
  std::vector<IoCheck::Bound> bounds;
  const auto add = [&](IoLimit limit, double iops) {
    if (std::isfinite(iops)) bounds.push_back({limit, iops});
  };
  const StorageLeg& leg = service_.front;
  const bool sk = leg.protocol == StorageProtocol::sk_rdma;
  if (io_.rate == 0) add(IoLimit::depth, PerSecond(io_.depth, sums.alone + static_cast<double>(io_.think.v)));
  if (io_.job) {
    if (const auto most = io_.job->MostIops()) add(IoLimit::rate, *most * io_.job->clones);
  }
  if (sk) add(IoLimit::credits, PerSecond(nodes * leg.credits, sums.alone));
  if (leg.protocol == StorageProtocol::su_rdma) add(IoLimit::stream, PerSecond(nodes, sums.stream));
  const NicParameters& nic = scenario_.nics[host];
  if (sk && nic.hidden_fence)
    add(IoLimit::fence, PerSecond(nodes, static_cast<double>((sums.request + nic.registration_latency).v)));
  add(IoLimit::cores, PerSecond(std::min<double>(scenario_.hosts[host].cores, nodes), sums.client_core));
  add(IoLimit::node_cores, share * PerSecond(1, sums.server_core));
  add(IoLimit::disks, share * DiskIops(io_.reads, 1 - io_.reads));
  // In the direction that has more of the data.
  const double bits =
      8 * check_.mean_bytes * std::max(io_.reads, 1 - io_.reads) *
      static_cast<double>(scenario_.frames.OnWire(scenario_.frames.Data(scenario_.mtu, false)).v) /
      static_cast<double>(scenario_.mtu);
  add(IoLimit::line, static_cast<double>(fabric_.LineRate(host).v) / bits);
  Rate slowest = fabric_.LineRate(io_.to.front());
  for (const NodeId node : io_.to) slowest = std::min(slowest, fabric_.LineRate(node));
  add(IoLimit::node_line, share * static_cast<double>(slowest.v) / bits);
  return bounds;
}

}  // namespace headroom
