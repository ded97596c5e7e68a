// What SONiC's buffer manager adds to the configuration of a fresh switch: lossless groups and their
// profiles.
//
// Of the traditional buffer model. Source: sonic-swss, cfgmgr/buffermgr.cpp.
#pragma once

#include "sonic/tables/config.h"
#include "sonic/tables/findings.h"
#include "sonic/tables/lookup.h"

namespace headroom {

/// The configuration's JSON with, for every port that has PFC, a row BUFFER_PG|port|n-m for each run of
/// priorities in pfc_enable, with profile pg_lossless_<speed>_<cable>_profile as the lookup table has it. An
/// existing profile of that name stays as it is. Left out: a port with a cable of 0m, and on Mellanox and
/// Barefoot switches one that is down. A port without a row for its speed and cable gets nothing;
/// CheckPfcGroups reports it (sonic/tables/check_pfc.h). Other findings: no pool ingress_lossless_pool; a
/// dynamic buffer model, which has no table.
nlohmann::ordered_json AddLosslessGroups(const SonicConfig& config, const PgProfileLookup& lookup,
                                         SonicFindings& findings);

/// The platforms whose buffer manager leaves out ports that are down.
bool SkipsPortsDown(const SonicDevice& device);

}  // namespace headroom
