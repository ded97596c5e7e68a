// The limits of the groups and queues of a shared buffer whose profile has a dynamic limit.
#pragma once

#include <cstdint>

#include "sim/units.h"

namespace headroom {

struct BufferPolicyParameters {
  enum class Type : uint8_t {
    dynamic,           ///< alpha × free, as in SONiC
    fixed,             ///< `limit`; scenarios call it static
    complete_sharing,  ///< all free bytes
    abm,
    reverie
  };
  Type type = Type::dynamic;
  Bytes limit;  ///< fixed: bytes beyond the reserve of a group or queue
  // Parameters of ABM:
  double unscheduled_alpha = 64;     ///< alpha for packets of a sender's first window
  double congested = 0.9;            ///< a queue counts as congested above this share of its limit
  Time interval = Microseconds(80);  ///< between measurements of drain rates and of congested queues
  // Parameters of Reverie:
  double gamma = 0.999;                ///< the part of a filtered length that remains when a frame leaves
  Bytes congested_at = Kibibytes(20);  ///< a queue counts as congested in proportion to its length up to this
  bool operator==(const BufferPolicyParameters&) const = default;

  /// Whether an object computes the limits, not the profile's numbers.
  bool HasObject() const { return type != Type::dynamic && type != Type::fixed; }
  bool UsesAlpha() const { return type != Type::fixed && type != Type::complete_sharing; }
  /// Whether the limit of a group depends on earlier events, not only on the buffer's contents.
  bool HasMemory() const { return type == Type::abm || type == Type::reverie; }
};

/// The name as scenarios write it.
const char* NameOf(BufferPolicyParameters::Type type);

}  // namespace headroom
