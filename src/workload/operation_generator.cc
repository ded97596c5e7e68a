#include "workload/operation_generator.h"

#include "workload/fio_generator.h"
#include "workload/io.h"
#include "workload/key_value.h"
#include "workload/trace_generator.h"
#include "workload/transfers.h"

namespace headroom {

std::unique_ptr<OperationGenerator> MakeOperationGenerator(const WorkloadParameters& workload, uint32_t index,
                                                           const HostView& hosts, Bytes disk,
                                                           OperationOffers& offers) {
  if (std::holds_alternative<KeyValueArrivals>(workload.arrivals))
    return std::make_unique<KeyValueGenerator>(workload, index, hosts, offers);
  if (std::holds_alternative<TransferArrivals>(workload.arrivals))
    return std::make_unique<TransferGenerator>(workload, index, hosts, offers);
  const auto& io = std::get<IoArrivals>(workload.arrivals);
  if (io.job) return std::make_unique<FioGenerator>(workload, index, hosts, offers);
  if (io.trace) return std::make_unique<TraceGenerator>(workload, index, hosts, offers);
  return std::make_unique<IoGenerator>(workload, index, hosts, disk, offers);
}

}  // namespace headroom
