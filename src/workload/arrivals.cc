#include "workload/arrivals.h"

#include <algorithm>

#include "net/topology/topology.h"
#include "workload/distributions/distributions.h"
#include "workload/io_span.h"
#include "workload/parameters.h"

namespace headroom {

Rate HostView::LineRate(NodeId sender, const NicRule& rule) const {
  if (rule.kind == NicRule::Kind::named) return line_rates[sender];
  const uint32_t nics = topology->nodes[sender].nics;
  if (rule.kind == NicRule::Kind::number)
    return line_rates[sender + std::min<uint32_t>(rule.number, nics - 1)];
  Rate all;
  for (uint32_t i = 0; i < nics; ++i) all = all + line_rates[sender + i];
  return all;
}

void HostView::SetTopology(const Topology& of) {
  topology = &of;
  line_rates.assign(of.hosts, Rate{});
  ports.assign(of.hosts, 0);
  for (const TopologyLink& link : of.links) {
    for (const NodeId node : {link.a.node, link.b.node}) {
      if (node >= of.hosts) continue;
      line_rates[node] += link.spec.rate;
      ++ports[node];
    }
  }
}

Rate HostView::FastestPort() const {
  Rate fastest;
  for (NodeId host = 0; host < line_rates.size(); ++host) fastest = std::max(fastest, PortRate(host));
  return fastest;
}

std::unique_ptr<Generator> Arrivals::MakeGenerator(const WorkloadParameters&, uint32_t,
                                                   const GeneratorGround&) const {
  return nullptr;
}

std::unique_ptr<OperationGenerator> Arrivals::MakeOperations(const WorkloadParameters&, uint32_t,
                                                             const OperationGround&) const {
  return nullptr;
}

std::vector<SentByHost> Arrivals::ByHost(const Topology& topology, double) const {
  return std::vector<SentByHost>(topology.hosts);
}

bool Arrivals::SendsIn(uint8_t priority, const WorkloadParameters& workload) const {
  return !Asks() && workload.priority == priority;
}

double Arrivals::MeanPieces(double step) const { return Pieces(MeanBytes(), step); }

ServiceLoad Arrivals::Load() const {
  ServiceLoad load;
  load.largest = Bytes(static_cast<int64_t>(MeanBytes()));
  return load;
}

IoSpan Arrivals::Span(Time, Time) const { return {}; }

Forecast Arrivals::Count(const WorkloadParameters&, const Scenario& scenario) const {
  return Exactly(Expected(scenario));
}

}  // namespace headroom
