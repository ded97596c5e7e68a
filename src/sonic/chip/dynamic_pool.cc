#include "sonic/chip/dynamic_pool.h"

#include <algorithm>
#include <stdexcept>

namespace headroom {
namespace {

constexpr Bytes kPrivateHeadroom{10 * 1024};
constexpr Bytes kEgressMirror{10 * 1024};
constexpr Bytes kManagementPool{256 * 1024};
constexpr Bytes kLeastSharedHeadroom{640 * 1024};  ///< used if the sum leaves none

/// A lossy group's reserve at a port of eight lanes, which has two buffer units.
Bytes PipelineOfTwoUnits(const SpectrumAsic& asic) { return asic.pipeline * 2 - Bytes(1024); }

Bytes HalfRoundedUp(Bytes bytes) { return Bytes((bytes.v + (bytes.v > 0 ? 1 : 0)) / 2); }

}  // namespace

Bytes DynamicPools::PoolOfPercentage(int percent) const {
  const int64_t hundredfold = available.v * percent;
  return Bytes((hundredfold + (hundredfold > 0 ? 99 : 0)) / 100);
}

DynamicPools ComputeDynamicPools(const DynamicPoolInput& in) {
  if (in.asic.generation > 5)
    throw std::invalid_argument("pool sizes of the dynamic buffer model are known for Spectrum-1 to 5 only");
  DynamicPools pools;
  Bytes shared;  // the part of the lossless groups' xoff that is not in their reserves
  for (const ProfileUse& profile : in.profiles) {
    pools.reserved += profile.size * profile.references;
    if (profile.size.v == 0 || !profile.xon || !profile.xoff) continue;
    shared += std::max(Bytes(), *profile.xon + *profile.xoff - profile.size) * profile.references;
  }
  pools.lossy_groups = in.asic.pipeline * (in.lossy_groups - in.lossy_groups_two_units) +
                       PipelineOfTwoUnits(in.asic) * in.lossy_groups_two_units;
  pools.management_groups = in.asic.pipeline * (in.ports_up - in.ports_up_two_units) +
                            PipelineOfTwoUnits(in.asic) * in.ports_up_two_units;
  pools.egress_mirror = kEgressMirror * in.ports_up;
  pools.management_pool = kManagementPool;
  if (in.shared_headroom.v > 0 || in.over_subscribe_ratio > 0) {
    pools.private_headroom = kPrivateHeadroom * in.lossless_ports;
    pools.shared_headroom = in.shared_headroom;
    if (in.shared_headroom.v == 0) {
      const int64_t rest = std::max<int64_t>(0, (shared - pools.private_headroom).v);
      pools.shared_headroom = Bytes((rest + in.over_subscribe_ratio - 1) / in.over_subscribe_ratio);
      if (pools.shared_headroom.v == 0) pools.shared_headroom = kLeastSharedHeadroom;
    }
  }
  pools.available = in.mmu - pools.reserved - pools.lossy_groups - pools.private_headroom -
                    pools.management_groups - pools.egress_mirror - pools.management_pool -
                    pools.shared_headroom;
  pools.pool = in.ingress_pools == 1 ? pools.available : HalfRoundedUp(pools.available);
  pools.pool = std::min(pools.pool, in.asic.cell * (in.mmu.v / in.asic.cell.v));
  return pools;
}

Bytes PortHeadroom(const SpectrumAsic& asic, int lanes, const std::vector<Bytes>& group_sizes) {
  const bool two_units = lanes == 8;
  const Bytes lossy = two_units ? PipelineOfTwoUnits(asic) : asic.pipeline;
  Bytes sum = Bytes(4096) + lossy + kEgressMirror * (two_units ? 4 : 2);
  for (const Bytes size : group_sizes) sum += size.v == 0 ? lossy : size;
  return sum;
}

Bytes MostSharedHeadroomOfPort(const SpectrumAsic& asic, int lanes) {
  return asic.shp_most_port + asic.shp_reserved_port * (lanes == 8 ? 2 : 1);
}

}  // namespace headroom
