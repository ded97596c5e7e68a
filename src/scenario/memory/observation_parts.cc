// Part of parts.h: series of samples, Estats, pauses, and events that are recorded individually.
#include <algorithm>
#include <numeric>

#include "scenario/expected_traffic.h"
#include "scenario/memory/counts.h"
#include "scenario/memory/parts.h"
#include "scenario/memory/paused_share.h"
#include "scenario/yaml/pattern.h"
#include "workload/types/line_limits.h"

namespace headroom {

namespace {

/// Sizes of a run's records, in rooms below (tests/scenario/memory_test.cc compares them).
constexpr size_t kQueueSampleBytes = 24, kGroupSampleBytes = 40, kRateSampleBytes = 40,
                 kGoodputSampleBytes = 24;
constexpr size_t kPauseBytes = 56, kDropBytes = 64, kCnpBytes = 24;

/// The number of ports that a series covers.
double PortsOf(const std::vector<std::string>& match, const Topology& topology, NodeId first_node) {
  double ports = 0;
  for (const TopologyLink& link : topology.links) {
    for (const LinkEnd* end : {&link.a, &link.b}) {
      if (end->node >= first_node) ports += MatchesPort(match, topology.nodes[end->node].name, end->port);
    }
  }
  return ports;
}

/// Queue pairs, indexed by source.
std::vector<double> QueuePairs(const Scenario& s) {
  std::vector<double> all(s.topology.hosts);
  for (const WorkloadParameters& workload : s.workloads) {
    if (OffersOperations(workload)) continue;
    const std::vector<double> more = ExpectedQueuePairs(workload, s);
    std::transform(more.begin(), more.end(), all.begin(), all.begin(), std::plus<>());
  }
  return all;
}

/// The memory of all series. Sampling continues as long as the run: slightly longer than arrivals, at most to
/// the deadline.
Forecast SampleBytes(const Scenario& s, const std::vector<Demand>& demands,
                     const std::vector<double>& queue_pairs) {
  const double classes = static_cast<double>(
      std::count_if(s.classes.begin(), s.classes.end(), [](const auto& c) { return !c.name.empty(); }));
  double stretch = 1;
  for (const Demand& d : demands) stretch = std::max(stretch, d.workload->arrivals->Stretch(s, d.count));
  const auto times = [&](const Observation& o) {
    const auto every = static_cast<double>(o.every.v),
               most = static_cast<double>(s.deadline.v / o.every.v + 1);
    return Forecast{std::min(stretch * static_cast<double>(s.duration.v) / every + 1, most), most};
  };
  const Observations& o = s.observe;
  Forecast bytes;
  if (o.queues)
    bytes +=
        GrownBytes(classes * PortsOf(o.queues->match, s.topology, 0) * times(*o.queues), kQueueSampleBytes);
  if (o.groups)
    bytes += GrownBytes(classes * PortsOf(o.groups->match, s.topology, s.topology.hosts) * times(*o.groups),
                        kGroupSampleBytes);
  for (NodeId h = 0; o.rates && h < s.topology.hosts; ++h) {
    if (MatchesPort(o.rates->match, s.topology.nodes[h].name, ""))
      bytes += GrownBytes(queue_pairs[h] * times(*o.rates), kRateSampleBytes);
  }
  if (o.goodput)
    bytes += GrownBytes(static_cast<double>(s.workloads.size()) * times(*o.goodput), kGoodputSampleBytes);
  return bytes;
}

/// RDMA Estats: histograms, and the memory that each operation may add to them.
Forecast EstatsBytes(const Scenario& s, const std::vector<Demand>& demands,
                     const std::vector<double>& queue_pairs) {
  constexpr double kConnectionBytes = 400, kOperationBytes = 48, kExpected = 0.5, kOfOperation = 4;
  if (!s.observe.estats) return {};
  Forecast messages;
  double all = std::accumulate(queue_pairs.begin(), queue_pairs.end(), 0.0);
  for (const Demand& d : demands) messages += (OffersOperations(*d.workload) ? kOfOperation : 1) * d.count;
  const auto intervals = static_cast<double>(s.deadline.v / s.observe.estats->every.v + 1);
  const auto of = [&](double n) {
    return kConnectionBytes * (all > 0 ? std::min(n, intervals * all) : n) + kOperationBytes * n;
  };
  return {kExpected * of(messages.expected), (kConnectionBytes + kOperationBytes) * messages.worst};
}

/// A pause ends when a frame leaves, and the next begins when a frame arrives.
Forecast PauseBytes(const Scenario& s, double packets) {
  const auto lossless =
      std::ranges::count_if(s.classes, [](const auto& c) { return !c.name.empty() && c.lossless; });
  double most = 0;
  const double frame = 8.0 * static_cast<double>(s.frames.OnWire(s.frames.Data(s.mtu, false)).v);
  for (const TopologyLink& link : s.topology.links) {
    for (const LinkEnd* end : {&link.a, &link.b}) {
      const bool pauses = end->node >= s.topology.hosts ? s.switches[end->node - s.topology.hosts].pfc.enabled
                                                        : s.nics[end->node].rx_buffer.has_value();
      if (pauses) most += static_cast<double>(link.spec.rate.v) * InSeconds(s.duration) / frame;
    }
  }
  most = std::min(most * static_cast<double>(lossless), packets * SwitchesOnPath(s.topology));
  // Measured: for possible pauses, and for the roots of each with the paths to them.
  constexpr double kBothEnds = 2, kCauses = 150, kFew = 0.002, kMany = 0.05;
  constexpr double kRoots = 9, kRootBytes = 160;
  if (s.results == Results::stream) {  // only open pauses: one for each port and class, at each end
    const double open =
        kBothEnds * 2 * static_cast<double>(s.topology.links.size()) * static_cast<double>(lossless);
    return GrownBytes(Exactly(open), kPauseBytes + 3 * sizeof(int64_t));
  }
  const double share = PausedShareOf(s), records = kBothEnds * kPauseBytes;
  const double causes = s.observe.causes ? std::max(kCauses, share * kRoots * kRootBytes) : 0;
  return {(kFew + kMany * share) * most * (records + causes),
          most * (records + (s.observe.causes ? kCauses : 0))};
}

}  // namespace

std::vector<MemoryPart> PartsOfObservations(const Scenario& s, const std::vector<Demand>& demands) {
  const std::vector<double> queue_pairs = QueuePairs(s);
  Forecast packets;
  for (const Demand& d : demands) packets += d.packets;
  std::vector<MemoryPart> parts = {
      {"series of samples", "observe less, or at longer intervals",
       SampleBytes(s, demands, queue_pairs) + EstatsBytes(s, demands, queue_pairs)},
      {"pauses", "give observe: {causes: false}, or a shorter duration", PauseBytes(s, packets.worst)}};
  constexpr double kFew = 0.01;
  const Forecast noted{kFew * packets.expected, 2 * packets.worst};
  Forecast events;
  if (s.observe.drops) events += GrownBytes(noted, kDropBytes);
  if (s.observe.cnps) events += GrownBytes(noted, kCnpBytes);
  parts.push_back({"drops and congestion notifications", "observe drops or CNPs of fewer nodes", events});
  return parts;
}

}  // namespace headroom
