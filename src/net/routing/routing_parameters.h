// How a switch chooses among the equal next hops of a frame, as data.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "sim/units.h"

namespace headroom {

struct RoutingParameters {
  enum class Kind : uint8_t {
    ecmp,            ///< by a hash of the five-tuple
    spray,           ///< each packet at random
    flowlet,         ///< at random; packets of a flow that come within `timeout` of each other keep together
    adaptive,        ///< each packet to the shortest queue
    dimension_order  ///< of a torus: one dimension after the other
  };
  Kind kind = Kind::ecmp;
  Time timeout = Microseconds(50);  ///< flowlet
  /// dimension_order: priorities before and behind the dateline of a ring; none: frames keep theirs.
  std::optional<std::pair<uint8_t, uint8_t>> dateline;

  /// Packets of one flow may leave by several next hops.
  bool Splits() const { return kind == Kind::spray || kind == Kind::flowlet || kind == Kind::adaptive; }
  bool operator==(const RoutingParameters&) const = default;
};

inline const char* RoutingName(RoutingParameters::Kind kind) {
  constexpr const char* kNames[] = {"ecmp", "spray", "flowlet", "adaptive", "dimension_order"};
  return kNames[static_cast<int>(kind)];
}

}  // namespace headroom
