#include "scenario/read/memory.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <numeric>

#include "net/frame.h"
#include "nic/transport/requester.h"
#include "nic/transport/responder.h"
#include "protocol/storage/sk_message.h"
#include "protocol/storage/su_message.h"
#include "scenario/expected_traffic.h"
#include "scenario/yaml/pattern.h"
#include "workload/operation.h"

namespace headroom {

namespace {

/// Beside the two halves: the pair's entry in the table of pairs, and the ring of what is posted.
constexpr double kQueuePairBytes = sizeof(Requester) + sizeof(Responder) + 150;
/// A READ takes both halves at both ends.
constexpr double kReadPairBytes = 2 * kQueuePairBytes;
constexpr double kMessageBytes = 112;
constexpr double kRecordBytes = sizeof(OperationRecord), kLatencyBytes = sizeof(Time);
/// Both ends of a connection of a service, beside its queue pairs and what waits for messages.
constexpr double kSkSessionBytes = 9000, kSuSessionBytes = 20'000;
/// A RECV beside what it keeps; of su_rdma with its buffer's places in the pool and the socket.
constexpr double kSkReceiveBytes = 40, kSuReceiveBytes = 120;
constexpr double kSampleBytes = 24, kGroupSampleBytes = 40;

/// Ports that a series is of.
double PortsOf(const Observation& o, const Topology& topology, NodeId first_node) {
  double ports = 0;
  for (const TopologyLink& link : topology.links) {
    for (const LinkEnd* end : {&link.a, &link.b}) {
      if (end->node >= first_node) ports += MatchesPort(o.match, topology.nodes[end->node].name, end->port);
    }
  }
  return ports;
}

/// Bytes of all series, sampled to the deadline. `queue_pairs` by source.
double SampleBytes(const Scenario& s, const std::vector<double>& queue_pairs) {
  const double classes = static_cast<double>(
      std::count_if(s.classes.begin(), s.classes.end(), [](const auto& c) { return !c.name.empty(); }));
  const auto times = [&](const Observation& o) { return static_cast<double>(s.deadline.v / o.every.v + 1); };
  const Observations& o = s.observe;
  double bytes = 0;
  if (o.queues) bytes += kSampleBytes * times(*o.queues) * classes * PortsOf(*o.queues, s.topology, 0);
  if (o.groups) {
    bytes +=
        kGroupSampleBytes * times(*o.groups) * classes * PortsOf(*o.groups, s.topology, s.topology.hosts);
  }
  for (NodeId h = 0; o.rates && h < s.topology.hosts; ++h) {
    if (MatchesPort(o.rates->match, s.topology.nodes[h].name, "")) {
      bytes += kSampleBytes * times(*o.rates) * queue_pairs[h];
    }
  }
  if (o.goodput) bytes += kSampleBytes * times(*o.goodput) * static_cast<double>(s.workloads.size());
  return bytes;
}

/// Bytes of RDMA Estats: their histograms, and what each operation may add to them.
double EstatsBytes(const Scenario& s, double messages, const std::vector<double>& queue_pairs) {
  constexpr double kConnectionBytes = 400, kOperationBytes = 48;
  if (!s.observe.estats) return 0;
  const double all = std::accumulate(queue_pairs.begin(), queue_pairs.end(), 0.0);
  const double intervals = static_cast<double>(s.deadline.v / s.observe.estats->every.v + 1);
  return kConnectionBytes * std::min(messages, intervals * all) + kOperationBytes * messages;
}

/// Both ends with their sockets, idle: an estimate.
constexpr double kTcpConnectionBytes = 24'000;

/// Bytes of a service's connections. Data are counted there, headers are carried.
double ServiceBytes(const StorageParameters& service) {
  const double connections = static_cast<double>(service.compute.size() * service.extent_nodes.size());
  const StorageLeg& leg = service.front;
  if (leg.protocol == StorageProtocol::tcp) return connections * leg.connections * kTcpConnectionBytes;
  const bool sk = leg.protocol == StorageProtocol::sk_rdma;
  const double receives = sk ? leg.credits : 2 * leg.credits + 2;
  const double each = sk ? kSkReceiveBytes + SkMessage::kBytes : kSuReceiveBytes + SuMessage::kBytes;
  return connections * ((sk ? kSkSessionBytes : kSuSessionBytes) + kReadPairBytes + 2 * receives * each);
}

/// Bytes of what is remembered of I/Os: of those with a line all, of the others how long they took.
double OperationBytes(const Scenario& s, double ios) {
  const uint32_t one_in = s.observe.operations.one_in;
  return ios * (kLatencyBytes + (one_in > 0 ? kRecordBytes / one_in : 0));
}

Time LatencyOf(NodeId node, const Scenario& s) {
  const uint32_t hosts = s.topology.hosts;
  if (node >= hosts) return s.switches[node - hosts].transit();
  return s.nics[node].tx_latency + s.nics[node].rx_latency;
}

}  // namespace

double EstimateMemory(const TopologySize& size) {
  return 5500 * 2 * size.links + 5500 * size.hosts + 5000 * size.switches +
         8 * size.switches * size.switches + 16 * size.hosts;
}

double FramesInFlight(const Scenario& s) {
  double packets = 0, payload = 0;
  for (const WorkloadParameters& w : s.workloads) {
    packets += ExpectedPackets(w, s);
    payload += ExpectedMessages(w, s) * MeanMessage(w);
  }
  if (packets == 0) return 0;
  const Bytes size = s.frames.Data(static_cast<int64_t>(payload / packets), false);
  const double frame = std::max(static_cast<double>(size.v), 1.0);
  double bytes = 0;
  for (const TopologyLink& link : s.topology.links) {
    const Time both_ways =
        (link.spec.delay + link.spec.phy) * 2 + LatencyOf(link.a.node, s) + LatencyOf(link.b.node, s);
    bytes += static_cast<double>(link.spec.rate.v) / 8 * InSeconds(both_ways) + 2 * frame;
  }
  for (const SwitchParameters& sw : s.switches) bytes += static_cast<double>(sw.buffer.size.v);
  return std::min(packets, bytes / frame);
}

std::vector<MemoryPart> MemoryParts(const Scenario& scenario) {
  TopologySize size;
  size.hosts = scenario.topology.hosts;
  size.switches = static_cast<double>(scenario.topology.nodes.size()) - size.hosts;
  size.links = static_cast<double>(scenario.topology.links.size());
  double messages = 0, ios = 0;
  double queue_pair_bytes = 0;
  std::vector<double> queue_pairs(scenario.topology.hosts);
  for (const WorkloadParameters& workload : scenario.workloads) {
    if (OffersOperations(workload)) {
      ios += ExpectedMessages(workload, scenario);
      continue;
    }
    messages += ExpectedMessages(workload, scenario);
    const std::vector<double> more = ExpectedQueuePairs(workload, scenario);
    const bool whole = workload.verb == Operation::read_request || workload.registers;
    const double each = whole ? kReadPairBytes : kQueuePairBytes;
    queue_pair_bytes += each * std::accumulate(more.begin(), more.end(), 0.0);
    std::transform(more.begin(), more.end(), queue_pairs.begin(), queue_pairs.begin(), std::plus<>());
  }
  for (const StorageParameters& service : scenario.services) queue_pair_bytes += ServiceBytes(service);
  return {{"the network", "fewer hosts", EstimateMemory(size), true},
          {"connections", "fewer hosts", queue_pair_bytes, true},
          {"I/Os", "a lower rate, or a shorter duration", OperationBytes(scenario, ios)},
          {"messages", "larger ones, a lower load, or a shorter duration", kMessageBytes * messages},
          {"frames", "a lower load, or smaller buffers", sizeof(Frame) * FramesInFlight(scenario)},
          {"series of samples", "observe less, or at longer intervals",
           SampleBytes(scenario, queue_pairs) + EstatsBytes(scenario, messages, queue_pairs)}};
}

double EstimateMemory(const Scenario& scenario) {
  double bytes = 0;
  for (const MemoryPart& part : MemoryParts(scenario)) bytes += part.bytes;
  return bytes;
}

double MachineMemory() {
  double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  // Control groups version 2 and 1; "max" and other texts leave the number alone.
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream stream(path);
    double limit = 0;
    if (stream >> limit && limit > 0) bytes = std::min(bytes, limit);
  }
  return bytes;
}

std::string FormatMemory(double bytes) {
  const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  size_t unit = 0;
  while (bytes >= 999.95 && unit + 1 < std::size(units)) bytes /= 1000, ++unit;
  return fmt::format("{:.1f} {}", bytes, units[unit]);
}

}  // namespace headroom
