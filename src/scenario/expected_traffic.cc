#include "scenario/expected_traffic.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "protocol/connections/connecting.h"
#include "workload/distributions.h"
#include "workload/generator.h"

namespace headroom {

namespace {

/// Rate of each host's link.
std::vector<Rate> HostRates(const Topology& topology) {
  std::vector<Rate> rates(topology.hosts);
  for (const TopologyLink& link : topology.links) {
    if (link.a.node < topology.hosts) rates[link.a.node] = link.spec.rate;
    if (link.b.node < topology.hosts) rates[link.b.node] = link.spec.rate;
  }
  return rates;
}

/// How many there are at `every` apart in [start, end).
double Count(Time start, Time end, Time every) {
  if (end <= start) return 0;
  return every.v == 0 ? 1 : static_cast<double>((end - start - Time(1)).v / every.v + 1);
}

struct Expected {
  const Scenario& scenario;

  double LineBytes(const std::vector<NodeId>& hosts, Time span) const {
    const std::vector<Rate> rates = HostRates(scenario.topology);
    double bytes = 0;
    for (const NodeId host : hosts) bytes += static_cast<double>(rates[host].v) / 8 * InSeconds(span);
    return bytes;
  }

  double operator()(const PoissonArrivals& a) const {
    const double mean = a.sizes ? MeanBytes(*a.sizes) : static_cast<double>(a.size.v);
    return a.load * LineBytes(a.from, scenario.duration) / std::max(mean, 1.0);
  }
  double operator()(const IncastArrivals& a) const {
    const double senders = a.fan_in > 0 ? a.fan_in : static_cast<double>(a.from.size());
    return senders * std::min<double>(a.count, Count(a.at, scenario.duration, a.every));
  }
  double operator()(const PermutationArrivals& a) const { return static_cast<double>(a.hosts.size()); }
  double operator()(const StreamArrivals& a) const {
    const Time stop = std::min(a.stop.value_or(scenario.duration), scenario.duration);
    const double pairs = static_cast<double>(a.from.size()) * static_cast<double>(a.to.size());
    const Time span = std::max(stop - a.start, Time(0));
    return pairs * a.in_flight + LineBytes(a.from, span) / static_cast<double>(a.message.v);
  }
  double operator()(const ListArrivals& a) const { return static_cast<double>(a.messages.size()); }
  /// As many as its processors, or the line, let through.
  double operator()(const PostingArrivals& a) const {
    const Time stop = std::min(a.stop.value_or(scenario.duration), scenario.duration);
    const Time span = std::max(stop - a.start, Time(0));
    const double processes = static_cast<double>(a.from.size()) * a.processes_from;
    const double line = LineBytes(a.from, span) / static_cast<double>(a.message.v);
    return a.cpu.v > 0 ? std::min(line, processes * static_cast<double>(span.v / a.cpu.v + 1)) : line;
  }
  static double TraceIos(const BlockTrace& trace, Time stop) {
    ptrdiff_t ios = 0;
    for (const BlockTrace::Disk& disk : trace.disks)
      ios += std::ranges::lower_bound(disk.ios, stop, {}, &BlockTrace::Io::at) - disk.ios.begin();
    return static_cast<double>(ios);
  }
  /// In a closed loop as many as its hosts' lines, its disks, or its depth let through.
  double operator()(const IoArrivals& a) const {
    const Time stop = std::min(a.stop.value_or(scenario.duration), scenario.duration);
    const Time span = std::max(stop - a.start, Time(0));
    const double hosts = static_cast<double>(a.from.size());
    if (a.trace) return TraceIos(*a.trace, stop);
    if (a.rate > 0) return hosts * a.rate * InSeconds(span);
    const double one_way = MeanBlock(a) * std::max(a.reads, 1 - a.reads);
    double most = std::min(LineBytes(a.from, span), LineBytes(a.to, span)) / one_way;
    const DiskParameters& disk = scenario.services[a.service].disk;
    if (disk.iops > 0) most = std::min(most, disk.iops * static_cast<double>(a.to.size()) * InSeconds(span));
    const double each = InSeconds(a.think) + a.reads * InSeconds(disk.read.Mean()) +
                        (1 - a.reads) * InSeconds(disk.write.Mean());
    const double open = hosts * a.depth;
    const double ios = open + (each > 0 ? std::min(most, open * InSeconds(span) / each) : most);
    return a.job ? std::min(ios, hosts * a.job->clones * a.job->MostIos(span)) : ios;
  }
  /// In a closed loop as many as posting requests, or its servers' processes, let through.
  double operator()(const KeyValueArrivals& a) const {
    const Time stop = std::min(a.stop.value_or(scenario.duration), scenario.duration);
    const double seconds = InSeconds(std::max(stop - a.start, Time(0)));
    const double processes = static_cast<double>(a.from.size()) * a.processes;
    double all = 0;
    if (a.rate > 0) {
      all = processes * a.rate * seconds;
    } else {
      const KeyValueParameters& p = scenario.key_values[a.service];
      const double servers =
          AnswersByProcesses(p.system) ? std::min<double>(p.server_processes(), processes) : processes;
      const double each = InSeconds(p.costs.post);
      all = processes * a.window +
            (each > 0 ? servers * seconds / each : LineBytes(a.from, Seconds(1)) * seconds / 64);
    }
    return a.operations > 0 ? std::min(all, static_cast<double>(a.operations)) : all;
  }
  /// In a closed loop as many as the lines, or posting requests, let through.
  double operator()(const TransferArrivals& a) const {
    const Time stop = std::min(a.stop.value_or(scenario.duration), scenario.duration);
    const Time start = std::max(a.start, ConnectedAfter(scenario.connections[a.service]));
    if (start >= stop) return 0;
    const Time span = stop - start;
    const double hosts = static_cast<double>(a.from.size());
    if (a.rate > 0) return hosts * a.rate * InSeconds(span);
    const double most = LineBytes(a.from, span) / static_cast<double>(a.size.v);
    const double each = InSeconds(scenario.connections[a.service].costs.post);
    const double posted = each > 0 ? hosts * a.threads * InSeconds(span) / each : most;
    return hosts * a.window * (a.random ? a.threads : a.connections) + std::min(most, posted);
  }
};

/// What goes out from one host.
struct Source {
  double messages = 0;
  double peers = 0;  ///< whom it sends to, by traffic class
};

/// By host. Where sources are alike each has its share of the messages.
struct Sources {
  const Scenario& scenario;
  double messages;

  std::vector<Source> Alike(const std::vector<NodeId>& from, const std::vector<NodeId>& to,
                            Scope scope) const {
    std::vector<Source> sources(scenario.topology.hosts);
    const Neighbourhoods targets(scenario.topology, to, scope);
    for (const NodeId host : from) {
      const std::vector<NodeId>& peers = targets.Of(host);
      const bool itself = std::binary_search(peers.begin(), peers.end(), host);
      sources[host] = {messages / static_cast<double>(from.size()),
                       static_cast<double>(peers.size()) - itself};
    }
    return sources;
  }

  std::vector<Source> operator()(const PoissonArrivals& a) const { return Alike(a.from, a.to, a.scope); }
  std::vector<Source> operator()(const IncastArrivals& a) const { return Alike(a.from, a.to, a.scope); }
  std::vector<Source> operator()(const StreamArrivals& a) const { return Alike(a.from, a.to, Scope::region); }
  std::vector<Source> operator()(const PostingArrivals& a) const {
    std::vector<Source> sources = Alike(a.from, a.to, Scope::region);
    for (Source& s : sources) s.peers *= static_cast<double>(a.processes_from) * a.processes_to;
    return sources;
  }
  std::vector<Source> operator()(const IoArrivals&) const {
    return std::vector<Source>(scenario.topology.hosts);
  }
  std::vector<Source> operator()(const KeyValueArrivals&) const {
    return std::vector<Source>(scenario.topology.hosts);
  }
  std::vector<Source> operator()(const TransferArrivals&) const {
    return std::vector<Source>(scenario.topology.hosts);
  }
  std::vector<Source> operator()(const PermutationArrivals& a) const {
    std::vector<Source> sources(scenario.topology.hosts);
    for (const NodeId host : a.hosts) sources[host] = {1, 1};
    return sources;
  }
  std::vector<Source> operator()(const ListArrivals& a) const {
    std::vector<Source> sources(scenario.topology.hosts);
    std::set<std::tuple<NodeId, NodeId, std::optional<uint8_t>>> seen;
    for (const auto& m : a.messages) {
      ++sources[m.from].messages;
      sources[m.from].peers += seen.insert({m.from, m.to, m.priority}).second;
    }
    return sources;
  }
};

}  // namespace

double ExpectedMessages(const WorkloadParameters& workload, const Scenario& scenario) {
  return std::visit(Expected{scenario}, workload.arrivals);
}

double MeanMessage(const WorkloadParameters& workload) {
  struct Mean {
    double operator()(const PoissonArrivals& a) const {
      return a.sizes ? MeanBytes(*a.sizes) : static_cast<double>(a.size.v);
    }
    double operator()(const IncastArrivals& a) const { return static_cast<double>(a.size.v); }
    double operator()(const PermutationArrivals& a) const { return static_cast<double>(a.size.v); }
    double operator()(const StreamArrivals& a) const { return static_cast<double>(a.message.v); }
    double operator()(const PostingArrivals& a) const { return static_cast<double>(a.message.v); }
    double operator()(const IoArrivals& a) const { return MeanBlock(a); }
    double operator()(const KeyValueArrivals& a) const { return static_cast<double>((a.key + a.value).v); }
    double operator()(const TransferArrivals& a) const { return static_cast<double>(a.size.v); }
    double operator()(const ListArrivals& a) const {
      double sum = 0;
      for (const auto& m : a.messages) sum += static_cast<double>(m.size.v);
      return a.messages.empty() ? 0 : sum / static_cast<double>(a.messages.size());
    }
  };
  return std::visit(Mean{}, workload.arrivals);
}

double LegsOfIo(const IoArrivals& io, const Scenario& scenario) {
  const StorageParameters& service = scenario.services[io.service];
  return service.back ? 2 + io.reads + (1 - io.reads) * service.replicas : 1;
}

double ExpectedPackets(const WorkloadParameters& workload, const Scenario& scenario) {
  const double each = std::ceil(MeanMessage(workload) / static_cast<double>(scenario.mtu));
  const auto* io = std::get_if<IoArrivals>(&workload.arrivals);
  const double legs = io == nullptr ? 1 : LegsOfIo(*io, scenario);
  return ExpectedMessages(workload, scenario) * std::max(each, 1.0) * legs;
}

std::vector<double> ExpectedQueuePairs(const WorkloadParameters& workload, const Scenario& scenario) {
  const Sources by_source{scenario, ExpectedMessages(workload, scenario)};
  std::vector<double> queue_pairs;
  for (const Source& s : std::visit(by_source, workload.arrivals)) {
    const double persistent = std::min(s.messages, s.peers * workload.qps_per_pair);
    queue_pairs.push_back(std::ceil(workload.qp_per_message ? s.messages : persistent));
  }
  return queue_pairs;
}

}  // namespace headroom
