#include "analysis/bounds/services/storage_traffic.h"

#include <algorithm>
#include <set>

#include "protocol/storage/extent_map.h"

namespace headroom {
namespace {

/// The number of extents drawn, within some hundredths of a second. The results of equal nodes are averaged.
size_t DrawnExtents(size_t nodes) { return std::clamp<size_t>(50'000 / nodes, 256, 1'000); }

}  // namespace

WireRules RulesOf(const Scenario& s) {
  int ack_every = INT32_MAX;  // the fewest frames that any host answers with one ACK
  for (const NicParameters& nic : s.nics) ack_every = std::min(ack_every, nic.transport.PacketsPerAck());
  FrameFormat frames = s.frames;
  frames.feedback = 0;
  return {frames, s.mtu, s.ip_mtu, ack_every};
}

StorageTraffic::StorageTraffic(const Fabric& fabric, const StorageParameters& service, Writes writes)
    : fabric_(fabric),
      service_(service),
      placement_(service.name, service.across, service.extent_nodes, fabric.topology()),
      routes_(RoutesOf(service, placement_, fabric.topology())),
      writes_(writes),
      wire_(fabric, RulesOf(fabric.scenario())) {}

/// Over RDMA these are REQ, REP and RTU of the connection manager; over TCP, SYN, SYN and ACK, and ACK.
void StorageTraffic::AddConnections() {
  constexpr int64_t kMessage = 256;
  const auto join = [&](const StorageLeg& leg, NodeId from, NodeId to) {
    BothDirections one = MessageOnWire(Transport::ud, Operation::send, kMessage, wire_.rules());
    if (leg.OnTcp()) one.there = {1, static_cast<double>(wire_.rules().frames.min)};
    const double connections = leg.OnTcp() ? leg.connections : 1;
    wire_.Add(from, to, one, 2 * connections);
    wire_.Add(to, from, one, connections);
  };
  for (size_t disk = 0; disk < service_.compute.size(); ++disk)
    for (const NodeId front : routes_.fronts[disk]) join(service_.front, service_.compute[disk], front);
  for (const auto& [from, to] : routes_.back) join(*service_.back, from, to);
}

void StorageTraffic::Call(const StorageLeg& leg, NodeId from, NodeId to, OperationKind kind, Bytes size,
                          double times) {
  if (from != to) wire_.Add(from, to, CallOnWire(leg, kind, size.v, wire_.rules()), times);
}

/// Without a back leg, extents are assigned to the nodes in round-robin order.
void StorageTraffic::Add(size_t disk, OperationKind kind, Bytes size, double times) {
  const NodeId client = service_.compute[disk];
  if (!service_.back) {
    const double each = times / static_cast<double>(service_.extent_nodes.size());
    for (const NodeId node : service_.extent_nodes) Call(service_.front, client, node, kind, size, each);
    return;
  }
  const NodeId front = routes_.fronts[disk].front(), owner = routes_.owners[disk];
  Call(service_.front, client, front, kind, size, times);
  if (front != owner) Call(*service_.back, front, owner, kind, size, times);
  const Asked& asked = AskedBy(owner);
  for (const auto& [node, share] : asked.By(kind))
    if (node != owner) Call(*service_.back, owner, node, kind, size, times * share);
}

/// Garbage collection reads a piece and appends it. Erasure coding reads the data of a stripe, fragment by
/// fragment, and writes all fragments (background.cc).
void StorageTraffic::AddBackground(double seconds) {
  if (!service_.background) return;
  const BackgroundParameters& p = *service_.background;
  constexpr int64_t kAlignment = 4096;
  const std::set<NodeId> owners(routes_.owners.begin(), routes_.owners.end());
  for (const NodeId owner : owners) {
    const Asked& asked = AskedBy(owner);
    const auto call = [&](const auto& nodes, OperationKind kind, Bytes size, double times) {
      for (const auto& [node, share] : nodes)
        if (node != owner) Call(*service_.back, owner, node, kind, size, times * share);
    };
    if (p.gc.v > 0) {
      const double pieces = seconds * static_cast<double>(p.gc.v) / 8 / static_cast<double>(p.piece.v);
      call(asked.reads, OperationKind::read, p.piece, pieces);
      call(asked.writes, OperationKind::write, p.piece, pieces);
    }
    if (p.reencode.v > 0 && service_.erasure) {
      const int data = service_.erasure->data;
      const Bytes window(std::max<int64_t>(p.piece.v / data / kAlignment, 1) * kAlignment);
      const double stripes =
          seconds * static_cast<double>(p.reencode.v) / 8 / static_cast<double>(window.v * data);
      call(asked.reads, OperationKind::read, window, stripes * data);
      call(asked.fragments, OperationKind::write, window, stripes);
    }
  }
}

const StorageTraffic::Asked& StorageTraffic::AskedBy(NodeId owner) {
  const auto [at, added] = asked_.try_emplace(owner);
  if (!added) return at->second;
  const auto [drawn, first] = drawn_.try_emplace(fabric_.node(owner).place.datacenter);
  if (first) drawn->second = Draw(owner);
  at->second = drawn->second;
  if (writes_ == Writes::first) at->second.writes = FirstWrites(owner);
  return at->second;
}

/// A server's weight is the number of its disks.
std::vector<std::pair<NodeId, double>> StorageTraffic::FirstWrites(NodeId owner) const {
  const std::vector<NodeId>& servers = service_.partition_servers;
  const auto place = static_cast<uint32_t>(std::ranges::find(servers, owner) - servers.begin());
  ExtentMap extents(service_, placement_, owner, place, static_cast<uint32_t>(servers.size()));
  const auto disks = std::ranges::count(routes_.owners, owner);
  std::map<NodeId, double> times;
  for (std::ptrdiff_t i = 0; i < disks; ++i) {
    for (const NodeId node : extents.NodesOf(extents.New())) times[node] += 1 / static_cast<double>(disks);
  }
  return {times.begin(), times.end()};
}

/// Equal nodes, in equally large datacenters and failure domains, are used equally often.
void StorageTraffic::Even(std::vector<double>& times) const {
  std::map<std::pair<int, size_t>, std::vector<size_t>> alike;
  for (size_t i = 0; i < times.size(); ++i) {
    const NodeId node = service_.extent_nodes[i];
    alike[{fabric_.node(node).place.datacenter, placement_.DomainSize(node)}].push_back(i);
  }
  for (const auto& [kind, nodes] : alike) {
    double sum = 0;
    for (const size_t i : nodes) sum += times[i];
    for (const size_t i : nodes) times[i] = sum / static_cast<double>(nodes.size());
  }
}

StorageTraffic::Asked StorageTraffic::Draw(NodeId owner) const {
  const std::vector<NodeId>& nodes = service_.extent_nodes;
  const ExtentMap extents(service_, placement_, owner, 0, 1);
  std::map<NodeId, size_t> place;
  for (size_t i = 0; i < nodes.size(); ++i) place[nodes[i]] = i;
  std::vector<double> reads(nodes.size()), writes(nodes.size()), fragments(nodes.size());
  const size_t drawn = DrawnExtents(nodes.size());
  const double coded = service_.erasure ? service_.erasure->coded : 0;
  const double each = 1 / static_cast<double>(drawn), replicas = service_.replicas;
  for (uint32_t i = 0; i < drawn; ++i) {
    const uint32_t extent = FirstNewExtent(service_) + i;  // a replicated extent
    for (const NodeId node : extents.NodesOf(extent)) {
      writes[place[node]] += each;
      reads[place[node]] += each * (1 - coded) / replicas;
    }
    if (!service_.erasure) continue;
    const std::vector<NodeId> of_fragments = extents.FragmentNodesOf(extent);
    const auto data = static_cast<size_t>(service_.erasure->data);
    for (size_t f = 0; f < of_fragments.size(); ++f) {
      fragments[place[of_fragments[f]]] += each;
      if (f < data) reads[place[of_fragments[f]]] += each * coded / static_cast<double>(data);
    }
  }
  Asked asked;
  const auto take = [&](std::vector<double>& times, std::vector<std::pair<NodeId, double>>& out) {
    Even(times);
    for (size_t i = 0; i < nodes.size(); ++i)
      if (times[i] > 0) out.emplace_back(nodes[i], times[i]);
  };
  take(reads, asked.reads);
  take(writes, asked.writes);
  take(fragments, asked.fragments);
  return asked;
}

}  // namespace headroom
