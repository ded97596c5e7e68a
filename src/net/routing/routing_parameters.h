// How a switch chooses among the equal next hops of a frame.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "sim/units.h"

namespace headroom {

/// The seed with which a switch hashes five-tuples.
struct HashSeed {
  enum class Kind : uint8_t {
    seed,   ///< drawn from the run's seed and the switch's name: operators do not know their switches' hash
    fixed,  ///< from the switch's name alone: the same paths in every run
    number  ///< the same for all switches with this number, as where an operator configures it
  };
  Kind kind = Kind::seed;
  bool given = false;  ///< by the scenario; otherwise flows with paths of their own set it to `fixed`
  uint32_t number = 0;
  bool operator==(const HashSeed& other) const { return kind == other.kind && number == other.number; }
};

struct RoutingParameters {
  enum class Kind : uint8_t {
    ecmp,      ///< by a hash of the five-tuple
    spray,     ///< a random next hop for each packet
    flowlet,   ///< a random next hop per flowlet: packets of a flow within `timeout` of each other keep it
    adaptive,  ///< the shortest queue for each packet
    dimension_order  ///< on a torus: one dimension after the other
  };
  Kind kind = Kind::ecmp;
  Time timeout = Microseconds(50);  ///< flowlet: the gap that ends a flowlet
  HashSeed hash_seed;               ///< ecmp and dimension_order
  /// dimension_order: priorities before and behind the dateline of a ring; none: frames keep their priority.
  std::optional<std::pair<uint8_t, uint8_t>> dateline;

  /// Whether packets of one flow may leave by several next hops.
  bool Splits() const { return kind == Kind::spray || kind == Kind::flowlet || kind == Kind::adaptive; }
  bool operator==(const RoutingParameters&) const = default;
};

inline const char* RoutingName(RoutingParameters::Kind kind) {
  constexpr const char* kNames[] = {"ecmp", "spray", "flowlet", "adaptive", "dimension_order"};
  return kNames[static_cast<int>(kind)];
}

}  // namespace headroom
