// The reaction point of ConnectX adapters, machine `vendor`.
//
// Source: NVIDIA, DCQCN CC Parameters (DOCA documentation; Mellanox community DOC-2790 before), for what the
// parameters mean; google/isekai, rdma_roce_cc_dcqcn.cc, for the state machine: from the first CNP on, alpha
// is updated each alpha_timer and the rate cut at most once each reduce_window, both from a flag that a CNP
// sets. Alpha is a whole number of 1/1024, and divisions drop the remainder. We depart from it in three
// places: rates are whole bit/s where that code has Mb/s, and increases round up, so that the target is
// reached; without a rate for the first CNP that one leads to a cut at the next check, as each later one
// does; at one instant alpha is updated before the rate is cut.
#pragma once

#include <optional>

#include "dcqcn/machine_demand.h"
#include "dcqcn/parameters.h"
#include "dcqcn/reaction_state.h"

namespace headroom {

class VendorMachine {
 public:
  static constexpr bool kPublished = false;

  explicit VendorMachine(const RpParameters& parameters) : p_(parameters) {}
  RpReaction OnNotification(RpState& s, Time now) const;
  void OnTimer(RpState& s, Time now) const;
  void OnByteCounter(RpState& s) const;
  static std::optional<MachineDemand> UnmetBy(const RpParameters& p);

 private:
  void MoveAlpha(RpState& s, Time until) const;
  void CutRate(RpState& s, Time now) const;
  void Increase(RpState& s) const;

  const RpParameters& p_;
};

}  // namespace headroom
