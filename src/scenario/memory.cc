#include "scenario/memory.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "workload/distributions.h"

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
};

double Samples(const Scenario& s) {
  const double ports = 2 * static_cast<double>(s.topology.links.size());
  const double classes = static_cast<double>(
      std::count_if(s.classes.begin(), s.classes.end(), [](const auto& c) { return !c.name.empty(); }));
  const auto times = [&](const std::optional<Observation>& o) {
    return o ? static_cast<double>(s.duration.v / std::max<int64_t>(o->every.v, 1)) : 0.0;
  };
  // A pattern may narrow a series down to little: then its ports are not counted.
  const auto of_ports = [&](const std::optional<Observation>& o) {
    return times(o) * (o && o->match == "*" ? ports * classes : 1);
  };
  return of_ports(s.observe.queues) + of_ports(s.observe.groups) + times(s.observe.rates) * s.topology.hosts +
         times(s.observe.goodput) * static_cast<double>(s.workloads.size());
}

}  // namespace

double EstimateMemory(const TopologySize& size) {
  return 1024 * (size.hosts + size.switches) + 2048 * 2 * size.links + 4096 * size.switches +
         512 * size.hosts + 8 * size.switches * size.switches + 16 * size.hosts;
}

double ExpectedMessages(const WorkloadParameters& workload, const Scenario& scenario) {
  return std::visit(Expected{scenario}, workload.arrivals);
}

double EstimateMemory(const Scenario& scenario) {
  TopologySize size;
  size.hosts = scenario.topology.hosts;
  size.switches = static_cast<double>(scenario.topology.nodes.size()) - size.hosts;
  size.links = static_cast<double>(scenario.topology.links.size());
  double messages = 0;
  for (const WorkloadParameters& workload : scenario.workloads)
    messages += ExpectedMessages(workload, scenario);
  return EstimateMemory(size) + 112 * messages + 24 * Samples(scenario);
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
