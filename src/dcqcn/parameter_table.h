// Every parameter of DCQCN's points and of the rate limiter, each described once: key in scenarios, attribute
// in ns-3, field, permitted values, and a line of help. Defaults are the initialisers of the fields. The keys
// (scenario/keys/hosts/dcqcn_keys.cc) and the attributes (attributes.h) are derived from this table.
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>
#include <variant>

#include "dcqcn/parameters.h"

namespace headroom {

/// A field of P and its permitted values.
template <class P>
struct TimeParameter {
  Time P::*field;
  Time least, most = Seconds(10);
};
template <class P>
struct RateParameter {
  Rate P::*field;
  Rate least;
};
template <class P>
struct BytesParameter {
  Bytes P::*field;
  Bytes least;
};
template <class P>
struct CountParameter {
  int P::*field;
  int least, most;
};
/// A value above 0 and at most 1.
template <class P>
struct FractionParameter {
  double P::*field;
};
template <class P>
struct FlagParameter {
  bool P::*field;
};
template <class P>
struct PrioritiesParameter {
  ControlledPriorities P::*field;
};
/// One of several values, numbered from 0.
template <class P>
struct ChoiceParameter {
  int (*get)(const P&);
  void (*set)(P&, int);
  std::span<const char* const> names;
};

/// Machines that have a parameter: one bit per machine.
using MachineSet = unsigned;
constexpr MachineSet SetOf(RpParameters::Machine machine) { return 1u << static_cast<int>(machine); }
inline constexpr MachineSet kAllMachines = 7;

template <class P>
struct Parameter {
  const char* key;
  const char* attribute;
  std::variant<TimeParameter<P>, RateParameter<P>, BytesParameter<P>, CountParameter<P>, FractionParameter<P>,
               FlagParameter<P>, PrioritiesParameter<P>, ChoiceParameter<P>>
      kind;
  const char* help;
  bool of_adapters = false;  ///< its key is named as in ConnectX adapters
  MachineSet machines = kAllMachines;
  Rate unit{};  ///< unit of a rate that scenarios state as a whole number
};

template <auto Field, class P>
constexpr ChoiceParameter<P> ChoiceOf(std::span<const char* const> names) {
  using E = std::remove_cvref_t<decltype(P{}.*Field)>;
  return {[](const P& p) { return static_cast<int>(p.*Field); },
          [](P& p, int value) { p.*Field = static_cast<E>(value); }, names};
}

inline constexpr const char* kCoalescingNames[] = {"per_packet", "per_qp", "ack_flag"};
inline constexpr const char* kMachineNames[] = {"paper", "hpcc", "vendor"};
/// Whether the name of a machine stands at the machine's number.
constexpr bool IsMachineName(RpParameters::Machine machine, std::string_view name) {
  return kMachineNames[static_cast<size_t>(machine)] == name;
}
static_assert(std::size(kMachineNames) == 3 && IsMachineName(RpParameters::Machine::paper, "paper") &&
              IsMachineName(RpParameters::Machine::hpcc, "hpcc") &&
              IsMachineName(RpParameters::Machine::vendor, "vendor"));
inline constexpr const char* kGranularityNames[] = {"packet", "burst", "simulator"};
inline constexpr MachineSet kVendorAlone = SetOf(RpParameters::Machine::vendor);
inline constexpr MachineSet kNotThePaper = kVendorAlone | SetOf(RpParameters::Machine::hpcc);

inline constexpr auto kNpTable = [] {
  using Np = NpParameters;
  using T = TimeParameter<Np>;
  return std::to_array<Parameter<Np>>({
      {"coalescing", "Coalescing", ChoiceOf<&Np::coalescing, Np>(kCoalescingNames),
       "response to marked packets: a CNP for each, at most one CNP per QP in min_cnp_interval, or a "
       "flag on the packet's ACK"},
      {"min_cnp_interval", "MinCnpInterval", T{&Np::min_cnp_interval, Time(0)},
       "per_qp: minimum time between CNPs of a queue pair"},
      {"nic_interval", "NicInterval", T{&Np::nic_interval, Time(0)},
       "per_qp and per_packet: minimum time between CNPs of the NIC; 0ns: no limit"},
      {"cnp_delay", "CnpDelay", T{&Np::cnp_delay, Time(0)},
       "delay from the processing of a marked packet to its CNP at the port"},
      {"roce_cc_prio_mask", "Priorities", PrioritiesParameter<Np>{&Np::priorities},
       "priorities whose marked packets cause CNPs; bit n is priority n", true},
  });
}();

inline constexpr auto kRpTable = [] {
  using Rp = RpParameters;
  using T = TimeParameter<Rp>;
  using R = RateParameter<Rp>;
  using C = CountParameter<Rp>;
  using F = FlagParameter<Rp>;
  constexpr Time kLeastTimer = Nanoseconds(1);
  return std::to_array<Parameter<Rp>>({
      {"machine", "Machine", ChoiceOf<&Rp::machine, Rp>(kMachineNames),
       "algorithm of the reaction point: as published, as in the HPCC simulator, or as in ConnectX adapters"},
      {"reduce_window", "ReduceWindow", T{&Rp::reduce_window, Time(0)},
       "minimum time between cuts; 0ns: every CNP cuts"},
      {"g", "G", FractionParameter<Rp>{&Rp::g}, "weight of a CNP in alpha"},
      {"alpha_timer", "AlphaTimer", T{&Rp::alpha_timer, kLeastTimer},
       "K: time without a CNP until alpha decreases"},
      {"increase_timer", "IncreaseTimer", T{&Rp::increase_timer, kLeastTimer},
       "T: time between rate increases"},
      {"byte_counter", "ByteCounter", BytesParameter<Rp>{&Rp::byte_counter, Bytes(0)},
       "B: bytes sent between rate increases; 0B: no increases by bytes"},
      {"fast_recovery", "FastRecovery", C{&Rp::fast_recovery, 0, 1'000'000},
       "F: increases that halve the distance to the target"},
      {"rate_ai", "RateAi", R{&Rp::rate_ai, Rate(0)}, "step of the target rate after fast recovery"},
      {"rate_hai", "RateHai", R{&Rp::rate_hai, Rate(0)},
       "step of the target rate after F increases by the timer and F by the byte counter"},
      {"min_rate", "MinRate", R{&Rp::min_rate, BitsPerSecond(1'000)}, "lowest rate after a cut"},
      {"max_rate", "MaxRate", R{&Rp::max_rate, Rate(0)}, "first and highest rate of a queue pair"},
      {"clamp_target", "ClampTarget", F{&Rp::clamp_target},
       "machines hpcc and vendor: every cut also lowers the target rate; machine paper always does this",
       false, kNotThePaper},
      {"clamp_tgt_rate_after_time_inc", "ClampTargetAfterTimeIncrease", F{&Rp::clamp_after_time_increase},
       "machine vendor: a cut also lowers the target rate if the timer has raised the rate since the "
       "last cut",
       true, kVendorAlone},
      {"rpg_gd", "CutShift", C{&Rp::cut_shift, 0, 15},
       "machine vendor: a cut lowers the rate by alpha / 2^this, alpha in 1/1024", true, kVendorAlone},
      {"rpg_min_dec_fac", "LeastKept", C{&Rp::least_kept, 0, 100},
       "machine vendor: minimum rate after a cut, in per cent of the rate before it", true, kVendorAlone},
      {"initial_alpha_value", "InitialAlpha", C{&Rp::initial_alpha, 1, 1023},
       "machine vendor: alpha at the first CNP, in 1/1024", true, kVendorAlone},
      {"rate_to_set_on_first_cnp", "RateOnFirstCnp", R{&Rp::rate_on_first_cnp, Rate(0)},
       "machine vendor: rate after the first CNP, in Mb/s; 0: the first CNP causes an ordinary cut", true,
       kVendorAlone, MegabitsPerSecond(1)},
      {"roce_cc_prio_mask", "Priorities", PrioritiesParameter<Rp>{&Rp::priorities},
       "priorities whose queue pairs react to CNPs; bit n is priority n. Other queue pairs stay at line "
       "rate",
       true},
  });
}();

inline constexpr auto kLimiterTable = [] {
  using Limiter = LimiterParameters;
  return std::to_array<Parameter<Limiter>>({
      {"granularity", "LimiterGranularity", ChoiceOf<&Limiter::granularity, Limiter>(kGranularityNames),
       "unit between whose transmissions the limiter waits: a packet or a burst; simulator: a packet as "
       "in the HPCC simulator, where the wait begins with the transmission and takes whole nanoseconds"},
      {"burst", "LimiterBurst", BytesParameter<Limiter>{&Limiter::burst, Bytes(1)},
       "bytes that a queue pair sends back to back at line rate before it waits until its average equals "
       "its rate"},
  });
}();

}  // namespace headroom
