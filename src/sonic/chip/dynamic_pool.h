// The pool sizes of SONiC's dynamic buffer model on Spectrum switches: the memory minus everything reserved
// in it.
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
  std::optional<Bytes> xon, xoff;  ///< for a lossless profile
  int64_t references = 0;
};

struct DynamicPoolInput {
  SpectrumAsic asic;
  Bytes mmu;  ///< the memory; SONiC uses the size of egress_lossless_pool unless the switch reports it
  std::vector<ProfileUse> profiles;
  int64_t lossy_groups = 0;            ///< lossy groups with profile ingress_lossy_profile, at all ports
  int64_t lossy_groups_two_units = 0;  ///< those at ports of eight lanes
  int64_t ports_up = 0;
  int64_t ports_up_two_units = 0;    ///< ports of eight lanes that are up
  int64_t lossless_ports = 0;        ///< ports with a lossless group
  int ingress_pools = 1;             ///< ingress pools whose size must be computed
  int64_t over_subscribe_ratio = 0;  ///< DEFAULT_LOSSLESS_BUFFER_PARAMETER
  Bytes shared_headroom;             ///< the ingress pool's configured xoff; 0: computed from the ratio
};

struct DynamicPools {
  // The parts subtracted from the memory:
  Bytes reserved;           ///< Σ size × references
  Bytes lossy_groups;       ///< one pipeline latency each
  Bytes private_headroom;   ///< for ports with lossless groups, in addition to shared headroom
  Bytes management_groups;  ///< one per port that is up
  Bytes egress_mirror;      ///< one frame of 10 KiB per port that is up
  Bytes management_pool;
  Bytes shared_headroom;  ///< xoff of the ingress lossless pool; 0: groups have their own headroom

  Bytes available;  ///< the rest; negative if the reserves exceed the memory
  Bytes pool;       ///< size of each ingress pool and of the lossy egress pool, unless it has a percentage
  Bytes PoolOfPercentage(int percent) const;
};

/// Throws std::invalid_argument for Spectrum-6, whose pools have unknown terms.
DynamicPools ComputeDynamicPools(const DynamicPoolInput& in);

/// The reserves of a port's groups, which must be less than the port's max_headroom_size in SONiC.
/// `group_sizes`: profile size of each group, 0 for a lossy one.
Bytes PortHeadroom(const SpectrumAsic& asic, int lanes, const std::vector<Bytes>& group_sizes);

/// The maximum sum of the xoffs of a port's lossless groups if headroom is shared.
Bytes MostSharedHeadroomOfPort(const SpectrumAsic& asic, int lanes);

}  // namespace headroom
