#include "scenario/read/check_routing.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "net/topology/routing.h"
#include "scenario/yaml/pattern.h"

namespace headroom {

namespace {

using Kind = RoutingParameters::Kind;

/// The `routing` of the last entry that matches this switch and has one. REQUIRES: there is such an entry.
const Node& RoutingOf(const Node& switches, const std::string& name) {
  const Node* found = nullptr;
  for (const Node& entry : switches.items) {
    const Node *match = entry.Find("match"), *routing = entry.Find("routing");
    if (!match || !routing) continue;
    const std::vector<std::string> patterns = ParseTexts(*match);
    if (std::ranges::any_of(patterns, [&](const std::string& p) { return MatchesNode(p, name); }))
      found = routing;
  }
  return *found;
}

const TrafficClass* FirstLossless(const Scenario& s) {
  const auto lossless = [](const TrafficClass& c) { return !c.name.empty() && c.lossless; };
  const auto at = std::ranges::find_if(s.classes, lossless);
  return at == s.classes.end() ? nullptr : &*at;
}

/// Whether every port obeys the pauses of both priorities, with a separate queue for each.
bool PausesApart(const SwitchParameters& s, const std::pair<uint8_t, uint8_t>& dateline) {
  const auto& [before, behind] = dateline;
  return s.pfc.enabled && std::ranges::all_of(s.qos, [&, a = before, b = behind](const PortQos& q) {
           return ((q.pfc_enable >> a) & (q.pfc_enable >> b) & 1) != 0 &&
                  q.pfc_to_queue[a] != q.pfc_to_queue[b] && q.pfc_to_group[a] != q.pfc_to_group[b];
         });
}

void CheckSwitch(const Scenario& s, size_t index, const Node& routing) {
  const SwitchParameters& parameters = s.switches[index];
  const RoutingParameters& r = parameters.routing;
  const std::string& name = s.topology.nodes[s.topology.hosts + index].name;
  if (r.kind == Kind::dimension_order && s.topology.torus.empty())
    throw ScenarioError(routing.where, "dimension_order needs a topology of type torus",
                        "give another routing: ecmp, spray, flowlet or adaptive");
  const TrafficClass* lossless = FirstLossless(s);
  if (r.kind == Kind::adaptive && !s.topology.torus.empty() && lossless && parameters.pfc.enabled)
    throw ScenarioError(
        routing.where,
        fmt::format("adaptive routing of the lossless class \"{}\" on a torus can deadlock in the "
                    "torus's rings",
                    lossless->name),
        "give {type: dimension_order, dateline: [a, b]} with two lossless classes; or make all classes "
        "lossy; or give pfc: {enabled: false}");
  if (r.dateline && !PausesApart(parameters, *r.dateline))
    throw ScenarioError(
        routing.where,
        fmt::format("{} does not pause the two priorities of its dateline, {} and {}, separately", name,
                    r.dateline->first, r.dateline->second),
        "enable PFC, and give each of the two a queue and a priority group at all ports; or use lossy "
        "classes without a dateline");
}

/// Checks an upper bound: as if all links to switches were equal next hops.
void CheckWeights(const Topology& t, const Position& where) {
  std::vector<int64_t> sum(t.nodes.size());
  int common = 0;
  for (const TopologyLink& link : t.links) common = std::gcd(common, link.spec.weight);
  if (common == 0) return;
  bool differ = false;
  for (const TopologyLink& link : t.links) {
    differ |= link.spec.weight != t.links.front().spec.weight;
    if (link.a.node < t.hosts || link.b.node < t.hosts) continue;
    sum[link.a.node] += link.spec.weight / common;
    sum[link.b.node] += link.spec.weight / common;
  }
  const auto most = std::ranges::max_element(sum);
  if (differ && *most > kMostNextHops)
    throw ScenarioError(
        where,
        fmt::format("the weights of the links of {} add up to {}",
                    t.nodes[static_cast<size_t>(most - sum.begin())].name, *most),
        fmt::format("allowed: up to {} between a switch and other switches, in lowest terms", kMostNextHops));
}

}  // namespace

void CheckRouting(const Scenario& scenario, const Node* switches, const Position& topology, Errors& errors) {
  errors.Guard([&] { CheckWeights(scenario.topology, topology); });
  if (!switches) return;
  std::vector<const Node*> refused;  // each entry once, for the first of its switches
  for (size_t i = 0; i < scenario.switches.size(); ++i) {
    if (scenario.switches[i].routing.kind == Kind::ecmp) continue;
    const Node& routing = RoutingOf(*switches, scenario.topology.nodes[scenario.topology.hosts + i].name);
    if (std::ranges::find(refused, &routing) != refused.end()) continue;
    if (!errors.Guard([&] { CheckSwitch(scenario, i, routing); })) refused.push_back(&routing);
  }
}

}  // namespace headroom
