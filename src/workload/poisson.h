// Poisson arrivals at every sender, sizes from a distribution, targets uniform within the scope.
#pragma once

#include <string>

#include "sim/random.h"
#include "workload/generator.h"

namespace headroom {

class PoissonGenerator final : public Generator {
 public:
  PoissonGenerator(const WorkloadParameters& workload, uint32_t index, const HostView& hosts, Offers& offers);
  void Start() override;
  void OnEvent(uint64_t sender) override;

 private:
  struct Sender {
    NodeId host = 0;
    EntityId entity = 0;
    double mean_gap_ps = 0;
    RandomStream gaps, sizes, targets;
    const std::vector<NodeId>* reach = nullptr;
  };
  void ScheduleNext(uint64_t sender, Time after);

  PoissonArrivals arrivals_;
  uint32_t index_;
  uint8_t priority_;
  Time duration_;
  Offers& offers_;
  Neighbourhoods neighbourhoods_;
  std::vector<Sender> senders_;
  size_t active_ = 0;
};

}  // namespace headroom
