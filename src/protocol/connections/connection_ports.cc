#include "protocol/connections/connection_ports.h"

#include <algorithm>
#include <set>

#include "workload/source_port.h"

namespace headroom {

std::vector<ConnectionPlace> PlacesOf(const ConnectionParameters& p, NodeId client) {
  const auto threads = static_cast<uint32_t>(p.threads_in_all()), share = static_cast<uint32_t>(p.share);
  std::vector<NodeId> servers = p.servers;
  std::erase(servers, client);
  std::vector<ConnectionPlace> places;
  for (uint32_t i = 0; i < static_cast<uint32_t>(p.connections); ++i) {
    const uint32_t turn = i / threads, group = i % threads / share;
    places.push_back({i % threads, servers[(turn + group) % servers.size()], group, turn});
  }
  return places;
}

uint16_t PortOf(const ConnectionParameters& p, const Topology& topology, NodeId client,
                const ConnectionPlace& place) {
  return SourcePort(p.name, topology.nodes[client].name, topology.nodes[place.server].name,
                    place.turn * 4096 + place.group);
}

uint16_t PortOfDaemons(const ConnectionParameters& p, NodeId a, NodeId b) {
  return SourcePort(p.name, std::to_string(a), std::to_string(b), 0);
}

void ConnectionParameters::ForEachPort(const Topology& topology, const UsePort& use) const {
  std::set<std::pair<NodeId, NodeId>> joined;
  for (const NodeId client : clients) {
    if (system == ConnectionSystem::rdmavisor) {
      for (const NodeId server : servers) {
        if (client == server || !joined.insert(std::minmax(client, server)).second) continue;
        use(client, server, 0, PortOfDaemons(*this, client, server));
        use(server, client, 0, PortOfDaemons(*this, client, server));
      }
      continue;
    }
    uint32_t number = 0;
    std::set<std::pair<uint32_t, uint32_t>> joints;
    for (const ConnectionPlace& place : PlacesOf(*this, client)) {
      if (!joints.emplace(place.group, place.turn).second) continue;
      use(client, place.server, number, PortOf(*this, topology, client, place));
      use(place.server, client, number++, PortOf(*this, topology, client, place));
    }
  }
}

}  // namespace headroom
