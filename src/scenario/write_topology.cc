// The topology section of a resolved scenario.
#include <fmt/format.h>

#include "scenario/write.h"
#include "scenario/yaml/quantity.h"

namespace headroom {

namespace {

std::string Link(const char* key, const LinkRules& links, const std::string& indent = "  ") {
  return indent + key + ":" + WriteLinks(links, indent + "  ");
}

std::string List(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) (text += text.empty() ? "" : ", ") += WriteTexts({name});
  return '[' + text + ']';
}

std::string End(const std::string& node, const std::string& port) {
  return WriteTexts({port.empty() ? node : node + ":" + port});
}

struct TopologyWriter {
  ReferencedFiles& files;

  std::string operator()(const StarSpec& s) const {
    const std::string hosts = s.names.empty() ? std::to_string(s.hosts) : List(s.names);
    return fmt::format("  type: star\n  hosts: {}\n", hosts) + Link("link", s.link);
  }
  std::string operator()(const DumbbellSpec& s) const {
    return fmt::format("  type: dumbbell\n  left: {}\n  right: {}\n", s.left, s.right) +
           Link("link", s.link) + Link("bottleneck", s.bottleneck);
  }
  std::string operator()(const LeafSpineSpec& s) const {
    return fmt::format("  type: leaf_spine\n  leaves: {}\n  spines: {}\n  hosts_per_leaf: {}\n", s.leaves,
                       s.spines, s.hosts_per_leaf) +
           Link("host_link", s.host_link) + Link("fabric_link", s.fabric_link);
  }
  std::string operator()(const FatTreeSpec& s) const {
    std::string text = fmt::format("  type: fat_tree\n  k: {}\n", s.k);
    const std::string of_all = "link";
    bool written = false;  // patterns of `link` are for all tiers together
    for (const auto& [key, links] :
         {std::pair("host_link", &s.host_link), std::pair("edge_link", &s.edge_link),
          std::pair("core_link", &s.core_link)}) {
      const bool shared = links->key == of_all && !links->rules.empty();
      if (!shared || !written) text += Link(shared ? of_all.c_str() : key, *links);
      written |= shared;
    }
    return text;
  }
  std::string operator()(const RegionSpec& region) const {
    const RegionShape& s = region.shape;
    std::string text = fmt::format(
        "  type: region\n  datacenters: {}\n  clusters: {}\n  racks: {}\n  hosts: {}\n  t1: {}\n  t2: {}\n"
        "  hubs: {}\n  links:\n",
        s.datacenters, s.clusters, s.racks, s.hosts, s.t1, s.t2, s.hubs);
    const std::string deeper = "    ";
    text += Link("host", region.host, deeper) + Link("t0_t1", region.t0_t1, deeper) +
            Link("t1_t2", region.t1_t2, deeper);
    return s.hubs > 0 ? text + Link("t2_rh", region.t2_rh, deeper) : text;
  }
  std::string operator()(const TorusSpec& s) const {
    return fmt::format("  type: torus\n  dims: [{}]\n", fmt::join(s.dims, ", ")) + Link("link", s.link);
  }
  std::string operator()(const CustomSpec& s) const {
    std::string text = fmt::format("  type: custom\n  hosts: {}\n  switches: {}\n  links:\n", List(s.hosts),
                                   List(s.switches));
    for (const CustomLink& link : s.links)
      text += fmt::format("    - {{ends: [{}, {}], {}}}\n", End(link.a, link.a_port),
                          End(link.b, link.b_port), WriteLinkKeys(link.spec));
    return text;
  }
  std::string operator()(const HpccSpec& s) const {
    return fmt::format("  type: hpcc\n  file: {}\n", WriteTexts({files.Add(s.file)}));
  }
};

}  // namespace

std::string WriteTopology(const TopologySpec& spec, ReferencedFiles& files) {
  return "topology:\n" + std::visit(TopologyWriter{files}, spec);
}

}  // namespace headroom
