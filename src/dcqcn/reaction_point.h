// The reaction point of a NIC: the rules by which a queue pair's rate falls and rises.
//
// Sources: Zhu et al., SIGCOMM 2015, section 3.1 and figure 7, and each machine's own file. Rates in bit/s on
// the wire, preamble and gap included.
//
// Timers are lazy. Alpha decays only when it is read: at a CNP's cut. A state at line rate has no timer at
// all. Rates are rounded to whole bit/s at each step.
#pragma once

#include <ns3/object.h>

#include "dcqcn/parameters.h"
#include "dcqcn/reaction_state.h"

namespace headroom {

class ReactionPoint final : public ns3::Object {
 public:
  using Reaction = RpReaction;

  static ns3::TypeId GetTypeId();
  void SetParameters(const RpParameters& parameters) { p_ = parameters; }
  const RpParameters& parameters() const { return p_; }

  /// A queue pair starts at line rate, without history.
  RpState Fresh(Rate line) const;
  /// A queue pair without congestion control stays at line rate.
  static RpState AtLine(Rate line);
  /// A congestion notification arrived.
  Reaction OnNotification(RpState& s, Time now) const;
  /// REQUIRES: now == s.NextTimer().
  void OnTimer(RpState& s, Time now) const;
  /// `wire_bytes` have been put on the wire. Returns whether that changed the rate.
  bool OnSent(RpState& s, int64_t wire_bytes) const {
    return !s.AtLineRate() && p_.byte_counter.v > 0 && CountBytes(s, wire_bytes);
  }

 private:
  bool CountBytes(RpState& s, int64_t wire_bytes) const;

  RpParameters p_;
};

}  // namespace headroom
