#include "scenario/paths/cut.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>
#include <unordered_map>

namespace headroom {

namespace {

/// What no cut divides: nodes joined by links that are too short, or by a service.
struct Clusters {
  std::vector<size_t> of;        ///< by node
  std::vector<int64_t> weights;  ///< by cluster: ports and nodes
};

Time LengthOf(const TopologyLink& link) { return link.spec.delay + link.spec.phy; }

Clusters ClustersOf(const Topology& topology, Time shortest, const std::vector<NodeId>& together) {
  std::vector<size_t> root(topology.nodes.size());
  std::iota(root.begin(), root.end(), size_t{0});
  const auto root_of = [&root](size_t n) {
    while (root[n] != n) n = root[n] = root[root[n]];
    return n;
  };
  const auto join = [&](NodeId one, NodeId other) {
    const size_t a = root_of(one), b = root_of(other);
    root[std::max(a, b)] = std::min(a, b);
  };
  for (const TopologyLink& l : topology.links) {
    if (LengthOf(l) < shortest) join(l.a.node, l.b.node);
  }
  for (const NodeId node : together) join(node, together.front());
  // A host's NICs and devices act on each other at one instant.
  std::unordered_map<std::string, NodeId> hosts;
  for (NodeId n = 0; n < topology.nodes.size(); ++n) {
    const std::string& name = topology.nodes[n].name;
    if (name.find('/') != std::string::npos) join(n, hosts.try_emplace(HostName(name), n).first->second);
  }
  Clusters clusters;
  for (size_t n = 0; n < root.size(); ++n) {
    const bool first = root_of(n) == n;
    clusters.of.push_back(first ? clusters.weights.size() : clusters.of[root_of(n)]);
    if (first) clusters.weights.push_back(0);
    ++clusters.weights[clusters.of[n]];
  }
  for (const TopologyLink& l : topology.links) {
    ++clusters.weights[clusters.of[l.a.node]];
    ++clusters.weights[clusters.of[l.b.node]];
  }
  return clusters;
}

class Division {
 public:
  Division(const Topology& topology, const Clusters& clusters, int parts)
      : topology_(topology),
        clusters_(clusters),
        part_of_(clusters.weights.size(), kNone),
        filled_(static_cast<size_t>(parts), 0) {
    DivideHosts();
    while (std::ranges::find(part_of_, kNone) != part_of_.end()) AddNeighbours();
  }
  /// Largest part's share of the whole network, times the number of parts; 1 for equal parts.
  double largest() const {
    const auto all = static_cast<double>(std::accumulate(filled_.begin(), filled_.end(), int64_t{0}));
    return static_cast<double>(*std::ranges::max_element(filled_)) * static_cast<double>(filled_.size()) /
           all;
  }
  bool leaves_none_empty() const { return std::ranges::count(filled_, 0) == 0; }
  std::vector<int> of_nodes() const {
    std::vector<int> parts;
    for (const size_t cluster : clusters_.of) parts.push_back(part_of_[cluster]);
    return parts;
  }

 private:
  static constexpr int kNone = -1;
  void Add(size_t cluster, int part) {
    part_of_[cluster] = part;
    filled_[static_cast<size_t>(part)] += clusters_.weights[cluster];
  }
  /// Hosts with neighbouring numbers stay together.
  void DivideHosts() {
    std::vector<size_t> with_hosts(clusters_.of.begin(), clusters_.of.begin() + topology_.hosts);
    std::ranges::sort(with_hosts);
    with_hosts.erase(std::unique(with_hosts.begin(), with_hosts.end()), with_hosts.end());
    int64_t all = 0, before = 0;
    for (const size_t cluster : with_hosts) all += clusters_.weights[cluster];
    const auto parts = static_cast<int64_t>(filled_.size());
    for (const size_t cluster : with_hosts) {
      Add(cluster, static_cast<int>(before * parts / all));
      before += clusters_.weights[cluster];
    }
  }
  /// Each remaining cluster with a link to an assigned cluster joins the part where most of its links lead,
  /// if the part has room.
  void AddNeighbours() {
    std::vector<std::vector<int>> links(part_of_.size());
    const auto add = [&](size_t cluster, size_t other) {
      if (part_of_[cluster] != kNone || part_of_[other] == kNone) return;
      links[cluster].resize(filled_.size());
      ++links[cluster][static_cast<size_t>(part_of_[other])];
    };
    for (const TopologyLink& l : topology_.links) {
      add(clusters_.of[l.a.node], clusters_.of[l.b.node]);
      add(clusters_.of[l.b.node], clusters_.of[l.a.node]);
    }
    const bool alone = std::ranges::all_of(links, &std::vector<int>::empty);  // no link leads there
    for (size_t cluster = 0; cluster < links.size(); ++cluster) {
      if (part_of_[cluster] == kNone && (alone || !links[cluster].empty()))
        Add(cluster, BestFor(cluster, links[cluster]));
    }
  }
  int BestFor(size_t cluster, const std::vector<int>& links) const {
    const int64_t all = std::accumulate(clusters_.weights.begin(), clusters_.weights.end(), int64_t{0});
    const int64_t room = all / static_cast<int64_t>(filled_.size()) * 11 / 10;
    size_t best = static_cast<size_t>(std::ranges::min_element(filled_) - filled_.begin());
    int most = 0;
    for (size_t p = 0; p < links.size(); ++p) {
      const bool better = links[p] > most || (links[p] == most && filled_[p] < filled_[best]);
      if (filled_[p] + clusters_.weights[cluster] <= room && better) best = p, most = links[p];
    }
    return static_cast<int>(best);
  }

  const Topology& topology_;
  const Clusters& clusters_;
  std::vector<int> part_of_;     ///< by cluster
  std::vector<int64_t> filled_;  ///< by part
};

}  // namespace

std::optional<std::string> WhyNotCut(const Scenario& scenario) {
  for (const WorkloadParameters& w : scenario.workloads) {
    if (!OffersOperations(w) && !w.arrivals->ActsPartByPart(w)) return "the workload " + w.name;
  }
  return std::nullopt;
}

namespace {

/// The division that all services permit.
ServiceDivision DivisionOfServices(const Scenario& scenario) {
  const auto alone = [](const WorkloadParameters& w) {
    return !OffersOperations(w) || w.arrivals->ActsPartByPart(w);
  };
  if (!std::ranges::all_of(scenario.workloads, alone)) return ServiceDivision::none;
  ServiceDivision all = ServiceDivision::ranks;
  for (const AnyService& service : scenario.services) all = std::min(all, service->Division());
  return all;
}

}  // namespace

std::vector<NodeId> HostsOfServices(const Scenario& scenario) {
  std::set<NodeId> hosts;
  for (const AnyService& service : scenario.services) {
    const std::vector<NodeId> some = service->Hosts();
    hosts.insert(some.begin(), some.end());
  }
  return {hosts.begin(), hosts.end()};
}

std::vector<NodeId> HostsTogether(const Scenario& scenario) {
  const bool together = DivisionOfServices(scenario) == ServiceDivision::none;
  return together ? HostsOfServices(scenario) : std::vector<NodeId>{};
}

std::vector<NodeId> HostsOfFirstRank(const Scenario& scenario, bool judged) {
  const bool divided = DivisionOfServices(scenario) == ServiceDivision::ranks && !judged;
  return divided ? std::vector<NodeId>{} : HostsOfServices(scenario);
}

namespace {

/// So many parts that each has as many ports as a core's cache holds; one part for networks where more parts
/// were not always faster (docs/parallel.md).
int FastestParts(const Topology& topology) {
  constexpr size_t kLeastPorts = 10'000, kPortsOfPart = 1000;
  const size_t ports = 2 * topology.links.size();
  return ports < kLeastPorts ? 1 : static_cast<int>(std::min<size_t>(kMostParts, ports / kPortsOfPart));
}

/// `allowed`: in place of this.
std::vector<int> PartsWith(const Scenario& scenario, int parts, const std::vector<NodeId>& together,
                           const char* allowed) {
  if (const auto why = WhyNotCut(scenario)) {
    throw std::invalid_argument(fmt::format("{}: {} cannot be run in {} parts yet; allowed: {}",
                                            scenario.file, *why, parts, allowed));
  }
  if (auto cut = CutInto(scenario.topology, parts, together)) return std::move(*cut);
  throw std::invalid_argument(fmt::format(
      "{}: links of {} ns or more do not divide the network into {} parts{}; allowed: fewer parts, "
      "{}",
      scenario.file, kShortestCut.v / Nanoseconds(1).v, parts,
      together.empty() ? "" : ", as the hosts of services stay in one part", allowed));
}

/// The options next to those asked for that divide the network.
std::string AllowedRanks(const Topology& topology, const std::vector<NodeId>& together, int asked_ranks,
                         int asked_parts) {
  int most = 1;
  for (int too_many = std::min(asked_parts, kMostParts + 1); most + 1 < too_many;) {
    const int parts = most + (too_many - most) / 2;
    (CutInto(topology, parts, together) ? most : too_many) = parts;
  }
  if (most == 1) return "--ranks 1";
  int ranks = std::min(asked_ranks, most), of_rank = most / ranks;
  if (ranks * of_rank != most && !CutInto(topology, ranks * of_rank, together)) ranks = most, of_rank = 1;
  return fmt::format("at most {} parts in all, such as --ranks {} --parts {}", most, ranks, of_rank);
}

}  // namespace

std::vector<int> PartsOfRanks(const Scenario& scenario, int asked, int ranks, bool judged) {
  if (const auto why = WhyNotCut(scenario)) {
    throw std::invalid_argument(
        fmt::format("{}: {} cannot be run in {} ranks yet; allowed: --ranks 1", scenario.file, *why, ranks));
  }
  const std::vector<NodeId> together = HostsOfFirstRank(scenario, judged);
  const int fastest = together.empty() ? (FastestParts(scenario.topology) + ranks - 1) / ranks : 1;
  const int of_rank = asked == kAutoParts ? fastest : asked;
  const int parts = ranks * of_rank;
  const auto allowed = [&] { return AllowedRanks(scenario.topology, together, ranks, parts); };
  if (parts > kMostParts) {
    throw std::invalid_argument(fmt::format("{}: {} ranks with {} parts each are {} parts; allowed: {}",
                                            scenario.file, ranks, of_rank, parts, allowed()));
  }
  auto cut = CutInto(scenario.topology, parts, together);
  if (cut) {
    // Neighbouring parts share a rank, and keep doing so.
    const int first = together.empty() ? 0 : (*cut)[together.front()];
    for (int& part : *cut) part = (part - first + parts) % parts;
    return std::move(*cut);
  }
  throw std::invalid_argument(
      fmt::format("{}: links of {} ns or more do not divide the network into {} ranks with {} part{} each{}; "
                  "allowed: {}",
                  scenario.file, kShortestCut.v / Nanoseconds(1).v, ranks, of_rank, of_rank == 1 ? "" : "s",
                  together.empty() ? "" : ", as the hosts of services stay in one part", allowed()));
}

std::vector<int> PartsOf(const Scenario& scenario, int asked) {
  const bool any = asked == kAutoParts;
  const int parts = any ? FastestParts(scenario.topology) : asked;
  const std::vector<NodeId> together = HostsTogether(scenario);
  if (parts <= 1 || (any && (!together.empty() || WhyNotCut(scenario)))) return {};
  if (any) return CutInto(scenario.topology, parts).value_or(std::vector<int>());
  return PartsWith(scenario, parts, together, "--parts 1 or auto");
}

std::vector<int> PartsOfEstimate(const Scenario& scenario, int asked, int ranks, bool judged) {
  const int parts = asked == kAutoParts ? FastestParts(scenario.topology) : asked;
  return PartsWith(scenario, std::max(ranks, parts), HostsOfFirstRank(scenario, judged),
                   "a run in one process");
}

std::vector<int> PartsFor(const Scenario& scenario, const AskedParts& asked) {
  if (asked.ranks > 1) return PartsOfRanks(scenario, asked.parts, asked.ranks, asked.judged);
  if (asked.estimate_ranks > 0)
    return PartsOfEstimate(scenario, asked.parts, asked.estimate_ranks, asked.judged);
  return PartsOf(scenario, asked.parts);
}

std::optional<std::vector<int>> CutInto(const Topology& topology, int parts,
                                        const std::vector<NodeId>& together) {
  std::set<Time> lengths;
  for (const TopologyLink& l : topology.links) {
    if (LengthOf(l) >= kShortestCut) lengths.insert(LengthOf(l));
  }
  // Cuts the longest links that give parts of similar size; otherwise any links that divide the network.
  constexpr double kEven = 1.3;
  std::optional<std::vector<int>> found;
  for (auto shortest = lengths.rbegin(); shortest != lengths.rend(); ++shortest) {
    const Clusters clusters = ClustersOf(topology, *shortest, together);
    const Division division(topology, clusters, parts);
    if (!division.leaves_none_empty()) continue;
    found = division.of_nodes();
    if (division.largest() <= kEven) break;
  }
  return found;
}

}  // namespace headroom
