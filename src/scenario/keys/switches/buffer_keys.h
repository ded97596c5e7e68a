// `buffer:` of a switch.
#pragma once

#include <string>

#include "scenario/keys/keys.h"
#include "scenario/scenario.h"

namespace headroom::keys {

/// A named profile, {profile: NAME, alpha, tables}; the HPCC simulator's rules, {profile: hpcc, size: SIZE};
/// SONiC's tables, {size, asic, cell, slices, tables}; or a SONiC switch's configuration, {sonic: FILE, …}.
KindOf<SwitchParameters> Buffer();
const KeysOf<SonicSource>& SonicSourceKeys();

/// BUFFER_POOL, BUFFER_PROFILE, BUFFER_PG, BUFFER_QUEUE, and optionally BUFFER_PORT_INGRESS_PROFILE_LIST and
/// BUFFER_PORT_EGRESS_PROFILE_LIST, as in config_db; values are numbers or texts. They fill the pools,
/// profiles, groups, queues and ports of a buffer whose size and rules are given.
///
/// The profiles egress_lossless and ingress_lossy may be used without an entry in BUFFER_PROFILE: they then
/// limit nothing. Checked: references, pool types, thresholds that match their pool's mode, pools that fit
/// into the memory.
const KeysOf<BufferParameters>& BufferTableKeys();
/// Writes the tables as a separate document.
std::string WriteBufferTables(const BufferParameters& buffer);
/// Adds the settings of priorities that no row covers.
void AddUnnamedProfiles(BufferParameters& buffer);

/// alpha of a dynamic limit; powers of two below 1 are written as 1/8.
KindOf<double> Alphas();
/// alpha applies to its lossless groups at all ports; tables contains changed fields of its rows, and
/// additional rows. REQUIRES: the profile has been read.
KindOf<BufferParameters> Alpha();
/// REQUIRES: the profile is read.
KindOf<BufferParameters> ChangedSize();
KindOf<BufferParameters> ChangedTables();

}  // namespace headroom::keys
