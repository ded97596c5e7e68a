#include "workload/arrivals.h"

#include "workload/distributions/distributions.h"
#include "workload/io_span.h"
#include "workload/parameters.h"

namespace headroom {

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
