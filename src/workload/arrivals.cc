#include "workload/arrivals.h"

#include <algorithm>

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
