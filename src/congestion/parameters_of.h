// The parameters of one type of control, from the struct with its keys.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "congestion/control.h"
#include "congestion/parameters.h"
#include "congestion/telemetry.h"

namespace headroom {

/// The parameters of control C, with its keys in D.
template <class C, class D>
class ControlParametersOf final : public ControlParameters {
 public:
  ControlParametersOf(std::string name, D parameters) : d(std::move(parameters)), name_(std::move(name)) {
    if constexpr (requires { d.telemetry(); }) telemetry_ = d.telemetry();
  }
  std::unique_ptr<Control> Make() const override { return std::make_unique<C>(d); }
  const std::string& name() const override { return name_; }
  int64_t header_bytes() const override {
    if constexpr (requires { d.header_bytes(); }) return d.header_bytes();
    return 0;
  }
  const Telemetry* telemetry() const override { return telemetry_.get(); }
  bool has_feedback() const override { return Make()->Wants(Control::kRoundTrips | Control::kTelemetry); }
  std::optional<CreditParameters> credits() const override {
    if constexpr (requires { d.credits(); }) return d.credits();
    return std::nullopt;
  }
  bool needs_marks() const override {
    if constexpr (requires { D::kNeedsMarks; }) return D::kNeedsMarks;
    return false;
  }
  bool of_network() const override {
    if constexpr (requires { d.of_network(); }) return d.of_network();
    return false;
  }
  std::optional<DelayTarget> target(const ControlPath& path, const IdleTrip& trip) const override {
    if constexpr (requires { d.target(path, trip); }) return d.target(path, trip);
    return std::nullopt;
  }
  size_t bytes() const override { return sizeof(C); }

  const D d;

 private:
  bool Equals(const ControlParameters& other) const override {
    return d == static_cast<const ControlParametersOf&>(other).d;
  }
  std::string name_;
  std::unique_ptr<const Telemetry> telemetry_;
};

}  // namespace headroom
