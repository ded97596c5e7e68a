#include "scenario/service_load.h"

namespace headroom {

ServiceLoad LoadOfService(const Scenario& scenario, size_t service) {
  ServiceLoad load;
  for (const WorkloadParameters& w : scenario.workloads) {
    if (OffersOperations(w) && ServiceOf(w) == service) load |= w.arrivals->Load();
  }
  return load;
}

}  // namespace headroom
