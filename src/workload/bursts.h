// Workloads whose arrivals are known beforehand: incast bursts, a permutation, a list of messages.
#pragma once

#include <string>

#include "sim/random.h"
#include "workload/generator.h"

namespace headroom {

class IncastGenerator final : public Generator {
 public:
  IncastGenerator(const WorkloadParameters& workload, uint32_t index, const HostView& hosts, Offers& offers);
  void Start() override;
  void OnEvent(uint64_t burst) override;

 private:
  void ScheduleBurst(int burst);

  IncastArrivals arrivals_;
  uint32_t index_;
  uint8_t priority_;
  Time duration_;
  Offers& offers_;
  Neighbourhoods senders_;
  EntityId entity_ = 0;
  RandomStream random_;
};

class ListGenerator final : public Generator {
 public:
  ListGenerator(const WorkloadParameters& workload, uint32_t index, Time duration, Offers& offers,
                std::vector<ListArrivals::Message> messages);
  void Start() override;
  void OnEvent(uint64_t next) override;

 private:
  void ScheduleFrom(uint64_t next);

  uint32_t index_;
  uint8_t priority_;
  Time duration_;
  Offers& offers_;
  std::vector<ListArrivals::Message> messages_;
  EntityId entity_ = 0;
};

/// A cyclic permutation of the hosts as a list of messages: everyone sends to another, nobody receives from
/// two.
std::vector<ListArrivals::Message> PermutationMessages(const PermutationArrivals& arrivals,
                                                       const std::string& name);

}  // namespace headroom
