#include "workload/generator.h"

#include "workload/bursts.h"
#include "workload/poisson.h"
#include "workload/stream.h"

namespace headroom {

std::unique_ptr<Generator> MakeGenerator(const WorkloadParameters& workload, uint32_t index,
                                         const HostView& hosts, Offers& offers) {
  if (std::holds_alternative<PoissonArrivals>(workload.arrivals)) {
    return std::make_unique<PoissonGenerator>(workload, index, hosts, offers);
  }
  if (std::holds_alternative<IncastArrivals>(workload.arrivals)) {
    return std::make_unique<IncastGenerator>(workload, index, hosts, offers);
  }
  if (std::holds_alternative<StreamArrivals>(workload.arrivals)) {
    return std::make_unique<StreamGenerator>(workload, index, hosts, offers);
  }
  const auto* permutation = std::get_if<PermutationArrivals>(&workload.arrivals);
  return std::make_unique<ListGenerator>(workload, index, hosts.duration, offers,
                                         permutation != nullptr
                                             ? PermutationMessages(*permutation, workload.name)
                                             : std::get<ListArrivals>(workload.arrivals).messages);
}

}  // namespace headroom
