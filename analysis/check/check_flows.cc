#include "analysis/check/check_flows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>

#include "analysis/bounds/flows.h"
#include "analysis/bounds/max_min.h"
#include "analysis/bounds/tcp_cost.h"
#include "protocol/storage/storage_parameters.h"
#include "report/text/text_table.h"
#include "scenario/packet_headers.h"
#include "scenario/yaml/quantity.h"
#include "workload/io_arrivals.h"

namespace headroom {
namespace {

FlowsCheck CheckWorkload(const Fabric& fabric, const WorkloadParameters& workload,
                         const std::vector<Flow>& flows) {
  const Scenario& s = fabric.scenario();
  const std::vector<TopologyLink>& links = s.topology.links;
  std::vector<double> capacity;
  for (const TopologyLink& link : links)
    capacity.insert(capacity.end(), 2, static_cast<double>(link.spec.rate.v));

  FlowsCheck check{.workload = workload.name, .flows = flows.size(), .fullest = ""};
  std::vector<MaxMinFlow> over(flows.size());
  std::vector<size_t> crossing(2 * links.size());
  for (size_t f = 0; f < flows.size(); ++f) {
    over[f].limit = WindowLimitOf(fabric, workload, flows[f]).rate;
    const FlowHops hops = fabric.flow_paths().Of(flows[f].from, flows[f].to, flows[f].source_port);
    check.split += !IsOnePath(hops);
    AddLinks(fabric, hops, over[f]);
    for (const FlowHop& each : std::views::join(hops)) {
      const PathHop& hop = each.hop;
      const DirectedLink link = fabric.Direction(hop);
      if (fabric.node(hop.from.node).is_host || fabric.node(hop.to.node).is_host) continue;
      if (++crossing[link] <= check.most_on_a_link) continue;
      check.most_on_a_link = crossing[link];
      check.fullest = fabric.node(hop.from.node).name + ":" + hop.from.port;
    }
  }
  std::vector<double> rates = MaxMinRates(capacity, over);
  const bool tcp = IsOverTcp(s, workload);
  for (size_t f = 0; f < flows.size(); ++f)
    rates[f] *= tcp ? 1 / TcpOnWire(1, s.frames, s.ip_mtu) : PayloadShareOf(s, flows[f].from);
  for (size_t f = 0; f < flows.size(); ++f)
    check.slowest_seconds = std::max(check.slowest_seconds, flows[f].bytes * 8 / rates[f]);
  check.total_bps = std::accumulate(rates.begin(), rates.end(), 0.0);
  std::ranges::sort(rates);
  check.least_bps = rates.front();
  check.median_bps = rates[(rates.size() - 1) / 2];
  check.most_bps = rates.back();
  return check;
}

void JudgeFlows(const FlowsCheck& check, const Scenario& s, Findings& findings) {
  if (check.slowest_seconds <= InSeconds(s.deadline)) return;
  findings.push_back(
      {Finding::Severity::note,
       "workload " + check.workload,
       fmt::format("its slowest flow needs {} ms at its fair rate of {} Gb/s, but the deadline is {} ms",
                   FormatReadable(check.slowest_seconds * 1e3), FormatReadable(check.least_bps / 1e9),
                   FormatReadable(InSeconds(s.deadline) * 1e3)),
       {Remedy{"deadline=" + FormatTime(Microseconds(std::llround(2e6 * check.slowest_seconds) + 1))}}});
}

}  // namespace

FlowsChecks CheckFlows(const Fabric& fabric, Findings& findings) {
  FlowsChecks checks;
  for (const WorkloadParameters& workload : fabric.scenario().workloads) {
    const Arrivals& arrivals = *workload.arrivals;
    if (arrivals.AsLoad() != nullptr || arrivals.StaysAtHome()) continue;
    const auto* const io = workload.arrivals.Find<IoArrivals>();
    if (io != nullptr && fabric.scenario().services[io->service].As<StorageParameters>().back)
      continue;  // the pairs of hosts are random
    const std::vector<Flow> flows = FlowsOf(workload, fabric, kMostFlows);
    const double work =
        static_cast<double>(flows.size()) * 2 * static_cast<double>(fabric.topology().links.size());
    if (flows.empty() || work > kMostFlowLinks) {
      checks.too_many.push_back(workload.name);
      continue;
    }
    checks.workloads.push_back(CheckWorkload(fabric, workload, flows));
    // The burst of an incast is judged as a whole.
    if (arrivals.AsBursts() == nullptr) JudgeFlows(checks.workloads.back(), fabric.scenario(), findings);
  }
  return checks;
}

}  // namespace headroom
