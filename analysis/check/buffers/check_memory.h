// The bytes that a switch's memory promises: pools, headroom and reserves against its size, ingress against
// egress.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/bounds/switch_classes.h"
#include "sim/finding.h"

namespace headroom {

struct MemoryCheck {
  std::string at;
  uint32_t switches = 0;
  Bytes memory{};
  Bytes ingress_pools{};     ///< Σ size, without the pools' shared headroom
  Bytes shared_headroom{};   ///< Σ xoff of ingress pools
  Bytes own_headroom{};      ///< Σ xoff of the groups without a shared headroom pool, beyond their reserves
  Bytes reserved_ingress{};  ///< of groups and ports, connected or not
  bool reserved_within = true;  ///< ingress reserves are part of the pools; otherwise they are in addition
  Bytes egress_pools{};
  Bytes reserved_egress{};
  bool lossless_groups = true;  ///< all groups with PFC have headroom
  /// Bytes that may be admitted before a frame is refused because no counter has room.
  Bytes Ingress() const {
    return ingress_pools + shared_headroom + own_headroom + (reserved_within ? Bytes() : reserved_ingress);
  }
};

/// A lossless class at one egress port: compares the bytes that may wait for it with the limit of the queue,
/// in the worst slice.
struct EgressCheck {
  std::string at;
  std::string traffic_class;
  uint32_t groups = 0;           ///< number of groups that may send to one queue
  Bytes before_xoff{};           ///< bytes when all of them are full
  Bytes headroom{};              ///< bytes when they also use all available headroom
  Bytes limit{};                 ///< limit of the smallest queue, alone in its pool
  Bytes others{};                ///< maximum bytes of the pool that queues of other classes hold
  Bytes left{};                  ///< the limit if other classes hold `others`
  bool one_is_too_many = false;  ///< a single full group, with the bytes of large frames that certainly
                                 ///< arrive, exceeds `limit`
  /// This many full groups, with headroom, exceed `left`; none if no number does.
  std::optional<uint32_t> too_many{};
  Bytes Ingress() const { return before_xoff + headroom; }
};

struct MemoryChecks {
  std::vector<MemoryCheck> memory;
  std::vector<EgressCheck> egress;
};

MemoryChecks CheckMemory(const Fabric& fabric, const std::vector<SwitchClass>& switches, Findings& findings);

}  // namespace headroom
