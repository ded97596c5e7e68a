// The parameters of any type of control.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <typeinfo>

#include "sim/units.h"

namespace headroom {

class Control;
struct ControlPath;
class Telemetry;

/// Parameters of a control whose receivers give credits.
struct CreditParameters {
  double share = 0.98;        ///< share of its line rate for which a receiver gives credits
  bool control_class = true;  ///< credits and requests use the class of CNPs, else the class of their data
};

/// An idle path, as a control's measurements of delay see it.
struct IdleTrip {
  Time whole;     ///< from the first bit of a full packet to the effect of its ACK
  Time in_hosts;  ///< part of it in both hosts
  int switches = 0;
};
/// A control slows down above `target`, even if `idle`, what it measures on an idle path, exceeds it.
struct DelayTarget {
  const char* key = "";  ///< key that raises the target by as much
  Time value;            ///< of this key
  Time target, idle;
};

class ControlParameters {
 public:
  virtual ~ControlParameters() = default;
  /// The control of one queue pair.
  virtual std::unique_ptr<Control> Make() const = 0;
  /// As a scenario names it.
  virtual const std::string& name() const = 0;
  /// Header bytes of its data frames and ACKs beyond the usual headers.
  virtual int64_t header_bytes() const = 0;
  /// What switches write into its data frames; null if nothing.
  virtual const Telemetry* telemetry() const = 0;
  /// Whether its data frames collect feedback.
  virtual bool has_feedback() const = 0;
  /// None if receivers give no credits.
  virtual std::optional<CreditParameters> credits() const = 0;
  /// Whether it slows down for marks alone.
  virtual bool needs_marks() const = 0;
  /// Whether it uses the network's largest round trip.
  virtual bool of_network() const = 0;
  /// Its target for a queue pair that fills an idle path; none if it has no target delay.
  virtual std::optional<DelayTarget> target(const ControlPath& path, const IdleTrip& trip) const = 0;
  /// Memory of one control, in bytes.
  virtual size_t bytes() const = 0;

  friend bool operator==(const ControlParameters& a, const ControlParameters& b) {
    return typeid(a) == typeid(b) && a.Equals(b);
  }

 protected:
  virtual bool Equals(const ControlParameters& other) const = 0;
};

}  // namespace headroom
