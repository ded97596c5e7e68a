// The reaction point of a NIC: the rules by which a queue pair's rate falls and rises again.
//
// Source: Zhu et al., SIGCOMM 2015, section 3.1 and figure 7 (machine `paper`); the HPCC simulator's
// behaviour (machine `hpcc`); ConnectX adapters as vendor_machine.cc says (machine `vendor`). Rates in bit/s
// on the wire, preamble and gap included. The published text leaves open whether four or five halvings come
// before additive increase: ours is F = 5 halvings.
//
// Timers are lazy. Alpha decays only where it is read: in a CNP's cut. A state that is back at line rate has
// no timer at all. Rates are rounded to whole bit/s at each step.
#pragma once

#include <ns3/nstime.h>
#include <ns3/object.h>

#include "dcqcn/parameters.h"

namespace headroom {

/// The state of one queue pair.
struct RpState {
  Rate line;                 ///< what it starts at and returns to
  Rate current;              ///< RC
  Rate target;               ///< RT
  double alpha = 1.0;        ///< machine vendor: a whole number of 1/1024
  Time alpha_base;           ///< the last instant up to which alpha's timer ticks are accounted for
  Time last_cut = Time(-1);  ///< −1: none yet
  Time increase_due = kNever;
  // Machines hpcc and vendor.
  Time decrease_due = kNever;  ///< next check that will find a flag
  Time first_flag = Time(-1);  ///< the timers run from here; −1: none yet
  bool alpha_flag = false;     ///< a flag came since the last alpha tick
  int time_stage = 0;
  int byte_stage = 0;
  int64_t bytes = 0;  ///< since the byte counter's last event

  bool AtLineRate() const { return current == line && target == line; }
  Time NextTimer() const { return increase_due < decrease_due ? increase_due : decrease_due; }
};

class ReactionPoint final : public ns3::Object {
 public:
  enum class Reaction { cut, ignored, noted };

  static ns3::TypeId GetTypeId();
  void SetParameters(const RpParameters& parameters) { p_ = parameters; }
  const RpParameters& parameters() const { return p_; }

  /// A queue pair starts at line rate, without a memory.
  RpState Fresh(Rate line) const;
  /// One without congestion control stays there.
  static RpState AtLine(Rate line);
  /// A congestion notification arrived. ignored: it fell into the reduction window; noted (machines hpcc and
  /// vendor): a timer will act on it.
  Reaction OnNotification(RpState& s, Time now) const;
  /// REQUIRES: now == s.NextTimer().
  void OnTimer(RpState& s, Time now) const;
  /// `wire_bytes` were put on the wire. Returns whether that changed the rate.
  bool OnSent(RpState& s, int64_t wire_bytes) const {
    return !s.AtLineRate() && p_.byte_counter.v > 0 && CountBytes(s, wire_bytes);
  }

 private:
  void Cut(RpState& s, Time now, bool lower_target) const;
  void DecayAlpha(RpState& s, Time now) const;
  void Increase(RpState& s, int stage_max, int stage_min) const;
  bool CountBytes(RpState& s, int64_t wire_bytes) const;
  Reaction NoteFlag(RpState& s, Time now) const;
  void CheckDecrease(RpState& s, Time now) const;
  Time NextCheck(const RpState& s, Time now, Time offset) const;

  // Machine vendor.
  Reaction VendorNote(RpState& s, Time now) const;
  void VendorAlpha(RpState& s, Time until) const;
  void VendorCut(RpState& s, Time now) const;
  void VendorIncrease(RpState& s) const;

  // ns-3 attributes.
  void SetAlphaTimer(ns3::Time t) { p_.alpha_timer = Time(t.GetTimeStep()); }
  ns3::Time GetAlphaTimer() const { return ns3::TimeStep(static_cast<uint64_t>(p_.alpha_timer.v)); }
  void SetIncreaseTimer(ns3::Time t) { p_.increase_timer = Time(t.GetTimeStep()); }
  ns3::Time GetIncreaseTimer() const { return ns3::TimeStep(static_cast<uint64_t>(p_.increase_timer.v)); }
  void SetReduceWindow(ns3::Time t) { p_.reduce_window = Time(t.GetTimeStep()); }
  ns3::Time GetReduceWindow() const { return ns3::TimeStep(static_cast<uint64_t>(p_.reduce_window.v)); }
  void SetByteCounter(uint64_t b) { p_.byte_counter = Bytes(static_cast<int64_t>(b)); }
  uint64_t GetByteCounter() const { return static_cast<uint64_t>(p_.byte_counter.v); }
  void SetRateAi(uint64_t r) { p_.rate_ai = Rate(static_cast<int64_t>(r)); }
  uint64_t GetRateAi() const { return static_cast<uint64_t>(p_.rate_ai.v); }
  void SetRateHai(uint64_t r) { p_.rate_hai = Rate(static_cast<int64_t>(r)); }
  uint64_t GetRateHai() const { return static_cast<uint64_t>(p_.rate_hai.v); }
  void SetMinRate(uint64_t r) { p_.min_rate = Rate(static_cast<int64_t>(r)); }
  uint64_t GetMinRate() const { return static_cast<uint64_t>(p_.min_rate.v); }
  void SetG(double g) { p_.g = g; }
  double GetG() const { return p_.g; }
  void SetFastRecovery(uint32_t f) { p_.fast_recovery = static_cast<int>(f); }
  uint32_t GetFastRecovery() const { return static_cast<uint32_t>(p_.fast_recovery); }
  void SetMaxRate(uint64_t r) { p_.max_rate = Rate(static_cast<int64_t>(r)); }
  uint64_t GetMaxRate() const { return static_cast<uint64_t>(p_.max_rate.v); }
  void SetMachine(int m) { p_.machine = static_cast<RpParameters::Machine>(m); }
  int GetMachine() const { return static_cast<int>(p_.machine); }
  void SetPriorities(uint8_t mask) { p_.priorities.mask = mask; }
  uint8_t GetPriorities() const { return p_.priorities.mask; }
  void SetClampTarget(bool clamp) { p_.clamp_target = clamp; }
  bool GetClampTarget() const { return p_.clamp_target; }
  void SetClampAfterTime(bool clamp) { p_.clamp_after_time_increase = clamp; }
  bool GetClampAfterTime() const { return p_.clamp_after_time_increase; }
  void SetCutShift(uint32_t shift) { p_.cut_shift = static_cast<int>(shift); }
  uint32_t GetCutShift() const { return static_cast<uint32_t>(p_.cut_shift); }
  void SetLeastKept(uint32_t percent) { p_.least_kept = static_cast<int>(percent); }
  uint32_t GetLeastKept() const { return static_cast<uint32_t>(p_.least_kept); }
  void SetInitialAlpha(uint32_t alpha) { p_.initial_alpha = static_cast<int>(alpha); }
  uint32_t GetInitialAlpha() const { return static_cast<uint32_t>(p_.initial_alpha); }
  void SetFirstRate(uint64_t r) { p_.rate_on_first_cnp = Rate(static_cast<int64_t>(r)); }
  uint64_t GetFirstRate() const { return static_cast<uint64_t>(p_.rate_on_first_cnp.v); }

  RpParameters p_;
};

}  // namespace headroom
