#include "analysis/check/check_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "analysis/bounds/traffic_shares.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

/// The cost of a packet that overtakes another on the path from a host, by its recovery; empty if there is
/// none, unless it overtakes too many.
std::string CostOfOvertaking(const NicParameters& nic) {
  const RecoveryParameters& recovery = nic.transport.recovery;
  switch (recovery.type) {
    case RecoveryParameters::Type::go_back_n:
      return "With go-back-N, each packet that overtakes another causes a NAK, and the sender sends "
             "everything behind the gap again";
    case RecoveryParameters::Type::selective_repeat:
      if (recovery.nack_after == 1 && !recovery.nack_after_time)
        return "With nack_after: 1, each overtaken packet counts as lost and is sent again";
      break;
    case RecoveryParameters::Type::receiver_window:  // if it overtakes at most a window of packets
    case RecoveryParameters::Type::sender_window:
    case RecoveryParameters::Type::counter:
      break;
  }
  return "";
}

/// Whether the workload's packets are acknowledged, and their order matters.
bool OnReliableConnections(const Scenario& s, const WorkloadParameters& workload) {
  return !OffersOperations(workload) || s.services[ServiceOf(workload)]->Acknowledged();
}

/// The switches that split flows between two hosts.
void AddSplitting(const Fabric& fabric, NodeId from, NodeId to, std::set<NodeId>& switches) {
  constexpr uint32_t kAnyPort = 0xC000;
  for (const std::vector<FlowHop>& at : fabric.flow_paths().Of(from, to, kAnyPort)) {
    for (size_t i = 1; i < at.size(); ++i) {
      const NodeId node = at[i].hop.from.node;
      if (node == at[i - 1].hop.from.node) switches.insert(node);
    }
  }
}

/// Switches that split some flow of the workload. Hosts of a rack have the same paths.
std::set<NodeId> SplittingSwitches(const Fabric& fabric, const TrafficShares& shares) {
  constexpr size_t kMostLooks = 20'000;
  std::set<NodeId> switches;
  if (!fabric.flow_paths().some_split()) return switches;
  const size_t racks = fabric.racks().size();
  std::vector<std::vector<NodeId>> hosts(racks);
  for (NodeId h = 0; h < fabric.topology().hosts; ++h) {
    if (hosts[fabric.RackOf(h)].size() < 2) hosts[fabric.RackOf(h)].push_back(h);
  }
  size_t pairs = 0;
  for (size_t i = 0; i < racks; ++i) {
    for (size_t j = 0; j < racks && pairs < kMostLooks; ++j) {
      if (shares.between[i * racks + j] <= 0 || (i == j && hosts[i].size() < 2)) continue;
      ++pairs;
      AddSplitting(fabric, hosts[i].front(), hosts[j].back(), switches);
    }
  }
  return switches;
}

/// For example "spray at leaf0 and 3 more switches".
std::string SplittingText(const Fabric& fabric, const std::set<NodeId>& switches) {
  const NodeId first = *switches.begin();
  const Scenario& s = fabric.scenario();
  std::string text = fmt::format("{} at {}", RoutingName(s.switches[first - s.topology.hosts].routing.kind),
                                 fabric.node(first).name);
  const size_t more = switches.size() - 1;
  if (more > 0) text += fmt::format(" and {} more switch{}", more, more == 1 ? "" : "es");
  return text;
}

/// The first sender that balances, for example "balancing at h0"; empty if none does.
std::string BalancingText(const TrafficShares& shares, const Scenario& s) {
  for (NodeId h = 0; h < s.topology.hosts; ++h)
    if (shares.out[h] > 0 && s.nics[h].transport.balancing.Chooses())
      return "balancing at " + s.topology.nodes[h].name;
  return "";
}

/// Links with random delays that the workload's messages cross, for example "h0:p0, up to 64us"; empty if
/// there are none.
std::string DelayingText(const Fabric& fabric, const TrafficShares& shares) {
  const std::vector<TopologyLink>& links = fabric.topology().links;
  if (std::ranges::none_of(links, [](const TopologyLink& l) { return l.spec.reorder.probability > 0; }))
    return "";
  const std::vector<double> crossings = ExpectedCrossings(shares, fabric);
  std::string text;
  size_t more = 0;
  for (size_t l = 0; l < links.size(); ++l) {
    if (links[l].spec.reorder.probability <= 0 || crossings[2 * l] + crossings[2 * l + 1] <= 0) continue;
    if (!text.empty()) {
      ++more;
      continue;
    }
    text = fmt::format("{}:{} – {}:{} by up to {}", fabric.node(links[l].a.node).name, links[l].a.port,
                       fabric.node(links[l].b.node).name, links[l].b.port,
                       FormatTime(links[l].spec.reorder.most));
  }
  if (more > 0) text += fmt::format(" and {} more link{}", more, more == 1 ? "" : "s");
  return text;
}

/// The cost for the first of its senders that has one; empty if none has.
std::string CostOf(const TrafficShares& shares, const Scenario& s) {
  for (NodeId h = 0; h < s.topology.hosts; ++h) {
    if (shares.out[h] <= 0) continue;
    if (std::string cost = CostOfOvertaking(s.nics[h]); !cost.empty()) return cost;
  }
  return "";
}

}  // namespace

void JudgeOrder(const Fabric& fabric, Findings& findings) {
  const Scenario& s = fabric.scenario();
  for (const WorkloadParameters& workload : s.workloads) {
    if (workload.arrivals->StaysAtHome() || !OnReliableConnections(s, workload)) continue;
    const TrafficShares shares = SharesOf(workload, fabric);
    const std::string cost = CostOf(shares, s);
    if (cost.empty()) continue;
    const auto warn = [&](const std::string& cause, std::vector<Remedy> remedies) {
      findings.push_back({Finding::Severity::warning, "workload " + workload.name, cause + ". " + cost,
                          std::move(remedies)});
    };
    if (const auto switches = SplittingSwitches(fabric, shares); !switches.empty()) {
      const std::string balancing = BalancingText(shares, s);
      warn(fmt::format("packets of one flow may take several paths ({})",
                       balancing.empty() ? SplittingText(fabric, switches) : balancing),
           {Remedy{balancing.empty() ? "switches.*.routing=ecmp" : "nics.*.transport.balancing=none"}});
    }
    if (const std::string links = DelayingText(fabric, shares); !links.empty())
      warn("links delay frames at random: " + links, {});
  }
}

}  // namespace headroom
