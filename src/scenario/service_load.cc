#include "scenario/service_load.h"

#include <algorithm>

#include "workload/key_value_arrivals.h"
#include "workload/transfer_arrivals.h"

namespace headroom {

KeyValueLoad LoadOfKeys(const Scenario& scenario, uint32_t service) {
  KeyValueLoad load{0, Bytes(0), Bytes(0)};
  for (const WorkloadParameters& w : scenario.workloads) {
    const KeyValueArrivals* const keys = w.arrivals->AsKeys();
    if (keys == nullptr || keys->service != service) continue;
    load.keys = std::max(load.keys, keys->keys);
    load.key = std::max(load.key, keys->key);
    load.value = std::max(load.value, keys->value);
  }
  return load;
}

ConnectionLoad LoadOfConnections(const Scenario& scenario, uint32_t service) {
  ConnectionLoad load;
  for (const WorkloadParameters& w : scenario.workloads) {
    const TransferArrivals* const transfers = w.arrivals->AsTransfers();
    if (transfers == nullptr || transfers->service != service) continue;
    load.largest = std::max(load.largest, transfers->size);
    const bool drawn = transfers->random || transfers->rate > 0;
    load.open = std::max(load.open, drawn ? 1 : static_cast<uint32_t>(transfers->window));
  }
  return load;
}

}  // namespace headroom
