// PFC against lossless groups: whether what may be paused has headroom, and the reverse.
#pragma once

#include "sim/finding.h"
#include "sonic/tables/config.h"

namespace headroom {

/// Errors: a port that is up has PFC for a priority, but its group has no headroom, so lossless frames are
/// lost. The finding gives the reason (missing_group.h). Warnings: a lossless group whose priority has no
/// PFC.
Findings CheckPfcGroups(const SonicConfig& config);

/// The group that pauses of a priority are for: by the port's pfc_to_pg_map, else of the priority's number.
int GroupOfPfcPriority(const SonicConfig& config, const std::string& port, int priority);

/// "3, 4": the bits of a mask.
std::string PrioritiesText(uint8_t mask);

}  // namespace headroom
