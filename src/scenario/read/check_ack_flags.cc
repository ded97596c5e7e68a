// Whether the notification points that put marks on ACKs have ACKs to put them on.
#include <fmt/format.h>

#include <algorithm>

#include "scenario/read/check_workloads.h"

namespace headroom {
namespace {

/// Data that come to these hosts in this priority and are not acknowledged.
struct Unacknowledged {
  const char* what;
  std::vector<NodeId> at;
  uint8_t priority = 0;
};

/// Where the responses to READs of bulk come to.
struct Readers {
  std::vector<NodeId> operator()(const PermutationArrivals& a) const { return a.hosts; }
  std::vector<NodeId> operator()(const ListArrivals& a) const {
    std::vector<NodeId> hosts;
    for (const ListArrivals::Message& m : a.messages) hosts.push_back(m.to);
    return hosts;
  }
  template <class Arrivals>
  std::vector<NodeId> operator()(const Arrivals& a) const {
    return a.to;
  }
};

const char* Datagrams(Transport transport) {
  return transport == Transport::uc ? "messages of uc" : "datagrams (ud)";
}

std::vector<Unacknowledged> UnacknowledgedOf(const WorkloadParameters& w) {
  std::vector<Unacknowledged> all;
  const bool reads = w.verb == Operation::read_request;
  const auto* posting = std::get_if<PostingArrivals>(&w.arrivals);
  if (reads)
    all.push_back(
        {"READ responses", posting ? posting->from : std::visit(Readers{}, w.arrivals), w.priority});
  if (!posting) return all;
  if (posting->transport != Transport::rc)
    all.push_back({Datagrams(posting->transport), posting->to, w.priority});
  if (posting->reply && posting->reply->transport != Transport::rc)
    all.push_back({Datagrams(posting->reply->transport), posting->from, w.priority});
  return all;
}

}  // namespace

void CheckAckFlags(const std::vector<Workload>& workloads, const ServiceLists& services,
                   const Topology& topology, const std::vector<NicParameters>& nics, Errors& errors) {
  const auto refuse = [&](const Position& where, const Unacknowledged& data) {
    const auto at =
        std::ranges::find_if(data.at, [&](NodeId host) { return nics[host].FlagsAcks(data.priority); });
    if (at == data.at.end()) return false;
    errors.Add(ScenarioError(
        where,
        fmt::format("the NIC of \"{}\" tells of marks by a flag on its ACKs (coalescing: ack_flag), and {} "
                    "have no ACKs",
                    topology.nodes[*at].name, data.what),
        "dcqcn: {np: {coalescing: per_qp}} or per_packet, or another generation than hpcc-sim"));
    return true;
  };
  for (const Workload& workload : workloads) {
    for (const Unacknowledged& data : UnacknowledgedOf(workload.parameters))
      if (refuse(workload.source.where, data)) break;
  }
  // Of both ends: hosts join by datagrams, and either may read.
  for (const Service& service : services.storage) {
    const StorageParameters& p = service.parameters;
    for (const auto* hosts : {&p.compute, &p.extent_nodes})
      if (refuse(service.source.where, {"READ responses of services", *hosts, p.front.priority})) break;
  }
}

}  // namespace headroom
