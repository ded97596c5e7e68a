// A switch's shared buffer as configured: pools, profiles, and which profile each priority group and queue
// has.
//
// Names and meaning follow SONiC's BUFFER_POOL, BUFFER_PROFILE, BUFFER_PG, BUFFER_QUEUE and
// BUFFER_PORT_INGRESS/EGRESS_PROFILE_LIST tables. BufferRules has the choices that tables leave open, because
// ASIC families differ.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/units.h"
#include "switch/buffer/policy/policy_parameters.h"

namespace headroom {

struct BufferPool {
  enum class Type { ingress, egress, both };
  enum class Mode { dynamic, fixed };  ///< `fixed` is SONiC's "static"
  std::string name;
  Type type = Type::ingress;
  Mode mode = Mode::dynamic;
  Bytes size;
  Bytes xoff;  ///< headroom pool shared by the lossless groups; 0: each group's headroom is its own. Beside
               ///< `size`, or part of it: BufferRules::xoff_in_pool_size
  bool operator==(const BufferPool&) const = default;
};

struct BufferProfile {
  std::string name;
  std::string pool;
  Bytes size;  ///< reserved for each object with this profile; a lossless group's own headroom is part of it
               ///< where BufferRules::xoff_in_profile_size
  std::optional<int> dynamic_th;   ///< limit = alpha(dynamic_th) × free shared bytes of the pool
  std::optional<Bytes> static_th;  ///< limit in bytes
  std::optional<Bytes> xoff;       ///< most headroom a group may use; given: the profile is lossless
  Bytes xon;                       ///< XON at max(xon, limit − xon_offset)
  Bytes xon_offset;
  bool trims = false;  ///< packet_discard_action is `trim`: refused where an object has the profile
  /// In a named profile: values that the scenario gives, which no row by speed or length replaces.
  struct Own {
    bool xoff = false, threshold = false, xon_offset = false;
    bool operator==(const Own&) const = default;
  } own{};
  std::optional<double> alpha{};  ///< in place of alpha(dynamic_th), where it is no power of two
  bool operator==(const BufferProfile&) const = default;

  bool Dynamic() const { return dynamic_th || alpha; }
  /// None: the limit is in bytes.
  std::optional<double> Alpha() const { return alpha || !dynamic_th ? alpha : std::exp2(*dynamic_th); }
};

/// A profile for the ports and groups (or queues) that match; the last match wins. `ports` is a shell pattern
/// over port names.
struct BufferAssignment {
  std::string ports = "*";
  uint8_t first_priority = 0;  ///< number of the group or queue
  uint8_t last_priority = 7;
  std::string profile;
  bool operator==(const BufferAssignment&) const = default;
};

/// What all groups (or queues) of a port may have together, pool by pool: a profile for each pool that it
/// limits. The last match wins.
struct PortProfiles {
  std::string ports = "*";
  std::vector<std::string> profiles;
  bool operator==(const PortProfiles&) const = default;
};

/// A port of the switch, whether the scenario connects it or not: what is reserved for it is reserved anyway.
struct ChipPort {
  std::string name;
  Rate speed;
  Time delay;  ///< propagation, one way: which headroom it is given
  bool operator==(const ChipPort&) const = default;
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

/// What dynamic_th stands for.
enum class AlphaMap : uint8_t {
  power_of_two,  ///< 2^n for every n: SAI
  mellanox       ///< 2^n, but -8 is 0 and 7 is no limit: Mellanox/SAI-Implementation, mlnx_sai_buffer.c
};

/// Where ASIC families, and other simulators, differ. The defaults are those of Bai et al., NSDI 2023; the
/// families' are in asic_families.h.
struct BufferRules {
  /// A dynamic limit is a share of the pool's free bytes: its size less the bytes in use. With this set for
  /// the direction, less all reserves of its objects too, used or not.
  bool reserved_off_ingress = true;
  bool reserved_off_egress = true;
  bool xoff_in_pool_size = false;     ///< a pool's `size` includes its `xoff`
  bool xoff_in_profile_size = false;  ///< a lossless profile's `size` includes its `xoff`, where the pool has
                                      ///< none for all
  bool zero_is_unlimited = false;     ///< static_th 0 is no limit: SAI. Else nothing beyond the reserve
  AlphaMap alpha = AlphaMap::power_of_two;
  /// HPCC: a frame goes to headroom by the threshold alone, not by the group's state.
  bool headroom_per_packet = false;
  /// HPCC: a group's xoff is 3 × rate × delay of its port, taken from the pool.
  bool headroom_from_link = false;
  bool operator==(const BufferRules&) const = default;
};

struct BufferParameters {
  std::string profile;  ///< named profile this came from, or empty
  std::string changes;  ///< what the scenario has otherwise than that profile: keys of YAML, or empty
  std::string source;   ///< publication or data sheet the numbers are from
  std::string asic;     ///< ASIC family that the rules are of (asic_families.h), or empty
  Bytes size;           ///< the memory
  Bytes cell{1};
  int slices = 1;  ///< equal parts of memory and pools; a frame is in the part of the port it came in by
  /// The ports of the switch in order, which divide evenly among the slices; those of the scenario have their
  /// names there. Empty: the scenario's alone, in its order.
  std::vector<ChipPort> chip_ports;
  std::vector<BufferPool> pools;
  std::vector<BufferProfile> profiles;
  std::vector<BufferAssignment> groups;    ///< BUFFER_PG
  std::vector<BufferAssignment> queues;    ///< BUFFER_QUEUE
  std::vector<PortProfiles> port_ingress;  ///< BUFFER_PORT_INGRESS_PROFILE_LIST
  std::vector<PortProfiles> port_egress;   ///< BUFFER_PORT_EGRESS_PROFILE_LIST
  /// Profiles of groups and queues in use that no assignment matches, by kind. Empty:
  /// none.
  std::string lossless_group, lossy_group, lossless_queue, lossy_queue;
  std::vector<HeadroomRow>
      headroom;  ///< (speed, cable length) → xoff; empty: the profile's own xoff everywhere
  std::vector<SpeedRow> by_speed;  ///< ascending; empty: lossless profiles are the same at all speeds
  BufferRules rules;
  BufferPolicyParameters policy;
  bool operator==(const BufferParameters&) const = default;
};

}  // namespace headroom
