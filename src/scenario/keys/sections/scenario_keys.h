// The keys of a scenario, and the keys of its sections except nics (nic_keys.h) and priorities
// (class_keys.h).
#pragma once

#include <variant>
#include <vector>

#include "scenario/keys/keys.h"
#include "scenario/scenario.h"

namespace headroom::keys {

/// name, seed, times, payload and frame sizes are read here. The code that knows what a section refers to
/// reads the section.
const KeysOf<Scenario>& ScenarioKeys();
/// Frame sizes of the HPCC simulator.
FrameFormat HpccFrames();

const KeysOf<Observations>& ObservationKeys();

}  // namespace headroom::keys
