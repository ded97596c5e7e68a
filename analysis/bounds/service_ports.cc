#include "analysis/bounds/service_ports.h"

#include "nic/verbs/work_request.h"

namespace headroom {

void ForEachPort(const WorkloadParameters& workload, const Scenario& s, const UsePort& use) {
  const auto asked = workload.arrivals->Asks();
  if (!asked) return;
  if (asked->of == ServiceOperation::Of::own || asked->of == ServiceOperation::Of::connection) {
    s.own_services[asked->service]->ForEachPort(s.topology, use);
  } else if (asked->of == ServiceOperation::Of::key) {
    const KeyValueParameters& p = s.key_values[asked->service];
    if (p.system != KeyValueSystem::redis || p.redis.transport != RedisTransport::rdma) return;
    // A connection manager sets no port.
    const uint16_t port = AddressHandle().source_port;
    for (const NodeId client : p.clients) {
      for (const NodeId server : p.servers) {
        use(client, server, 0, port);
        use(server, client, 0, port);
      }
    }
  }
}

}  // namespace headroom
