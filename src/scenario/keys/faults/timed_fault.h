// The keys that all faults with times share, in addition to a fault's own keys.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "scenario/keys/keys.h"
#include "scenario/scenario.h"

namespace headroom::keys {

inline constexpr const char* kFaultPage = "models/faults.md";

const KeysOf<FaultTimes>& FaultRepeatKeys();
/// `stop` comes after `start`, and a repeated fault ends before it recurs.
void CheckFaultTimes(const Node& node, const FaultTimes& times, Errors& errors);

/// The keys start, stop and repeat.
template <class F>
void AddFaultTimes(std::vector<KeyOf<F>>& keys) {
  const Shape time = Times().shape;
  const KindOf<Time> stop{time, [](const Node& node, Time& out, Reading&) { out = ParseTime(node); },
                          [](const Time& t, const Writing&) { return t == kNever ? "" : FormatTime(t); }};
  KindOf<FaultTimes> repeat = Mapping(FaultRepeatKeys());
  repeat.write = [write = repeat.write](const FaultTimes& times, const Writing& writing) {
    return times.count > 1 ? write(times, writing) : "";
  };
  keys.emplace_back("start", &F::times, &FaultTimes::start, Times(), "time at which the fault begins");
  keys.emplace_back("stop", &F::times, &FaultTimes::stop, stop, "time at which the fault ends",
                    Traits{.standard = "it does not"});
  keys.emplace_back("repeat", &F::times, repeat, "how the fault repeats", Traits{.standard = "once"});
}

template <class F>
KeyOf<F> FaultType(const char* name) {
  return {"type",
          KindOf<F>{{"choice", name, fmt::format(R"({{"const": "{}"}})", name)},
                    {},
                    [name](const F&, const Writing&) { return std::string(name); }},
          "failures in the network",
          {.required = true}};
}

template <class F>
using CheckFault = std::function<void(const Node&, const F&, Reading&)>;

/// A fault that has times. `place`: node or port, which precede its other keys.
template <class F>
KeysOf<F> TimedFault(const char* type, const char* help, std::vector<KeyOf<F>> own, bool place = false,
                     const CheckFault<F>& check = {}) {
  Section section{.name = std::string("fault_") + type, .page = kFaultPage, .help = help, .type = type};
  if (place) section.one_of = {{"node", "port"}};
  own.insert(own.begin(), FaultType<F>(type));
  AddFaultTimes(own);
  return {section, own, [check](const Node& node, F& fault, Reading& reading) {
            if (check) check(node, fault, reading);
            CheckFaultTimes(node, fault.times, reading.errors);
          }};
}

}  // namespace headroom::keys
