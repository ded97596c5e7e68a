#include "analysis/bounds/service_ports.h"

namespace headroom {

void ForEachPort(const WorkloadParameters& workload, const Scenario& s, const UsePort& use) {
  if (OffersOperations(workload)) s.services[ServiceOf(workload)]->ForEachPort(s.topology, use);
}

}  // namespace headroom
