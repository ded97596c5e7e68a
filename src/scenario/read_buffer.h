// The `buffer:` key of a switch.
#pragma once

#include "scenario/reader.h"
#include "switch/buffer_parameters.h"

namespace headroom {

/// A named profile, {profile: NAME}; the HPCC simulator's rules, {profile: hpcc, size: SIZE}; or SONiC's
/// tables, {size, asic, cell, slices, tables}. {sonic: …} is ReadSonicSource's (scenario/sonic_buffers.h).
BufferParameters ReadBuffer(const Node& node, Errors& errors);

/// BUFFER_POOL, BUFFER_PROFILE, BUFFER_PG, BUFFER_QUEUE, and perhaps BUFFER_PORT_INGRESS_PROFILE_LIST and
/// BUFFER_PORT_EGRESS_PROFILE_LIST, as in config_db; values are numbers or texts. Fills the pools, profiles,
/// groups, queues and ports of `buffer`, whose size and rules are given.
///
/// The profiles egress_lossless and ingress_lossy may be used without being in BUFFER_PROFILE: they then
/// limit nothing. Priorities that no row covers have ingress_lossy; egress_lossless, or if lossy egress_lossy
/// where the tables have it. Checked: references, pool types, thresholds that fit their pool's mode, pools
/// that fit the memory.
void ReadBufferTables(const Node& node, BufferParameters& buffer, Errors& errors);

}  // namespace headroom
