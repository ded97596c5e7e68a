// A configuration of the dynamic buffer model with everything computed that SONiC computes at run time.
//
// Sources: those of sonic/chip/dynamic_headroom.h and dynamic_pool.h; which rows count: sonic-swss,
// cfgmgr/buffermgrdyn.cpp.
#pragma once

#include "sim/finding.h"
#include "sonic/tables/config.h"

namespace headroom {

/// Gives computed groups ("NULL", or a profile with a dynamic headroom_type) profiles by the speed, cable,
/// MTU and lanes of their port, and pools without a size theirs. Ports that are down give back what they
/// reserve: their rows go. `json` stays as it is. Error findings: no Spectrum switch; no egress_lossless_pool
/// with the size of the memory; no default_dynamic_th; more reserved than there is. REQUIRES: buffer_model is
/// dynamic.
Findings ComputeDynamicModel(SonicConfig& config);

}  // namespace headroom
