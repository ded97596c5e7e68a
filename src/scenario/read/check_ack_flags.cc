#include "scenario/read/check_ack_flags.h"

#include "protocol/storage/storage_parameters.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom {
void CheckAckFlags(const std::vector<Workload>& workloads, const std::vector<ServiceEntry>& services,
                   const Topology& topology, const SharedList<NicParameters>& nics, Errors& errors) {
  const auto refuse = [&](const Position& where, const UnacknowledgedData& data) {
    const auto at =
        std::ranges::find_if(data.at, [&](NodeId host) { return nics[host].FlagsAcks(data.priority); });
    if (at == data.at.end()) return false;
    errors.Add(ScenarioError(
        where,
        fmt::format(
            "the NIC of \"{}\" reports ECN marks only in a flag on ACKs (coalescing: ack_flag), but {} "
            "have no ACKs",
            topology.nodes[*at].name, data.what),
        "give dcqcn: {np: {coalescing: per_qp}} or per_packet, or another generation than hpcc-sim"));
    return true;
  };
  for (const Workload& workload : workloads) {
    for (UnacknowledgedData& data : workload.parameters.arrivals->Unacknowledged(workload.parameters)) {
      data.at = NicsOfHosts(topology, workload.parameters.arrivals->nic, data.at);
      if (refuse(workload.source.where, data)) break;
    }
  }
  // Both ends count: hosts connect with datagrams, and either end may send READs.
  for (const ServiceEntry& service : services) {
    const auto* p = service.parameters.Find<StorageParameters>();
    if (p == nullptr) continue;
    for (const auto* hosts : {&p->compute, &p->extent_nodes})
      if (refuse(service.source.where, {"READ responses of services", *hosts, p->front.priority})) break;
  }
}

}  // namespace headroom
