// A control with its scenario's settings; tests give it its events.
#pragma once

#include <string>

#include "congestion/control.h"
#include "scenario/read/load.h"

namespace headroom {

class MadeControl {
 public:
  /// Takes the value of `congestion_control`.
  explicit MadeControl(const std::string& text)
      : parameters_(
            LoadScenarioText("topology: {type: star, hosts: 2, link: {rate: 100Gbps, length: 3m}}\n"
                             "workloads: [{name: w, type: incast, size: 1KB, fan_in: 1, from: h1, to: h0}]\n"
                             "duration: 1us\nmtu: 1000\n"
                             "nics: [{match: \"*\", congestion_control: " +
                                 text + "}]\n",
                             "made.yaml", ".")
                .nics[0]
                .control),
        control_(parameters_->Make()) {}
  Control* operator->() const { return control_.get(); }

 private:
  SharedValue<ControlParameters> parameters_;
  std::unique_ptr<Control> control_;
};

/// A path with 100 Gb/s and 1000 B a packet.
inline ControlPath PathOf(Time round_trip) {
  return {.line = GigabitsPerSecond(100),
          .round_trip = round_trip,
          .mtu = 1000,
          .full = Bytes(1132),
          .window = UINT64_MAX};
}

}  // namespace headroom
