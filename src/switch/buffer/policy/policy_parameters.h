// Which limits the groups and queues of a shared buffer have where their profile's limit is dynamic.
#pragma once

#include <cstdint>

#include "sim/units.h"

namespace headroom {

struct BufferPolicyParameters {
  enum class Type : uint8_t {
    dynamic,           ///< alpha × free: SONiC's
    fixed,             ///< `limit`, which scenarios call static
    complete_sharing,  ///< what is free
    abm,
    reverie
  };
  Type type = Type::dynamic;
  Bytes limit;  ///< fixed: beyond the reserve of a group or queue
  // ABM.
  double unscheduled_alpha = 64;     ///< of packets of a sender's first window
  double congested = 0.9;            ///< a queue counts as congested from this share of its limit on
  Time interval = Microseconds(80);  ///< between measurements of drain rates and of congested queues
  // Reverie.
  double gamma = 0.999;                ///< the part of a filtered length that remains when a frame leaves
  Bytes congested_at = Kibibytes(20);  ///< a queue counts as congested in proportion up to this
  bool operator==(const BufferPolicyParameters&) const = default;

  /// Limits come from an object of its own, not from the profile's numbers.
  bool HasObject() const { return type != Type::dynamic && type != Type::fixed; }
  bool UsesAlpha() const { return type != Type::fixed && type != Type::complete_sharing; }
  /// The limit of a group depends on what happened before, not only on what the buffer holds.
  bool HasMemory() const { return type == Type::abm || type == Type::reverie; }
};

/// As scenarios write it.
const char* NameOf(BufferPolicyParameters::Type type);

}  // namespace headroom
