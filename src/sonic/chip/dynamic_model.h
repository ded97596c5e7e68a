// Completes a configuration of the dynamic buffer model with all values that SONiC computes at run time.
//
// Sources: those of sonic/chip/dynamic_headroom.h and dynamic_pool.h; rows that count: sonic-swss,
// cfgmgr/buffermgrdyn.cpp.
#pragma once

#include "sim/finding.h"
#include "sonic/tables/config.h"

namespace headroom {

/// Gives computed groups ("NULL", or a profile with a dynamic headroom_type) profiles for the speed, cable,
/// MTU and lanes of their port, and gives pools without a size theirs. Ports that are down return their
/// reserves: their rows are removed. `json` is not changed. Error findings: not a Spectrum switch; no
/// egress_lossless_pool with the size of the memory; no default_dynamic_th; reserves exceed the memory.
/// REQUIRES: buffer_model is dynamic.
Findings ComputeDynamicModel(SonicConfig& config);

}  // namespace headroom
