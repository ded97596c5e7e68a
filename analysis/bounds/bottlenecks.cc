#include "analysis/bounds/bottlenecks.h"

#include <algorithm>
#include <map>

#include "analysis/bounds/max_min.h"

namespace headroom {
namespace {

/// Tolerance for the rounding error of a full link, or of the largest share.
constexpr double kNearly = 1 - 1e-9;

struct LinkUse {
  double rate = 0, most = 0;  ///< rate: of all flows together; most: of one flow
};

/// All flows; none if there are too many.
std::vector<SharedFlow> AllFlows(const Fabric& fabric, SharedFlows& out) {
  const std::vector<WorkloadParameters>& workloads = fabric.scenario().workloads;
  std::vector<SharedFlow> flows;
  for (size_t w = 0; w < workloads.size(); ++w) {
    if (workloads[w].arrivals->AsLoad() != nullptr) {
      out.at_a_rate.push_back(workloads[w].name);
      continue;
    }
    if (workloads[w].arrivals->StaysAtHome()) continue;
    const std::vector<Flow> its = FlowsOf(workloads[w], fabric, kMostFlows);
    const double all = static_cast<double>(flows.size() + its.size());
    out.too_many |= its.empty() || all > static_cast<double>(kMostFlows) ||
                    all * 2 * static_cast<double>(fabric.topology().links.size()) > kMostFlowLinks;
    if (out.too_many) return {};
    for (const Flow& flow : its)
      flows.push_back({flow, w, fabric.flow_paths().Of(flow.from, flow.to, flow.source_port), 0, {}});
  }
  return flows;
}

/// Computes max-min fair rates, and the resulting traffic of each link.
std::vector<LinkUse> Fill(const Fabric& fabric, std::vector<SharedFlow>& flows) {
  std::vector<double> capacity;
  for (const TopologyLink& link : fabric.topology().links)
    capacity.insert(capacity.end(), 2, static_cast<double>(link.spec.rate.v));
  std::vector<MaxMinFlow> over(flows.size());
  for (size_t f = 0; f < flows.size(); ++f) {
    AddLinks(fabric, flows[f].hops, over[f]);
    over[f].limit = WindowLimitOf(fabric, fabric.scenario().workloads[flows[f].workload], flows[f].flow).rate;
  }
  const std::vector<double> rates = MaxMinRates(capacity, over);
  std::vector<LinkUse> uses(capacity.size());
  for (size_t f = 0; f < flows.size(); ++f) {
    flows[f].rate_bps = rates[f];
    for (size_t i = 0; i < over[f].links.size(); ++i) {
      LinkUse& use = uses[over[f].links[i]];
      use.rate += rates[f] * (over[f].shares.empty() ? 1 : over[f].shares[i]);
      use.most = std::max(use.most, rates[f]);
    }
  }
  return uses;
}

}  // namespace

SharedFlows ShareOut(const Fabric& fabric) {
  SharedFlows out;
  out.flows = AllFlows(fabric, out);
  std::erase_if(out.flows, [](const SharedFlow& f) { return f.hops.empty(); });
  const std::vector<LinkUse> uses = Fill(fabric, out.flows);
  std::map<std::pair<DirectedLink, uint8_t>, size_t> known;
  for (size_t f = 0; f < out.flows.size(); ++f) {
    SharedFlow& flow = out.flows[f];
    const auto is_full = [&](const PathHop& hop) {
      const LinkUse& use = uses[fabric.Direction(hop)];
      const auto rate = static_cast<double>(fabric.LinkOf(hop).spec.rate.v);
      return use.rate >= rate * kNearly && flow.rate_bps >= use.most * kNearly;
    };
    const PathHop* full = nullptr;
    for (const std::vector<FlowHop>& at : flow.hops) {
      for (const FlowHop& each : at) {
        if (full == nullptr && is_full(each.hop)) full = &each.hop;
      }
    }
    if (full == nullptr || fabric.node(full->from.node).is_host) continue;
    const auto [at, added] =
        known.try_emplace({fabric.Direction(*full), flow.flow.priority}, out.bottlenecks.size());
    if (added) out.bottlenecks.push_back({*full, flow.flow.priority, {}, 0});
    flow.bottleneck = at->second;
    out.bottlenecks[at->second].flows.push_back(f);
    out.bottlenecks[at->second].share_bps += flow.rate_bps;
  }
  return out;
}

}  // namespace headroom
