// Compares PFC with lossless groups: each paused priority needs headroom, and each lossless group needs PFC.
#pragma once

#include "sim/finding.h"
#include "sonic/tables/config.h"

namespace headroom {

/// Errors: a port that is up has PFC for a priority, but the priority's group has no headroom, so lossless
/// frames are lost. The finding gives the reason (missing_group.h). Warnings: lossless groups whose priority
/// has no PFC.
Findings CheckPfcGroups(const SonicConfig& config);

/// The group of a priority's pauses: by the port's pfc_to_pg_map, else the group with the priority's number.
int GroupOfPfcPriority(const SonicConfig& config, const std::string& port, int priority);

/// The bits of a mask, for example "3, 4".
std::string PrioritiesText(uint8_t mask);

}  // namespace headroom
