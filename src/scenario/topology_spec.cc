#include "scenario/topology_spec.h"

#include <algorithm>
#include <list>
#include <numeric>

namespace headroom {

namespace {

struct Sizes {
  TopologySize operator()(const StarSpec& s) const {
    const auto hosts = s.nics_of.empty() ? static_cast<double>(s.hosts) * static_cast<double>(s.nics)
                                         : std::accumulate(s.nics_of.begin(), s.nics_of.end(), 0.0);
    return {hosts, 1, hosts, hosts};
  }
  TopologySize operator()(const DumbbellSpec& s) const {
    const auto left = static_cast<double>(s.left), right = static_cast<double>(s.right);
    return {left + right, 2, left + right + 1, std::max(left, right) + 1};
  }
  TopologySize operator()(const LeafSpineSpec& s) const {
    const auto leaves = static_cast<double>(s.leaves), spines = static_cast<double>(s.spines);
    const auto below = static_cast<double>(s.hosts_per_leaf),
               parallel = static_cast<double>(s.links_per_spine);
    const HostNics& nics = s.nics;
    const double planes = nics.attach == Attach::planes ? 2 : 1;
    const double above = spines / planes * parallel, hosts = leaves * below / nics.ports;
    const double gpus = s.nvlink ? hosts : 0, nvswitches = gpus / nics.nics;
    return {hosts + gpus, leaves + spines + nvswitches, leaves * (below + above) + gpus,
            std::max(leaves / planes * parallel, below + above)};
  }
  TopologySize operator()(const FatTreeSpec& s) const {
    const auto k = static_cast<double>(s.k);
    return {k * k * k / 4, 5 * k * k / 4, 3 * k * k * k / 4, k};
  }
  TopologySize operator()(const RegionSpec& region) const {
    const RegionShape& s = region.shape;
    const double clusters = 1.0 * s.datacenters * s.clusters, racks = clusters * s.racks;
    const double t1 = clusters * s.t1, t2 = 1.0 * s.datacenters * s.t2, hosts = racks * s.hosts;
    const double links = hosts + racks * s.t1 + t1 * s.t2 + t2 * s.hubs;
    const double t2_ports = 1.0 * s.clusters * s.t1 + s.hubs;
    return {hosts, racks + t1 + t2 + s.hubs, links,
            std::max({1.0 * s.hosts + s.t1, 1.0 * s.racks + s.t2, t2_ports, t2})};
  }
  TopologySize operator()(const TorusSpec& s) const {
    double switches = 1;
    for (const int dim : s.dims) switches *= dim;
    const auto dims = static_cast<double>(s.dims.size());
    return {switches, switches, switches * (1 + dims), 1 + 2 * dims};
  }
  TopologySize operator()(const CustomSpec& s) const {
    const std::vector<int> nics = NicsOf(s, s.hosts.size());
    const auto gpus = static_cast<double>(std::ranges::count_if(s.devices, IsGpu));
    return {std::accumulate(nics.begin(), nics.end(), gpus),
            static_cast<double>(s.switches.size() + s.devices.size()) - gpus,
            static_cast<double>(s.links.size()), 0};
  }
  TopologySize operator()(const HpccSpec& s) const { return (*this)(s.content); }
};

class Builder {
 public:
  Topology operator()(const StarSpec& s) {
    const std::vector<std::string> names = NamesOf(s);
    const std::vector<int> nics = NicsOf(s, names.size());
    return BuildStar(names, By(s.link), nics);
  }
  Topology operator()(const DumbbellSpec& s) {
    return BuildDumbbell(static_cast<int>(s.left), static_cast<int>(s.right), By(s.link), By(s.bottleneck));
  }
  Topology operator()(const LeafSpineSpec& s) {
    return BuildLeafSpine(static_cast<int>(s.leaves), static_cast<int>(s.spines),
                          static_cast<int>(s.hosts_per_leaf), By(s.host_link), By(s.fabric_link),
                          static_cast<int>(s.links_per_spine), s.nics,
                          s.nvlink ? std::optional(By(*s.nvlink)) : std::nullopt);
  }
  Topology operator()(const FatTreeSpec& s) {
    return BuildFatTree(static_cast<int>(s.k), By(s.host_link), By(s.edge_link), By(s.core_link), s.nics);
  }
  Topology operator()(const RegionSpec& s) {
    RegionShape shape = s.shape;
    shape.host = By(s.host);
    shape.t0_t1 = By(s.t0_t1);
    shape.t1_t2 = By(s.t1_t2);
    if (shape.hubs > 0) shape.t2_rh = By(s.t2_rh);
    return BuildRegion(shape);
  }
  Topology operator()(const TorusSpec& s) { return BuildTorus(s.dims, By(s.link)); }
  Topology operator()(const CustomSpec& s) {
    return BuildCustom(s.hosts, s.switches, s.links, NicsOf(s, s.hosts.size()), s.devices);
  }
  Topology operator()(const HpccSpec& s) { return (*this)(s.content); }

  void CheckAllUsed() const {
    for (const LinkChooser& chooser : choosers_) chooser.CheckAllUsed();
  }

 private:
  LinkOf By(const LinkRules& rules) {
    if (rules.rules.empty()) return rules.all;
    // A key may concern several tiers, for example `link` of a fat tree: then its patterns apply to all of
    // them together.
    const auto known =
        std::ranges::find_if(choosers_, [&](const LinkChooser& c) { return c.key() == rules.key; });
    return (known == choosers_.end() ? choosers_.emplace_back(rules) : *known).Links();
  }

  std::list<LinkChooser> choosers_;
};

}  // namespace

std::vector<std::string> NamesOf(const StarSpec& spec) {
  std::vector<std::string> names = spec.names;
  for (int64_t i = 0; spec.names.empty() && i < spec.hosts; ++i) names.push_back("h" + std::to_string(i));
  return names;
}

TopologySize SizeOf(const TopologySpec& spec) { return std::visit(Sizes{}, spec); }

Topology BuildTopology(const TopologySpec& spec) {
  Builder builder;
  Topology topology = std::visit(builder, spec);
  builder.CheckAllUsed();
  return topology;
}

}  // namespace headroom
