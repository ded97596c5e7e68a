#include "analysis/bounds/service_ports.h"

namespace headroom {

void ForEachPort(const WorkloadParameters& workload, const Scenario& s, const UsePort& use) {
  const auto asked = workload.arrivals->Asks();
  if (asked && asked->of != ServiceOperation::Of::disk)
    s.own_services[asked->service]->ForEachPort(s.topology, use);
}

}  // namespace headroom
