// When a run ends that has a certain number of events.
#pragma once

#include <string>

#include "run/run.h"
#include "support/in_child.h"

namespace headroom {

/// The time at which a run in one part has run about this many events, or ended. REQUIRES: `results: memory`.
inline Time TimeOfEvent(uint64_t event, const Scenario& scenario) {
  return Time(std::stoll(TextFromChild([&] {
    RunOptions options;
    options.progress_every = event;
    options.on_progress = [](const Progress&) { return false; };
    return std::to_string(Run(scenario, options).end.v);
  })));
}

}  // namespace headroom
