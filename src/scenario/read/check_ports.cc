#include "scenario/read/check_ports.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "scenario/yaml/quantity.h"

namespace headroom {

namespace {

/// By host: its links.
std::vector<std::vector<const TopologyLink*>> LinksOfHosts(const Topology& t) {
  std::vector<std::vector<const TopologyLink*>> links(t.hosts);
  for (const TopologyLink& link : t.links) {
    for (const NodeId node : {link.a.node, link.b.node})
      if (node < t.hosts) links[node].push_back(&link);
  }
  return links;
}

/// IEEE 802.1AX-2020, 6.1.1: the links of a group have the same rate.
void CheckLinks(const Topology& t, NodeId host, const std::vector<const TopologyLink*>& links,
                const Position& where) {
  const std::string& name = t.nodes[host].name;
  const Rate rate = links.front()->spec.rate;
  for (const TopologyLink* link : links) {
    if (link->spec.rate != rate)
      throw ScenarioError(where,
                          fmt::format("the ports of host \"{}\" have rates of {} and {}", name,
                                      FormatRate(rate), FormatRate(link->spec.rate)),
                          "give both links of a host the same rate");
    const NodeId other = link->a.node == host ? link->b.node : link->a.node;
    if (other < t.hosts)
      throw ScenarioError(
          where,
          fmt::format("host \"{}\" has two ports, and a link to host \"{}\"", name, t.nodes[other].name),
          "link both ports of a host to switches");
  }
}

/// A key of `hosts` that concerns two ports; null: no entry has one.
const Node* PortKey(const Node* hosts) {
  if (hosts == nullptr) return nullptr;
  for (const Node& entry : hosts->items) {
    for (const char* key : {"detection", "port_mode"})
      if (const Node* found = entry.Find(key)) return found;
  }
  return nullptr;
}

}  // namespace

void SetBonds(Scenario& s, const Node* hosts, const Node* nics, const Position& where, Errors& errors) {
  const auto links = LinksOfHosts(s.topology);
  bool given = false, used = false;
  for (NodeId host = 0; host < links.size(); ++host) {
    std::optional<BondParameters>& bond = s.hosts[host].bond;
    given |= bond.has_value();
    if (links[host].size() < 2) {
      bond.reset();
      continue;
    }
    used |= bond.has_value();
    if (!bond) bond.emplace();
    errors.Guard([&] {
      CheckLinks(s.topology, host, links[host], where);
      const NicParameters& nic = s.nics[host];
      if (nic.HasControl() && nic.control->credits())
        throw NotSupportedYet(
            nics != nullptr ? nics->where : where,
            fmt::format("host \"{}\" with two ports and credits of receivers", s.topology.nodes[host].name),
            "give the host one port, or another congestion control");
    });
    if (errors.Any()) return;
  }
  if (const Node* key = PortKey(hosts); key != nullptr && given && !used)
    errors.Add(ScenarioError(key->where,
                             "this key concerns hosts with two ports, and none of these hosts has two",
                             "give topology ports: 2, or leave out the key"));
}

}  // namespace headroom
