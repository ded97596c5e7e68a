#include "scenario/service_load.h"

#include "workload/io_arrivals.h"
#include "workload/key_value_arrivals.h"
#include "workload/transfer_arrivals.h"

namespace headroom {

static ServiceLoad LoadOf(const WorkloadParameters& workload) {
  ServiceLoad load;
  if (const IoArrivals* const io = workload.arrivals->AsIos()) {
    load.largest = LargestBlock(*io);
  } else if (const KeyValueArrivals* const keys = workload.arrivals->AsKeys()) {
    load.largest = keys->value;
    load.keys = keys->keys;
    load.key = keys->key;
    load.inserts = keys->inserts > 0;
  } else if (const TransferArrivals* const transfers = workload.arrivals->AsTransfers()) {
    load.largest = transfers->size;
    const bool drawn = transfers->random || transfers->rate > 0;
    load.open = drawn ? 1 : static_cast<uint32_t>(transfers->window);
  } else {
    load.largest = Bytes(static_cast<int64_t>(workload.arrivals->MeanBytes()));
  }
  return load;
}

ServiceLoad LoadOfService(const Scenario& scenario, size_t service) {
  ServiceLoad load;
  for (const WorkloadParameters& w : scenario.workloads) {
    if (OffersOperations(w) && ServiceOf(w, scenario) == service) load |= LoadOf(w);
  }
  return load;
}

}  // namespace headroom
