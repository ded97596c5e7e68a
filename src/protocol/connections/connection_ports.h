// The assignment of connections to threads, servers and queue pairs, and the queue pairs' source ports.
#pragma once

#include <vector>

#include "protocol/connections/connection_parameters.h"

namespace headroom {

struct ConnectionPlace {
  uint32_t thread = 0;
  NodeId server = 0;
  /// Without a daemon, connections of a client with the same group and turn share a queue pair.
  uint32_t group = 0, turn = 0;
};
/// A client's connections, by number: they are assigned to its threads in round-robin order, and a thread's
/// connections to the servers. Threads that share queue pairs begin with the same server.
std::vector<ConnectionPlace> PlacesOf(const ConnectionParameters& p, NodeId client);

uint16_t PortOf(const ConnectionParameters& p, const Topology& topology, NodeId client,
                const ConnectionPlace& place);
/// Of the queue pair between two daemons; `a` joins `b`.
uint16_t PortOfDaemons(const ConnectionParameters& p, NodeId a, NodeId b);

}  // namespace headroom
