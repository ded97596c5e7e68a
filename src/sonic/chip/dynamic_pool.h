// The pool sizes of SONiC's dynamic buffer model on Spectrum switches: the memory less everything reserved in
// it.
//
// Source: sonic-swss, cfgmgr/buffer_pool_mellanox.lua (sizes), buffer_check_headroom_mellanox.lua (a port's
// limit).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/units.h"
#include "sonic/chip/spectrum.h"

namespace headroom {

/// One profile and the number of groups, queues and (port, pool) lists that refer to it.
struct ProfileUse {
  Bytes size;
  std::optional<Bytes> xon, xoff;  ///< of a lossless profile
  int64_t references = 0;
};

struct DynamicPoolInput {
  SpectrumAsic asic;
  Bytes mmu;  ///< the memory; SONiC takes the size of egress_lossless_pool unless the switch reports it
  std::vector<ProfileUse> profiles;
  int64_t lossy_groups = 0;            ///< with profile ingress_lossy_profile, at all ports
  int64_t lossy_groups_two_units = 0;  ///< of these at ports of eight lanes
  int64_t ports_up = 0;
  int64_t ports_up_two_units = 0;    ///< of eight lanes
  int64_t lossless_ports = 0;        ///< with a lossless group
  int ingress_pools = 1;             ///< with a size still to compute
  int64_t over_subscribe_ratio = 0;  ///< DEFAULT_LOSSLESS_BUFFER_PARAMETER
  Bytes shared_headroom;             ///< the ingress pool's configured xoff; 0: by the ratio
};

struct DynamicPools {
  // What is taken out of the memory.
  Bytes reserved;           ///< Σ size × references
  Bytes lossy_groups;       ///< a pipeline's latency each
  Bytes private_headroom;   ///< of ports with lossless groups, in addition to shared headroom
  Bytes management_groups;  ///< one a port that is up
  Bytes egress_mirror;      ///< a frame of 10 KiB a port that is up
  Bytes management_pool;
  Bytes shared_headroom;  ///< xoff of the ingress lossless pool; 0: groups have headroom of their own

  Bytes available;  ///< the rest; negative where more is reserved than there is
  Bytes pool;       ///< each ingress pool and the lossy egress pool, unless it has a percentage
  Bytes PoolOfPercentage(int percent) const;
};

/// Throws std::invalid_argument for Spectrum-6, whose pools have terms that are not known here.
DynamicPools ComputeDynamicPools(const DynamicPoolInput& in);

/// The reserves of a port's groups, which SONiC compares with the port's max_headroom_size: they have to be
/// less. `group_sizes`: size of the profile of each group, 0 for a lossy one.
Bytes PortHeadroom(const SpectrumAsic& asic, int lanes, const std::vector<Bytes>& group_sizes);

/// Most that the xoffs of a port's lossless groups may sum up to where headroom is shared.
Bytes MostSharedHeadroomOfPort(const SpectrumAsic& asic, int lanes);

}  // namespace headroom
