#include "analysis/check/services/io_workload.h"

#include <algorithm>
#include <cmath>

#include "analysis/bounds/ideal_path.h"
#include "analysis/bounds/tcp_cost.h"
#include "protocol/tcp/tcp_message.h"
#include "report/text/text_table.h"

namespace headroom {
namespace {

using IoLimit = IoCheck::Limit;

}  // namespace

double PerSecond(double n, double picoseconds) { return picoseconds > 0 ? n * 1e12 / picoseconds : HUGE_VAL; }

std::string IopsText(double iops) { return FormatGrouped(std::floor(iops), 0); }

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

const char* ProtocolName(StorageProtocol protocol) {
  constexpr const char* kNames[] = {"sk_rdma", "su_rdma", "tcp"};
  return kNames[static_cast<size_t>(protocol)];
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
  return {IdealPathOf(s, there, back), IdealPathOf(s, back, there),         s.hosts[client].costs,
          s.hosts[server].costs,       s.nics[client].registration_latency, s.ip_mtu};
}

/// Sums over the extent nodes of one disk's I/Os, in picoseconds.
struct IoWorkload::DiskSums {
  double alone = 0, client_core = 0, stream = 0;
  double nodes = HUGE_VAL;  ///< I/Os per second that the cores permit at the node with the least time
  Time request = kNever;    ///< time of the shortest request with its acknowledgement
};

IoWorkload::IoWorkload(const Fabric& fabric, const WorkloadParameters& workload,
                       const StorageParameters& service)
    : fabric_(fabric),
      scenario_(fabric.scenario()),
      workload_(workload),
      io_(*workload.arrivals->AsIos()),
      service_(service) {
  check_.workload = workload.name;
  check_.service = service_.name;
  check_.protocol = ProtocolName(service_.front.protocol);
  check_.rate = io_.rate;
  check_.mean_bytes = workload.arrivals->MeanBytes();
  if (service_.back) {
    BoundSystem();
    return;
  }
  servers_ = io_.to;
  check_.least_alone = kNever;
  double best = -1;
  for (const NodeId host : SampleOf(io_.from)) {
    const DiskSums sums = SumsOf(host);
    const Time alone(std::llround(sums.alone));
    if (alone < check_.least_alone) AddAlone(host);
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

/// By kind and size, at the node nearest to this host.
void IoWorkload::AddAlone(NodeId host) {
  check_.alone.clear();
  std::vector<IoEnds> all;
  for (const NodeId node : SampleOf(io_.to)) all.push_back(EndsOf(fabric_, host, node));
  ForEachBlock(io_, [&](bool writes, Bytes size, double) {
    const OperationKind kind = writes ? OperationKind::write : OperationKind::read;
    IoParts least;
    least.all = kNever;
    for (const IoEnds& ends : all) {
      const IoParts parts = PartsOfIo(service_, kind, size, ends);
      if (parts.all < least.all) least = parts;
    }
    check_.alone.push_back({writes, size, least});
  });
}

/// For a host with requests to this many others.
double IoWorkload::Streams(double others) const {
  return service_.front.protocol == StorageProtocol::tcp ? others * service_.front.connections : others;
}

/// I/Os per second that the cores of a host permit. `carried`: work of connections, with one core each;
/// `requests`: work of its requests.
double IoWorkload::CoresOf(NodeId host, double streams, double carried, double requests) const {
  const double cores = scenario_.hosts[host].cores;
  return std::min(PerSecond(cores, carried + requests), PerSecond(std::min(cores, streams), carried));
}

/// The sums for an average I/O.
IoWorkload::DiskSums IoWorkload::SumsOf(NodeId host) const {
  DiskSums sums;
  const std::vector<NodeId> nodes = SampleOf(io_.to);
  for (const NodeId node : nodes) {
    const IoEnds ends = EndsOf(fabric_, host, node);
    sums.request = std::min(sums.request, RequestRoundTrip(service_.front, ends));
    double ways[2] = {0, 0}, at_server = 0;
    ForEachBlock(io_, [&](bool writes, Bytes size, double share) {
      const IoCost cost = CostOfIo(service_, writes ? OperationKind::write : OperationKind::read, size, ends);
      const auto add = [&](double& sum, Time t, double over) {
        sum += share * static_cast<double>(t.v) / over;
      };
      const auto count = static_cast<double>(nodes.size());
      add(sums.alone, cost.alone, count);
      add(sums.client_core, cost.client_core, count);
      add(at_server, cost.server_core, 1);
      add(ways[0], cost.request_way, 1);
      add(ways[1], cost.response_way, 1);
    });
    // One core of a node handles a connection's requests, and one, possibly another, its transport.
    const auto asked = static_cast<double>(ends.server.OfRequest().v);
    const auto disks = static_cast<double>(io_.from.size());
    sums.nodes = std::min({sums.nodes, CoresOf(node, disks, at_server - asked, asked),
                           CoresOf(node, disks, asked, at_server - asked)});
    sums.stream += std::max(ways[0], ways[1]) / static_cast<double>(nodes.size());
  }
  return sums;
}

/// For writes, the disks' bandwidth, and once their cache.
double IoWorkload::DiskIops(int replicas) const {
  const DiskParameters& disk = service_.disk;
  double times = 0, read = 0, written = 0;
  ForEachBlock(io_, [&](bool writes, Bytes size, double share) {
    times += share * (writes ? replicas : 1);
    (writes ? written : read) += share * static_cast<double>(size.v) * (writes ? replicas : 1);
  });
  double iops = disk.iops > 0 ? disk.iops / times : HUGE_VAL;
  const auto limit = [&](Rate bandwidth, double bytes, double cached) {
    if (bandwidth.v == 0 || bytes <= 0) return;
    iops = std::min(iops,
                    (static_cast<double>(bandwidth.v) / 8 + cached / InSeconds(scenario_.duration)) / bytes);
  };
  limit(disk.read_bandwidth, read, 0);
  limit(disk.write_bandwidth, written, static_cast<double>(disk.cache.v));
  return iops;
}

double IoWorkload::DataBits(bool writes) const {
  double bytes = 0;
  ForEachBlock(io_, [&](bool of_write, Bytes size, double share) {
    if (of_write == writes) bytes += share * static_cast<double>(size.v);
  });
  if (service_.front.protocol == StorageProtocol::tcp)
    return 8 * TcpOnWire(bytes, scenario_.frames, scenario_.ip_mtu);
  return 8 * bytes *
         static_cast<double>(scenario_.frames.OnWire(scenario_.frames.Data(scenario_.mtu, false)).v) /
         static_cast<double>(scenario_.mtu);
}

double IoWorkload::Bits(bool writes) const {
  const bool tcp = service_.front.protocol == StorageProtocol::tcp;
  return DataBits(writes) + (tcp ? 8 * TcpOnWire(TcpMessage::kBytes, scenario_.frames, scenario_.ip_mtu) : 0);
}

std::vector<IoCheck::Bound> IoWorkload::BoundsOf(NodeId host, const DiskSums& sums) const {
  const auto nodes = static_cast<double>(io_.to.size()), disks = static_cast<double>(io_.from.size());
  const double share = nodes / disks;  // share of an extent node per disk
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
  const auto asked = static_cast<double>(scenario_.hosts[host].costs.OfRequest().v);
  add(IoLimit::cores, CoresOf(host, Streams(nodes), sums.client_core - asked, asked));
  add(IoLimit::node_cores, share * sums.nodes);
  add(IoLimit::disks, share * DiskIops(1));
  const double bits = std::max(Bits(false), Bits(true));  // the direction with more data
  add(IoLimit::line, static_cast<double>(fabric_.LineRate(host).v) / bits);
  Rate slowest = fabric_.LineRate(io_.to.front());
  for (const NodeId node : io_.to) slowest = std::min(slowest, fabric_.LineRate(node));
  add(IoLimit::node_line, share * static_cast<double>(slowest.v) / bits);
  return bounds;
}

}  // namespace headroom
