// Promises of a switch's memory: pools, headroom and reserves against its bytes, ingress against egress.
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
  Bytes ingress_pools{};     ///< Σ size, without their shared headroom
  Bytes shared_headroom{};   ///< Σ xoff of ingress pools
  Bytes own_headroom{};      ///< Σ xoff of the groups without a shared headroom pool, beyond their reserves
  Bytes reserved_ingress{};  ///< of groups and ports, connected or not
  bool reserved_within = true;  ///< ingress reserves are part of the pools; else beside them
  Bytes egress_pools{};
  Bytes reserved_egress{};
  bool lossless_groups = true;  ///< where PFC is on, groups have headroom
  /// Bytes that may be admitted before a frame is refused because no counter has room.
  Bytes Ingress() const {
    return ingress_pools + shared_headroom + own_headroom + (reserved_within ? Bytes() : reserved_ingress);
  }
};

/// A lossless class at one egress port: the bytes that may wait for it against the limit of the queue, in the
/// worst slice.
struct EgressCheck {
  std::string at;
  std::string traffic_class;
  uint32_t groups = 0;           ///< that may send to one queue
  Bytes before_xoff{};           ///< all of them full
  Bytes headroom{};              ///< and in headroom, as far as there is any
  Bytes limit{};                 ///< of the least queue, alone in its pool
  Bytes others{};                ///< most that queues of other classes hold of the pool
  Bytes left{};                  ///< the limit when they do
  bool one_is_too_many = false;  ///< one full group exceeds `limit` with what large frames bring for sure
  /// This many full groups, with headroom, exceed `left`; none: no number does.
  std::optional<uint32_t> too_many{};
  Bytes Ingress() const { return before_xoff + headroom; }
};

struct MemoryChecks {
  std::vector<MemoryCheck> memory;
  std::vector<EgressCheck> egress;
};

MemoryChecks CheckMemory(const Fabric& fabric, const std::vector<SwitchClass>& switches, Findings& findings);

}  // namespace headroom
