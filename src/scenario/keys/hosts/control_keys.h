// `congestion_control`: a name, or a mapping with a `type`. A line at the end of its file registers a
// control, in the tree or in another program, before a scenario is read:
//
//   const auto kFixed = RegisteredControl::Of<Fixed>(100, FixedKeys);
//
// Fixed is derived from Control and made from its parameters. examples/ns3-user/aimd.cc is a complete file.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "congestion/parameters_of.h"
#include "nic/parameters.h"
#include "scenario/keys/keys.h"

namespace headroom::keys {

/// The name of a control, or a mapping.
KindOf<NicParameters> Controls();

/// A step of a window, as a size or as a rise of the rate.
struct WindowStep {
  Bytes size;
  Rate rate;  ///< 0: the step is a size
  /// In bytes. `trip`: seconds in which the flow sends a window at its rate.
  double Over(double trip) const {
    return rate.v > 0 ? static_cast<double>(rate.v) * trip / 8 : static_cast<double>(size.v);
  }
  bool operator==(const WindowStep&) const = default;
};
KindOf<WindowStep> WindowSteps(Bytes least);

/// The base round trip T of a control. Time() represents the network's largest (LargestTrip).
KindOf<std::optional<Time>> BaseTrips();

/// The keys of a type: `type`, and the type's own.
template <class D>
KeysOf<D> ControlKeys(const char* type, const char* page, const std::vector<KeyOf<D>>& own,
                      const typename KeysOf<D>::CheckOf& check = {}) {
  const std::string text = type;
  const KindOf<D> choice{{"choice", text, fmt::format(R"({{"const": "{}"}})", text)},
                         {},
                         [text](const D&, const Writing&) { return text; }};
  std::vector<KeyOf<D>> keys = {{"type",
                                 choice,
                                 "the congestion control",
                                 {.standard = "required, unless an earlier entry gives the type"}}};
  keys.insert(keys.end(), own.begin(), own.end());
  constexpr bool kMarks = requires { requires D::kNeedsMarks; };
  return {{.name = "control_" + text, .page = page, .type = text, .marks = kMarks, .cost = Cost::setting},
          keys,
          check};
}

/// A type of control.
struct ControlType {
  int place = 0;  ///< order of the types in the schema, on pages and in messages
  std::function<const Keys&()> keys;
  /// Reads the parameters of a mapping; null: uses the defaults.
  std::function<std::shared_ptr<const ControlParameters>(const Node* node, Reading& reading)> read;
  std::function<std::string(const ControlParameters& parameters, const Writing& writing)> write;
};

struct RegisteredControl {
  explicit RegisteredControl(const ControlType& type);
  /// The type of control C, with the keys of its parameters.
  template <class C, class D>
  static RegisteredControl Of(int place, const KeysOf<D>& (*keys)()) {
    using Parameters = ControlParametersOf<C, D>;
    return RegisteredControl({place, [keys]() -> const Keys& { return keys(); },
                              [keys](const Node* node, Reading& reading) {
                                D d = keys().Start();
                                if (node != nullptr) keys().Read(*node, &d, reading);
                                return std::make_shared<const Parameters>(keys().section().type,
                                                                          std::move(d));
                              },
                              [keys](const ControlParameters& parameters, const Writing& writing) {
                                return keys().Write(&static_cast<const Parameters&>(parameters).d, writing);
                              }});
  }
};

/// The registered types, in their order. Throws std::invalid_argument if two types have the same name.
const std::vector<ControlType>& ControlTypes();

}  // namespace headroom::keys
