// The reaction point of the HPCC simulator, machine `hpcc`: alpha and decrease are checked by timers of their
// own.
//
// Source: alibaba-edu/High-Precision-Congestion-Control, rdma-hw.cc. It has no byte counter.
#pragma once

#include <optional>

#include "dcqcn/machine_demand.h"
#include "dcqcn/parameters.h"
#include "dcqcn/reaction_state.h"

namespace headroom {

class HpccMachine {
 public:
  static constexpr bool kPublished = false;

  explicit HpccMachine(const RpParameters& parameters) : p_(parameters) {}
  RpReaction OnNotification(RpState& s, Time now) const;
  void OnTimer(RpState& s, Time now) const;
  void OnByteCounter(RpState&) const {}
  static std::optional<MachineDemand> UnmetBy(const RpParameters& p);

 private:
  const RpParameters& p_;
};

}  // namespace headroom
