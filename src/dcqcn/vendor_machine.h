// The reaction point of ConnectX adapters, machine `vendor`.
//
// Sources: NVIDIA, DCQCN CC Parameters (DOCA documentation; Mellanox community DOC-2790 before), for the
// meaning of the parameters; google/isekai, rdma_roce_cc_dcqcn.cc, for the state machine. From the first CNP
// on, alpha is updated every alpha_timer, and the rate is cut at most once per reduce_window. A CNP only
// sets a flag, on which the next update of alpha and the next check of the rate act. Alpha is a whole number
// of 1/1024, and divisions drop the remainder. Departures: rates are whole bit/s, whereas that code has Mb/s,
// and increases round up to reach the target. Without a rate for the first CNP, that CNP leads to a cut at
// the next check, like later ones. At the same instant alpha is updated before the rate is cut.
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
