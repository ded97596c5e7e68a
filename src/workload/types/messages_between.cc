#include "workload/types/messages_between.h"

#include <algorithm>

#include "workload/generator.h"
#include "workload/parameters.h"

namespace headroom {

void MessagesBetween::CheckTargets(const TargetCheck& check) const {
  const Ends e = ends();
  check.Paths(e.from, e.to);
  check.Within(e.from, e.to, e.scope, 1, "to send to");
}

std::vector<UnacknowledgedData> MessagesBetween::Unacknowledged(const WorkloadParameters& workload) const {
  if (workload.verb != Operation::read_request) return {};
  return {{"READ responses", ends().to, workload.priority}};
}

std::vector<SentByHost> MessagesBetween::ByHost(const Topology& topology, double messages) const {
  const Ends e = ends();
  std::vector<SentByHost> hosts(topology.hosts);
  const Neighbourhoods targets(topology, e.to, e.scope);
  for (const NodeId host : e.from) {
    const std::vector<NodeId>& peers = targets.Of(host);
    const bool itself = std::ranges::binary_search(peers, host);
    hosts[host] = {messages / static_cast<double>(e.from.size()), static_cast<double>(peers.size()) - itself};
  }
  return hosts;
}

void MessagesBetween::AddShares(const WorkloadParameters&, const HostView&, ShareSink& sink) const {
  const Ends e = ends();
  for (const NodeId from : e.from) {
    for (const NodeId to : e.to) sink.Add(from, to, 1);
  }
}

void MessagesBetween::OfferFlows(const WorkloadParameters& workload, const HostView&, FlowSink& sink) const {
  const Ends e = ends();
  for (const NodeId from : e.from) {
    for (const NodeId to : e.to) {
      if (from != to && !sink.Full()) sink.Offer(from, to, workload.priority, 0);
    }
  }
}

}  // namespace headroom
