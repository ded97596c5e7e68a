// The `buffer:` key of a switch.
#pragma once

#include "scenario/yaml/reader.h"
#include "switch/buffer/buffer_parameters.h"

namespace headroom {

/// A named profile, {profile: NAME, alpha, tables}; the HPCC simulator's rules, {profile: hpcc, size: SIZE};
/// or SONiC's tables, {size, asic, cell, slices, tables}. {sonic: …} is ReadSonicSource's
/// (scenario/sonic_buffers.h).
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

/// The same without what priorities have that no row covers.
void ReadRowsOfTables(const Node& node, BufferParameters& buffer, Errors& errors);

/// The keys `alpha` and `tables` beside a named profile: alpha is that of its lossless groups at all ports;
/// tables are fields of its rows, and rows of their own.
void ReadBufferChanges(MapReader& map, BufferParameters& buffer);

}  // namespace headroom
