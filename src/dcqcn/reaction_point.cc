#include "dcqcn/reaction_point.h"

#include <ns3/boolean.h>
#include <ns3/double.h>
#include <ns3/enum.h>
#include <ns3/uinteger.h>

#include <algorithm>
#include <cmath>

namespace headroom {

NS_OBJECT_ENSURE_REGISTERED(ReactionPoint);

ns3::TypeId ReactionPoint::GetTypeId() {
  using R = ReactionPoint;
  using ns3::MakeTimeAccessor, ns3::MakeTimeChecker, ns3::MakeUintegerAccessor, ns3::MakeUintegerChecker;
  static ns3::TypeId tid =
      ns3::TypeId("headroom::ReactionPoint")
          .SetParent<ns3::Object>()
          .SetGroupName("Headroom")
          .AddConstructor<ReactionPoint>()
          .AddAttribute("AlphaTimer", "K: alpha decays once in this span without a notification.",
                        ns3::TimeValue(ns3::MicroSeconds(55)),
                        MakeTimeAccessor(&R::SetAlphaTimer, &R::GetAlphaTimer),
                        MakeTimeChecker(ns3::NanoSeconds(1)))
          .AddAttribute("IncreaseTimer", "T: span between increases by time.",
                        ns3::TimeValue(ns3::MicroSeconds(55)),
                        MakeTimeAccessor(&R::SetIncreaseTimer, &R::GetIncreaseTimer),
                        MakeTimeChecker(ns3::NanoSeconds(1)))
          .AddAttribute("ReduceWindow", "At most one cut in this span; 0: one for every notification.",
                        ns3::TimeValue(ns3::TimeStep(0)),
                        MakeTimeAccessor(&R::SetReduceWindow, &R::GetReduceWindow),
                        MakeTimeChecker(ns3::TimeStep(0)))
          .AddAttribute(
              "ByteCounter", "B: bytes between increases by volume; 0: none.", ns3::UintegerValue(10'000'000),
              MakeUintegerAccessor(&R::SetByteCounter, &R::GetByteCounter), MakeUintegerChecker<uint64_t>())
          .AddAttribute("RateAi", "Additive increase of the target, bit/s.", ns3::UintegerValue(40'000'000),
                        MakeUintegerAccessor(&R::SetRateAi, &R::GetRateAi), MakeUintegerChecker<uint64_t>())
          .AddAttribute("RateHai", "Hyper increase of the target, bit/s.", ns3::UintegerValue(200'000'000),
                        MakeUintegerAccessor(&R::SetRateHai, &R::GetRateHai), MakeUintegerChecker<uint64_t>())
          .AddAttribute("MinRate", "The rate never falls below this, bit/s.", ns3::UintegerValue(10'000'000),
                        MakeUintegerAccessor(&R::SetMinRate, &R::GetMinRate),
                        MakeUintegerChecker<uint64_t>(1))
          .AddAttribute("G", "g: weight of the newest sample in alpha.", ns3::DoubleValue(1.0 / 256),
                        ns3::MakeDoubleAccessor(&R::SetG, &R::GetG), ns3::MakeDoubleChecker<double>(0, 1))
          .AddAttribute("FastRecovery", "F: halvings of the distance to the target before additive increase.",
                        ns3::UintegerValue(5), MakeUintegerAccessor(&R::SetFastRecovery, &R::GetFastRecovery),
                        MakeUintegerChecker<uint32_t>())
          .AddAttribute("MaxRate", "First and highest rate of queue pairs, bit/s; 0: line rate.",
                        ns3::UintegerValue(0), MakeUintegerAccessor(&R::SetMaxRate, &R::GetMaxRate),
                        MakeUintegerChecker<uint64_t>())
          .AddAttribute("Machine", "Whose rules these are.",
                        ns3::EnumValue(static_cast<int>(RpParameters::Machine::paper)),
                        ns3::MakeEnumAccessor(&R::SetMachine, &R::GetMachine),
                        ns3::MakeEnumChecker(static_cast<int>(RpParameters::Machine::paper), "paper",
                                             static_cast<int>(RpParameters::Machine::hpcc), "hpcc",
                                             static_cast<int>(RpParameters::Machine::vendor), "vendor"))
          .AddAttribute("Priorities", "A mask: queue pairs of other priorities stay at line rate.",
                        ns3::UintegerValue(0xFF), MakeUintegerAccessor(&R::SetPriorities, &R::GetPriorities),
                        MakeUintegerChecker<uint8_t>())
          .AddAttribute("ClampTarget", "Machines hpcc and vendor: every cut lowers the target.",
                        ns3::BooleanValue(false),
                        ns3::MakeBooleanAccessor(&R::SetClampTarget, &R::GetClampTarget),
                        ns3::MakeBooleanChecker())
          .AddAttribute("ClampTargetAfterTimeIncrease",
                        "Machine vendor: so does one after an increase by time.", ns3::BooleanValue(true),
                        ns3::MakeBooleanAccessor(&R::SetClampAfterTime, &R::GetClampAfterTime),
                        ns3::MakeBooleanChecker())
          .AddAttribute("CutShift", "Machine vendor: a cut takes alpha / 2^this, alpha in 1/1024 (rpg_gd).",
                        ns3::UintegerValue(11), MakeUintegerAccessor(&R::SetCutShift, &R::GetCutShift),
                        MakeUintegerChecker<uint32_t>(0, 15))
          .AddAttribute("LeastKept",
                        "Machine vendor: per cent that a cut leaves, at least (rpg_min_dec_fac).",
                        ns3::UintegerValue(50), MakeUintegerAccessor(&R::SetLeastKept, &R::GetLeastKept),
                        MakeUintegerChecker<uint32_t>(0, 100))
          .AddAttribute("InitialAlpha", "Machine vendor: alpha at the first CNP, in 1/1024.",
                        ns3::UintegerValue(1023),
                        MakeUintegerAccessor(&R::SetInitialAlpha, &R::GetInitialAlpha),
                        MakeUintegerChecker<uint32_t>(1, 1023))
          .AddAttribute("RateOnFirstCnp",
                        "Machine vendor: in place of the first cut, bit/s; 0: an ordinary cut.",
                        ns3::UintegerValue(0), MakeUintegerAccessor(&R::SetFirstRate, &R::GetFirstRate),
                        MakeUintegerChecker<uint64_t>());
  return tid;
}

RpState ReactionPoint::Fresh(Rate line) const {
  return AtLine(p_.max_rate.v > 0 ? std::min(line, p_.max_rate) : line);
}

RpState ReactionPoint::AtLine(Rate line) {
  RpState s;
  s.line = s.current = s.target = line;
  return s;
}

ReactionPoint::Reaction ReactionPoint::OnNotification(RpState& s, Time now) const {
  if (p_.machine == RpParameters::Machine::hpcc) return NoteFlag(s, now);
  if (p_.machine == RpParameters::Machine::vendor) return VendorNote(s, now);
  const bool cut_before = s.last_cut.v >= 0;
  if (cut_before && now < s.last_cut + p_.reduce_window) return Reaction::ignored;
  if (cut_before) DecayAlpha(s, now);
  Cut(s, now, true);
  s.alpha = (1 - p_.g) * s.alpha + p_.g;
  s.alpha_base = now;
  return Reaction::cut;
}

void ReactionPoint::Cut(RpState& s, Time now, bool lower_target) const {
  if (lower_target) s.target = s.current;
  const double reduced = static_cast<double>(s.current.v) * (1 - s.alpha / 2);
  s.current = std::max(std::min(p_.min_rate, s.line), Rate(std::llround(reduced)));
  s.target = std::max(s.target, s.current);
  s.time_stage = s.byte_stage = 0;
  s.bytes = 0;
  s.increase_due = now + p_.increase_timer;
  s.last_cut = now;
}

/// Applies the alpha timer's ticks that came since, up to but not at `now`: a notification at a tick's own
/// instant comes first and restarts the timer.
void ReactionPoint::DecayAlpha(RpState& s, Time now) const {
  if (now <= s.alpha_base) return;
  int64_t ticks = (now - s.alpha_base - Time(1)) / p_.alpha_timer;
  s.alpha_base += p_.alpha_timer * ticks;
  if (s.alpha_flag && ticks > 0) {
    s.alpha = (1 - p_.g) * s.alpha + p_.g;
    s.alpha_flag = false;
    --ticks;
  }
  // Below this alpha no cut changes a rate by a bit/s; it also bounds the loop.
  constexpr double kNegligible = 1e-13;
  for (; ticks > 0 && s.alpha > kNegligible; --ticks) s.alpha *= 1 - p_.g;
}

void ReactionPoint::Increase(RpState& s, int stage_max, int stage_min) const {
  if (stage_min > p_.fast_recovery) {
    s.target += p_.rate_hai * (stage_min - p_.fast_recovery);
  } else if (stage_max > p_.fast_recovery) {
    s.target += p_.rate_ai;
  }
  s.target = std::min(s.target, s.line);
  s.current = Rate((s.current.v + s.target.v + 1) / 2);  // rounded up, so that the target is reached
}

void ReactionPoint::OnTimer(RpState& s, Time now) const {
  const bool vendor = p_.machine == RpParameters::Machine::vendor;
  if (s.decrease_due == now) return vendor ? VendorCut(s, now) : CheckDecrease(s, now);
  s.increase_due = now + p_.increase_timer;
  if (vendor) {
    VendorIncrease(s);
    ++s.time_stage;
  } else if (p_.machine == RpParameters::Machine::hpcc) {
    // That machine's stages count from 0 before the step: below F recovery, at F additive, above it hyper.
    if (s.time_stage > p_.fast_recovery) {
      s.target += p_.rate_hai;
    } else if (s.time_stage == p_.fast_recovery) {
      s.target += p_.rate_ai;
    }
    s.target = std::min(s.target, s.line);
    s.current = Rate((s.current.v + s.target.v + 1) / 2);
    ++s.time_stage;
  } else {
    ++s.time_stage;
    Increase(s, std::max(s.time_stage, s.byte_stage), std::min(s.time_stage, s.byte_stage));
  }
  if (s.AtLineRate()) s.increase_due = kNever;
}

bool ReactionPoint::CountBytes(RpState& s, int64_t wire_bytes) const {
  s.bytes += wire_bytes;
  if (s.bytes < p_.byte_counter.v) return false;
  while (s.bytes >= p_.byte_counter.v) {
    s.bytes -= p_.byte_counter.v;
    if (p_.machine == RpParameters::Machine::vendor) {
      VendorIncrease(s);
      ++s.byte_stage;
      continue;
    }
    ++s.byte_stage;
    Increase(s, std::max(s.time_stage, s.byte_stage), std::min(s.time_stage, s.byte_stage));
  }
  if (s.AtLineRate()) s.increase_due = kNever;
  return true;
}

ReactionPoint::Reaction ReactionPoint::NoteFlag(RpState& s, Time now) const {
  // That simulator's decrease check runs 1 ns after the alpha tick of the same period.
  const Time offset = Nanoseconds(1);
  if (s.first_flag.v < 0) {
    s.first_flag = s.alpha_base = now;
    s.alpha = 1;
    s.decrease_due = now + p_.reduce_window + offset;
    return Reaction::noted;
  }
  DecayAlpha(s, now);
  s.alpha_flag = true;
  if (s.decrease_due == kNever) s.decrease_due = NextCheck(s, now, offset);
  return Reaction::noted;
}

/// The next decrease check after `now`: they run each window, `offset` after the first flag's multiples.
Time ReactionPoint::NextCheck(const RpState& s, Time now, Time offset) const {
  const Time window = std::max(p_.reduce_window, Nanoseconds(1));  // none given: checked again and again
  const int64_t periods = std::max<int64_t>(0, (now - s.first_flag - offset) / window);
  return s.first_flag + window * (periods + 1) + offset;
}

void ReactionPoint::CheckDecrease(RpState& s, Time now) const {
  s.decrease_due = kNever;
  DecayAlpha(s, now);
  Cut(s, now, p_.clamp_target || s.time_stage > 0);
}

}  // namespace headroom
