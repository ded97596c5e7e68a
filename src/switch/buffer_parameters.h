// A switch's shared buffer as configured: pools, profiles, and which profile each priority group and queue
// has.
//
// Names and meaning follow SONiC's BUFFER_POOL, BUFFER_PROFILE, BUFFER_PG and BUFFER_QUEUE tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/units.h"

namespace headroom {

struct BufferPool {
  enum class Type { ingress, egress, both };
  enum class Mode { dynamic, fixed };  ///< `fixed` is SONiC's "static"
  std::string name;
  Type type = Type::ingress;
  Mode mode = Mode::dynamic;
  Bytes size;
  Bytes xoff;  ///< headroom pool shared by the lossless groups, beside `size`; 0: each group's headroom is
               ///< its own
  bool operator==(const BufferPool&) const = default;
};

struct BufferProfile {
  std::string name;
  std::string pool;
  Bytes size;                      ///< reserved for each object with this profile
  std::optional<int> dynamic_th;   ///< limit = 2^dynamic_th × free shared bytes of the pool
  std::optional<Bytes> static_th;  ///< limit in bytes
  std::optional<Bytes> xoff;       ///< most headroom a group may use; given: the profile is lossless
  Bytes xon;                       ///< XON at max(xon, limit − xon_offset)
  Bytes xon_offset;
  bool operator==(const BufferProfile&) const = default;
};

/// A profile for the ports and priorities that match; the last match wins. `ports` is a shell pattern over
/// port names.
struct BufferAssignment {
  std::string ports = "*";
  uint8_t first_priority = 0;
  uint8_t last_priority = 7;
  std::string profile;
  bool operator==(const BufferAssignment&) const = default;
};

/// Row of a headroom table: what a lossless group of a port with this speed and cable needs.
struct HeadroomRow {
  Rate speed;
  int64_t cable_m = 0;  ///< the row serves cables up to this length
  Bytes xoff;
  std::string source;
  bool operator==(const HeadroomRow&) const = default;
};

/// What a lossless group's profile becomes at ports of this speed and faster, where thresholds go by speed.
struct SpeedRow {
  Rate from;
  int dynamic_th = 0;
  Bytes xon_offset;
  bool operator==(const SpeedRow&) const = default;
};

/// How the arithmetic departs from the default, where an ASIC family or another simulator does.
struct BufferRules {
  bool headroom_per_packet =
      false;  ///< HPCC: a frame goes to headroom by the threshold alone, not by the group's state
  bool headroom_from_link =
      false;  ///< HPCC: a group's xoff is 3 × rate × delay of its port, taken from the pool
  bool operator==(const BufferRules&) const = default;
};

struct BufferParameters {
  std::string profile;  ///< named profile this came from, or empty
  std::string source;   ///< publication or data sheet the numbers are from
  Bytes size;           ///< the memory
  Bytes cell{1};
  std::vector<BufferPool> pools;
  std::vector<BufferProfile> profiles;
  std::vector<BufferAssignment> groups;  ///< BUFFER_PG
  std::vector<BufferAssignment> queues;  ///< BUFFER_QUEUE
  /// Profiles of the priorities that no assignment matches, by what their class is. Empty: no profile.
  std::string lossless_group, lossy_group, lossless_queue, lossy_queue;
  std::vector<HeadroomRow>
      headroom;  ///< (speed, cable length) → xoff; empty: the profile's own xoff everywhere
  std::vector<SpeedRow> by_speed;  ///< ascending; empty: lossless profiles are the same at all speeds
  BufferRules rules;
  bool operator==(const BufferParameters&) const = default;
};

}  // namespace headroom
