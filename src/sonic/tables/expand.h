// Adds the lossless groups and profiles that SONiC's buffer manager adds to the configuration of a fresh
// switch.
//
// For the traditional buffer model. Source: sonic-swss, cfgmgr/buffermgr.cpp.
#pragma once

#include "sonic/tables/config.h"
#include "sonic/tables/findings.h"
#include "sonic/tables/lookup.h"

namespace headroom {

/// The configuration's JSON with additional rows. Every port with PFC gets a row BUFFER_PG|port|n-m for each
/// run of priorities in pfc_enable, with the profile pg_lossless_<speed>_<cable>_profile from the lookup
/// table. An existing profile of that name stays as it is. Not for a port with a cable of 0m, nor, on
/// Mellanox and Barefoot switches, for a port that is down. A port without a row for its speed and cable gets
/// nothing; CheckPfcGroups reports it (sonic/tables/check_pfc.h). Other findings: no pool
/// ingress_lossless_pool; a dynamic buffer model, which has no table.
nlohmann::ordered_json AddLosslessGroups(const SonicConfig& config, const PgProfileLookup& lookup,
                                         SonicFindings& findings);

/// Whether the platform's buffer manager ignores ports that are down.
bool SkipsPortsDown(const SonicDevice& device);

}  // namespace headroom
