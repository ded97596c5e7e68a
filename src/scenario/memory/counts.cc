#include "scenario/memory/counts.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "protocol/connections/connecting.h"
#include "scenario/expected_traffic.h"
#include "scenario/memory/paused_share.h"

namespace headroom {

namespace {

/// A number that is drawn with this mean, at most: six standard deviations of Poisson's more.
Forecast Drawn(double mean) {
  constexpr double kDeviations = 6, kFew = 20;
  return {mean, mean + kDeviations * std::sqrt(mean) + kFew};
}

struct Counts {
  const WorkloadParameters& workload;
  const Scenario& s;

  Time Span(Time start, const std::optional<Time>& stop) const {
    return std::max(std::min(stop.value_or(s.duration), s.duration) - start, Time(0));
  }
  double LineBytes(const std::vector<NodeId>& hosts, Time span) const {
    std::vector<double> rates(s.topology.hosts);
    for (const TopologyLink& link : s.topology.links) {
      for (const LinkEnd* end : {&link.a, &link.b})
        if (end->node < s.topology.hosts) rates[end->node] = static_cast<double>(link.spec.rate.v);
    }
    double bytes = 0;
    for (const NodeId host : hosts) bytes += rates[host] / 8 * InSeconds(span);
    return bytes;
  }
  /// What a message takes of a line, preambles and gaps included.
  double WireBytes(double payload) const {
    const double packets = std::max(1.0, std::ceil(payload / static_cast<double>(s.mtu)));
    const auto header = static_cast<double>(s.frames.header), least = static_cast<double>(s.frames.min);
    return std::max(packets * header + payload, least) + packets * static_cast<double>(s.frames.gap);
  }
  /// Messages with so much payload that the lines of both sides let through.
  double ThroughLines(const std::vector<NodeId>& from, const std::vector<NodeId>& to, double payload,
                      Time span) const {
    return std::min(LineBytes(from, span), LineBytes(to, span)) / WireBytes(payload);
  }
  /// What a host sends to itself need not go by its line where its NIC has resources.
  double Loopback(const std::vector<NodeId>& from, const std::vector<NodeId>& to) const {
    constexpr double kFaster = 8;
    const bool any = std::ranges::any_of(from, [&](NodeId host) {
      return !s.nics[host].resources.Ideal() && std::ranges::count(to, host) > 0;
    });
    return any ? kFaster : 1;
  }

  /// What a closed loop with so many open gets through, as far as round trips go: over so many of them each.
  double ThroughRoundTrips(double open, double trips, Time span) const {
    double transit = 0, delay = 0;
    for (const SwitchParameters& sw : s.switches) transit += InSeconds(sw.transit());
    for (const TopologyLink& link : s.topology.links) delay += InSeconds(link.spec.delay + link.spec.phy);
    const double switches = SwitchesOnPath(s.topology) / 2;
    transit *= switches / std::max(1.0, static_cast<double>(s.switches.size()));
    delay *= (switches + 1) / std::max(1.0, static_cast<double>(s.topology.links.size()));
    const double each = 2 * trips * (transit + delay);
    return open + (each > 0 ? open * InSeconds(span) / each : INFINITY);
  }

  Forecast operator()(const PoissonArrivals&) const { return Drawn(ExpectedMessages(workload, s)); }
  Forecast operator()(const IncastArrivals&) const { return Exactly(ExpectedMessages(workload, s)); }
  Forecast operator()(const PermutationArrivals&) const { return Exactly(ExpectedMessages(workload, s)); }
  Forecast operator()(const ListArrivals&) const { return Exactly(ExpectedMessages(workload, s)); }
  Forecast operator()(const StreamArrivals& a) const {
    const double open = static_cast<double>(a.from.size()) * static_cast<double>(a.to.size()) * a.in_flight;
    const double lines = ThroughLines(a.from, a.to, static_cast<double>(a.message.v), Span(a.start, a.stop));
    const Time span = Span(a.start, a.stop);
    return {std::min(open + lines, ThroughRoundTrips(open, 1, span)), open + Loopback(a.from, a.to) * lines};
  }
  Forecast operator()(const PostingArrivals& a) const {
    const bool reads = workload.verb == Operation::read_request;
    const double from = static_cast<double>(a.from.size()) * a.processes_from;
    const double to = static_cast<double>(a.to.size()) * a.processes_to;
    const double posters = reads ? to : from, answerers = reads ? from : to;
    const double open = a.window * (a.random ? posters : from * to);
    const Time span = Span(a.start, a.stop);
    double most = open + ThroughLines(a.from, a.to, static_cast<double>(a.message.v), span);
    if (a.cpu.v > 0) {
      const auto each = static_cast<double>(span.v / a.cpu.v + 1);
      most = std::min(most, posters * each);
      if (a.reply) most = std::min(most, open + answerers * each);
    }
    return {std::min(most, ThroughRoundTrips(open, 1, span)), most};
  }
  Forecast operator()(const IoArrivals& a) const {
    const double expected = ExpectedMessages(workload, s);
    if (a.trace) return Exactly(expected);
    if (a.rate > 0) return Drawn(expected);
    constexpr double kLuckyDraws = 1.5;  // smaller ones, and disks that are faster than in the mean
    const double share = std::max(a.reads, 1 - a.reads);
    const Time span = Span(a.start, a.stop);
    double most = ThroughLines(a.from, a.to, MeanBlock(a) * share, span);
    const DiskParameters& disk = s.services[a.service].disk;
    if (disk.iops > 0) most = std::min(most, disk.iops * static_cast<double>(a.to.size()) * InSeconds(span));
    const double open = static_cast<double>(a.from.size()) * a.depth * (a.job ? a.job->clones : 1);
    const double worst = std::max(expected, open + kLuckyDraws * Loopback(a.from, a.to) * most);
    return {std::min(expected, ThroughRoundTrips(open, 1, span)), worst};
  }
  Forecast operator()(const KeyValueArrivals& a) const {
    const double expected = ExpectedMessages(workload, s);
    if (a.rate > 0) return Min(Drawn(expected), Exactly(a.operations > 0 ? 1.0 * a.operations : INFINITY));
    const Time span = Span(a.start, a.stop);
    const double processes = static_cast<double>(a.from.size()) * a.processes;
    const double lines = ThroughLines(a.from, a.to, 0, span);
    const Time post = s.key_values[a.service].costs.post;
    const double posted = post.v > 0 ? std::min(lines, processes * InSeconds(span) / InSeconds(post)) : lines;
    const double open = processes * a.window;
    const double worst = open + Loopback(a.from, a.to) * posted;
    const double got = std::min(expected, ThroughRoundTrips(open, TripsOf(a), span));
    const Forecast all{std::min(got, worst), worst};
    return a.operations > 0 ? Min(all, Exactly(1.0 * a.operations)) : all;
  }
  /// Of an operation on average: Pilaf's READs of buckets and then of the value, FaRM's of both.
  double TripsOf(const KeyValueArrivals& a) const {
    constexpr double kPilaf = 2.6, kFarm = 2;
    switch (s.key_values[a.service].system) {
      case KeyValueSystem::pilaf:
        return kPilaf;
      case KeyValueSystem::farm_var:
        return kFarm;
      default:
        return 1;
    }
  }
  Forecast operator()(const TransferArrivals& a) const {
    const double expected = ExpectedMessages(workload, s);
    if (a.rate > 0) return Drawn(expected);
    const double open =
        static_cast<double>(a.from.size()) * a.window * (a.random ? a.threads : a.connections);
    const Time span = Span(std::max(a.start, ConnectedAfter(s.connections[a.service])), a.stop);
    if (span.v == 0) return {};
    const double lines = ThroughLines(a.from, a.to, static_cast<double>(a.size.v), span);
    const double got = std::min(expected, ThroughRoundTrips(open, 1, span));
    return {got, std::max(expected, open + Loopback(a.from, a.to) * lines)};
  }
};

}  // namespace

Forecast CountOf(const WorkloadParameters& workload, const Scenario& scenario) {
  return std::visit(Counts{workload, scenario}, workload.arrivals);
}

Forecast OpenOf(const WorkloadParameters& workload, const Scenario& scenario, const Forecast& count) {
  // Without a window what begins waits behind what has begun: all of it, if nothing ever ends.
  constexpr double kWaiting = 0.1;
  const auto closed = [&](double open) { return Min(count, Exactly(open)); };
  if (const auto* io = std::get_if<IoArrivals>(&workload.arrivals); io && io->rate == 0 && !io->trace)
    return closed(static_cast<double>(io->from.size()) * io->depth * (io->job ? io->job->clones : 1));
  if (const auto* a = std::get_if<TransferArrivals>(&workload.arrivals); a && a->rate == 0)
    return closed(static_cast<double>(a->from.size()) * a->window *
                  (a->random ? a->threads : a->connections));
  if (const auto* a = std::get_if<StreamArrivals>(&workload.arrivals))
    return closed(static_cast<double>(a->from.size()) * static_cast<double>(a->to.size()) * a->in_flight);
  if (const auto* a = std::get_if<KeyValueArrivals>(&workload.arrivals)) {
    if (a->rate == 0) return closed(static_cast<double>(a->from.size()) * a->processes * a->window);
    // What goes beyond what a closed loop would get waits.
    WorkloadParameters loop = workload;
    std::get<KeyValueArrivals>(loop.arrivals).rate = 0;
    const double through = CountOf(loop, scenario).expected;
    return {std::max(kWaiting * count.expected, count.expected - through), count.worst};
  }
  // Of all that is asked for while queues stand still the half goes out when the burst is over.
  constexpr double kHeldUp = 0.6;
  return {std::max(kWaiting, kHeldUp * PausedShareOf(scenario)) * count.expected, count.worst};
}

double StretchOf(const WorkloadParameters& workload, const Scenario& scenario, const Forecast& count) {
  const auto* io = std::get_if<IoArrivals>(&workload.arrivals);
  if (io == nullptr || io->rate == 0 || io->trace) return 1;
  const Counts counts{workload, scenario};
  const Time span = counts.Span(io->start, io->stop);
  const double share = std::max(io->reads, 1 - io->reads), bytes = MeanBlock(*io);
  double most = counts.ThroughLines(io->from, io->to, bytes * share, span);
  for (const std::vector<NodeId>* hosts : {&io->from, &io->to}) {
    double served = 0;
    for (const NodeId host : *hosts) {
      constexpr int64_t kMessages = 3;  // of an I/O, at either end
      const HostParameters& software = scenario.hosts[host];
      const double each = InSeconds(software.costs.OfRdma(kMessages, static_cast<int64_t>(bytes)));
      served += each > 0 ? software.cores * InSeconds(span) / each : INFINITY;
    }
    most = std::min(most, served);
  }
  return most > 0 ? std::max(1.0, count.expected / most) : 1;
}

/// Twice the farthest from one host: any path is no longer than by way of that host's switch.
double SwitchesOnPath(const Topology& topology) {
  if (topology.hosts == 0 || topology.nodes.size() <= topology.hosts) return 0;
  std::vector<std::vector<NodeId>> next(topology.nodes.size());
  for (const TopologyLink& link : topology.links) {
    next[link.a.node].push_back(link.b.node);
    next[link.b.node].push_back(link.a.node);
  }
  std::vector<uint32_t> hops(topology.nodes.size(), UINT32_MAX);
  std::queue<NodeId> reached;
  hops[0] = 0;
  reached.push(0);
  uint32_t farthest = 0;
  for (; !reached.empty(); reached.pop()) {
    for (const NodeId node : next[reached.front()]) {
      if (hops[node] != UINT32_MAX) continue;
      hops[node] = hops[reached.front()] + 1;
      if (node < topology.hosts) {
        farthest = std::max(farthest, hops[node] - 1);
      } else {
        reached.push(node);
      }
    }
  }
  const auto switches = static_cast<double>(topology.nodes.size() - topology.hosts);
  return std::min(2.0 * farthest, switches);
}

Forecast PacketsOf(const WorkloadParameters& workload, const Scenario& scenario, const Forecast& count) {
  const double messages = ExpectedMessages(workload, scenario);
  const double each = messages > 0 ? ExpectedPackets(workload, scenario) / messages : 1;
  return each * count;
}

}  // namespace headroom
