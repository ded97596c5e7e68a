// Part of RandomScenarioText: the network.
#include "support/random_parts.h"

namespace headroom {

namespace {

std::string Rate(Dice& d) {
  return d.Text({"10Gbps", "25Gbps", "40Gbps", "100Gbps", "100Gbps", d.OneIn(4) ? "400Gbps" : "200Gbps"});
}
std::string Length(Dice& d) {
  if (d.OneIn(3)) return fmt::format("delay: {}ns", d.Between(0, 2000));
  return fmt::format("length: {}", d.Text({"2m", "3m", "40m", "100m", "300m"}));
}

std::string Link(Dice& d, bool losses) {
  std::string text = "rate: " + Rate(d) + ", " + Length(d);
  if (d.OneIn(4)) text += fmt::format(", phy: {}ns", d.Between(0, 99));
  Dice own = d;  // the rest is drawn as without these
  if (own.OneIn(5)) text += fmt::format(", weight: {}", own.Between(1, 4));
  if (losses && own.OneIn(12))
    // With delays of up to 1 ns, many frames arrive at the same picosecond as others.
    text += ", reorder: {probability: " + own.Text({"1%", "30%", "100%"}) + ", delay: 0ns.." +
            own.Text({"1ns", "200ns", "3us"}) + "}";
  if (losses && d.OneIn(10)) text += ", loss: " + d.Text({"1/2000", "0.1%"});
  return text;
}

/// One kind of link, or two, of which one applies to some nodes.
std::string Links(Dice& d, bool losses, const std::vector<std::string>& nodes) {
  if (!d.OneIn(3)) return "{" + Link(d, losses) + "}";
  std::string text = "[{match: \"*\", " + Link(d, losses) + "}";
  for (const std::string& node : d.Some(nodes, 1, 2))
    text += ", {match: " + node + ", " + (d.OneIn(2) ? "rate: " + Rate(d) : Length(d)) + "}";
  return text + "]";
}

std::vector<std::string> Numbered(const std::string& stem, int64_t n) {
  std::vector<std::string> names;
  for (int64_t i = 0; i < n; ++i) names.push_back(stem + std::to_string(i));
  return names;
}

/// The name of a host's NIC.
std::string Nic(const std::string& host, int64_t nic, const RandomNetwork& n) {
  return n.nics == 1 ? host : fmt::format("{}/n{}", host, nic);
}

void Star(Dice& d, bool losses, RandomNetwork& n) {
  n.type = "star";
  n.hosts = Numbered("h", d.Between(4, 10));
  n.switches = {"s0"};
  if (Dice own = d; own.OneIn(4)) n.nics = own.Between(2, 3);  // the rest is drawn as without it
  for (const std::string& host : n.hosts)
    for (int64_t nic = 0; nic < n.nics; ++nic) n.host_links.emplace_back(Nic(host, nic, n), "s0");
  n.most_ports = n.host_links.size();
  n.text = fmt::format("hosts: {}, link: {}", n.hosts.size(), Links(d, losses, n.hosts));
  if (n.nics > 1) n.text += fmt::format(", nics: {}", n.nics);
}

void Dumbbell(Dice& d, bool losses, RandomNetwork& n) {
  n.type = "dumbbell";
  const auto left = Numbered("l", d.Between(2, 5)), right = Numbered("r", d.Between(2, 5));
  n.switches = {"s0", "s1"};
  for (const std::string& host : left) n.host_links.emplace_back(host, "s0");
  for (const std::string& host : right) n.host_links.emplace_back(host, "s1");
  n.hosts = left;
  n.hosts.insert(n.hosts.end(), right.begin(), right.end());
  n.fabric_links = {{"s0", "s1"}};
  n.most_ports = std::max(left.size(), right.size()) + 1;
  n.text = fmt::format("left: {}, right: {}, link: {}, bottleneck: {{{}}}", left.size(), right.size(),
                       Links(d, losses, n.hosts), Link(d, losses));
}

/// Ports of hosts, and the leaves where they are.
struct Attached {
  int64_t ports = 1, leaves = 1;
  size_t planes = 1;
  std::string text;
};
/// What fits this network; the rest is drawn as without it.
Attached DrawAttachment(Dice own, int64_t leaves, int64_t spines, int64_t each) {
  if (leaves * each < 8 || !own.OneIn(3)) return {};  // at least four hosts
  std::vector<Attached> fit;
  if (each % 2 == 0) fit.push_back({2, 1, 1, ", ports: 2"});
  if (leaves % 2 == 0) fit.push_back({2, 2, 1, ", ports: 2, attach: dual_tor"});
  if (leaves % 2 == 0 && spines % 2 == 0) fit.push_back({2, 2, 2, ", ports: 2, attach: planes"});
  return fit.empty() ? Attached{} : own.OneOf(fit);
}

void LeafSpine(Dice& d, bool losses, RandomNetwork& n) {
  n.type = "leaf_spine";
  const int64_t leaves = d.Between(2, 3), spines = d.Between(1, 3), each = d.Between(2, 4);
  const Attached to = DrawAttachment(d, leaves, spines, each);
  if (Dice own = d; to.ports == 1 && leaves == 2 && each == 4 && own.OneIn(2)) n.nics = 2;
  n.hosts = Numbered("h", leaves * each / to.ports / n.nics);
  const auto leaf = Numbered("leaf", leaves), spine = Numbered("spine", spines);
  const int64_t in_rack = each * to.leaves / to.ports;    // hosts
  for (int64_t i = 0; i < leaves * each / to.ports; ++i)  // two NICs are two rails
    for (int64_t p = 0; p < to.ports; ++p)
      n.host_links.emplace_back(
          Nic(n.hosts[static_cast<size_t>(i / n.nics)], i % n.nics, n),
          leaf[static_cast<size_t>(n.nics > 1 ? i % n.nics : i / in_rack * to.leaves + p % to.leaves)]);
  for (size_t a = 0; a < leaf.size(); ++a)
    for (size_t b = a % to.planes; b < spine.size(); b += to.planes)
      n.fabric_links.emplace_back(leaf[a], spine[b]);
  n.switches = leaf;
  n.switches.insert(n.switches.end(), spine.begin(), spine.end());
  n.most_ports = static_cast<size_t>(std::max(each + spines, leaves));
  n.text = fmt::format("leaves: {}, spines: {}, hosts_per_leaf: {}, host_link: {}, fabric_link: {}{}", leaves,
                       spines, each, Links(d, losses, n.hosts), Links(d, losses, spine), to.text);
  if (n.nics > 1) n.text += fmt::format(", nics: {}, attach: rails", n.nics);
}

void FatTree(Dice& d, bool losses, RandomNetwork& n) {
  n.type = "fat_tree";
  n.hosts = Numbered("h", 16);
  for (size_t i = 0; i < n.hosts.size(); ++i)
    n.host_links.emplace_back(n.hosts[i], "edge" + std::to_string(i / 2));
  for (int pod = 0; pod < 4; ++pod)
    for (int i : {0, 1})
      for (int j : {0, 1})
        n.fabric_links.emplace_back(fmt::format("edge{}", 2 * pod + i), fmt::format("agg{}", 2 * pod + j));
  for (const auto& [stem, count] : {std::pair("edge", 8), std::pair("agg", 8), std::pair("core", 4)})
    for (const std::string& name : Numbered(stem, count)) n.switches.push_back(name);
  n.most_ports = 4;
  n.text = d.OneIn(2) ? "k: 4, link: " + Links(d, losses, n.hosts)
                      : fmt::format("k: 4, host_link: {}, edge_link: {{{}}}, core_link: {{{}}}",
                                    Links(d, losses, n.hosts), Link(d, losses), Link(d, losses));
}

void Torus(Dice& d, bool losses, RandomNetwork& n) {
  n.type = "torus";
  const int64_t x = d.Between(2, 3), y = d.Between(2, 3);
  n.hosts = Numbered("h", x * y);
  n.switches = Numbered("s", x * y);
  for (size_t i = 0; i < n.hosts.size(); ++i) n.host_links.emplace_back(n.hosts[i], n.switches[i]);
  n.most_ports = 5;
  n.text = fmt::format("dims: [{}, {}], link: {}", x, y, Links(d, losses, n.hosts));
}

/// Switches in a row, with one to three links of different rates between neighbours.
void Custom(Dice& d, bool losses, RandomNetwork& n) {
  n.type = "custom";
  n.hosts = Numbered("h", d.Between(4, 9));
  n.switches = Numbered("s", d.Between(2, 3));
  std::vector<size_t> ports(n.switches.size(), 0);
  std::string links;
  for (size_t i = 0; i < n.hosts.size(); ++i) {
    const size_t at = i % n.switches.size();
    ++ports[at];
    n.host_links.emplace_back(n.hosts[i], n.switches[at]);
    links += fmt::format("\n    - {{ends: [{}, {}], {}}}", n.hosts[i], n.switches[at], Link(d, losses));
  }
  for (size_t i = 0; i + 1 < n.switches.size(); ++i) {
    for (int64_t j = d.Between(1, 3); j > 0; --j) {
      const std::string a = fmt::format("{}:up{}", n.switches[i], j),
                        b = fmt::format("{}:down{}", n.switches[i + 1], j);
      ++ports[i];
      ++ports[i + 1];
      n.fabric_links.emplace_back(a, b);
      links += fmt::format("\n    - {{ends: [\"{}\", \"{}\"], {}}}", a, b, Link(d, losses));
    }
  }
  for (const size_t count : ports) n.most_ports = std::max(n.most_ports, count);
  n.text = fmt::format("\n  hosts: {}\n  switches: {}\n  links:{}", n.hosts.size(), n.switches.size(), links);
}

void Region(Dice& d, bool losses, RandomNetwork& n) {
  n.type = "region";
  const int64_t datacenters = d.Between(1, 2), t1 = d.Between(1, 2), t2 = d.Between(1, 2);
  const int64_t hubs = datacenters == 1 ? d.Between(0, 1) : d.Between(1, 2);
  for (int64_t c = 0; c < datacenters; ++c) {
    for (int r : {0, 1}) {
      const std::string rack = fmt::format("dc{}-c0-r{}", c, r), t0 = rack + "-t0";
      n.switches.push_back(t0);
      for (int h : {0, 1, 2}) {
        n.hosts.push_back(fmt::format("{}-h{}", rack, h));
        n.host_links.emplace_back(n.hosts.back(), t0);
      }
      for (int64_t i = 0; i < t1; ++i) n.fabric_links.emplace_back(t0, fmt::format("dc{}-c0-t1-{}", c, i));
    }
    for (int64_t i = 0; i < t1; ++i) n.switches.push_back(fmt::format("dc{}-c0-t1-{}", c, i));
    for (int64_t i = 0; i < t2; ++i) n.switches.push_back(fmt::format("dc{}-t2-{}", c, i));
  }
  for (const std::string& hub : Numbered("rh-", hubs)) n.switches.push_back(hub);
  n.most_ports = 5;
  n.text = fmt::format(
      "datacenters: {}, clusters: 1, racks: 2, hosts: 3, t1: {}, t2: {}, hubs: {}, "
      "links: {{host: {}, t0_t1: {{{}}}, t1_t2: {{{}}}",
      datacenters, t1, t2, hubs, Links(d, losses, n.hosts), Link(d, losses), Link(d, losses));
  if (hubs > 0) n.text += fmt::format(", t2_rh: {{rate: {}, length: {}km}}", Rate(d), d.Between(1, 5));
  n.text += "}";
}

RandomNetwork OfHpccFile() {
  RandomNetwork n;
  n.type = "hpcc";
  n.text = " {type: hpcc, file: tests/scenario/good/hpcc-topology.txt}";
  n.hosts = {"n0", "n1", "n2"};
  n.switches = {"n3"};
  for (const std::string& host : n.hosts) n.host_links.emplace_back(host, "n3");
  n.most_ports = 3;
  return n;
}

}  // namespace

RandomNetwork DrawNetwork(Dice& d, const RandomScenarioKinds& kinds) {
  if (kinds.files && d.OneIn(16)) return OfHpccFile();
  RandomNetwork n;
  d.OneOf({Star, Dumbbell, LeafSpine, FatTree, Torus, Custom, Region})(d, kinds.faults, n);
  n.text = n.type == "custom" ? fmt::format("\n  type: custom{}", n.text)
                              : fmt::format(" {{type: {}, {}}}", n.type, n.text);
  return n;
}

}  // namespace headroom
