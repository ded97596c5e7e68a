// A switch's shared buffer as configured: pools, profiles, and the profile of each priority group and queue.
//
// Names and meaning follow SONiC's BUFFER_POOL, BUFFER_PROFILE, BUFFER_PG, BUFFER_QUEUE and
// BUFFER_PORT_INGRESS/EGRESS_PROFILE_LIST tables. BufferRules contains the choices that tables leave open,
// because ASIC families differ.
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
  Bytes xoff;  ///< headroom pool shared by the lossless groups; 0: each group has its own headroom. In
               ///< addition to `size`, or part of it: BufferRules::xoff_in_pool_size
  bool operator==(const BufferPool&) const = default;
};

struct BufferProfile {
  std::string name;
  std::string pool;
  Bytes size;  ///< reserved for each object with this profile; includes a lossless group's own headroom if
               ///< BufferRules::xoff_in_profile_size
  std::optional<int> dynamic_th;   ///< limit = alpha(dynamic_th) × free shared bytes of the pool
  std::optional<Bytes> static_th;  ///< limit in bytes
  std::optional<Bytes> xoff;       ///< maximum headroom of a group; if present, the profile is lossless
  Bytes xon;                       ///< XON at max(xon, limit − xon_offset)
  Bytes xon_offset;
  bool trims = false;  ///< packet_discard_action is `trim`: refused if an object has the profile
  /// In a named profile: values from the scenario, which no row by speed or length replaces.
  struct Own {
    bool xoff = false, threshold = false, xon_offset = false;
    bool operator==(const Own&) const = default;
  } own{};
  std::optional<double> alpha{};  ///< replaces alpha(dynamic_th), if it is not a power of two
  bool operator==(const BufferProfile&) const = default;

  bool Dynamic() const { return dynamic_th || alpha; }
  /// None if the limit is in bytes.
  std::optional<double> Alpha() const { return alpha || !dynamic_th ? alpha : std::exp2(*dynamic_th); }
};

/// A profile for the matching ports and groups (or queues); the last match wins. `ports` is a shell pattern
/// over port names.
struct BufferAssignment {
  std::string ports = "*";
  uint8_t first_priority = 0;  ///< number of the group or queue
  uint8_t last_priority = 7;
  std::string profile;
  bool operator==(const BufferAssignment&) const = default;
};

/// The limits of all groups (or queues) of a port together: a profile for each pool in which the port has a
/// limit. The last match wins.
struct PortProfiles {
  std::string ports = "*";
  std::vector<std::string> profiles;
  bool operator==(const PortProfiles&) const = default;
};

/// A port of the switch, whether or not the scenario connects it: its reserve exists in any case.
struct ChipPort {
  std::string name;
  Rate speed;
  Time delay;  ///< propagation in one direction, which determines its headroom
  bool operator==(const ChipPort&) const = default;
};

/// Row of a headroom table: the need of a lossless group at a port with this speed and cable.
struct HeadroomRow {
  Rate speed;
  int64_t cable_m = 0;  ///< the row is for cables up to this length
  Bytes xoff;
  std::string source;
  bool operator==(const HeadroomRow&) const = default;
};

/// Values of a lossless group's profile at ports of at least this speed, if thresholds depend on speed.
struct SpeedRow {
  Rate from;
  int dynamic_th = 0;
  Bytes xon_offset;
  bool operator==(const SpeedRow&) const = default;
};

/// The meaning of dynamic_th.
enum class AlphaMap : uint8_t {
  power_of_two,  ///< 2^n for every n: SAI
  mellanox       ///< 2^n, but -8 means 0 and 7 means no limit: Mellanox/SAI-Implementation, mlnx_sai_buffer.c
};

/// Rules in which ASIC families, and other simulators, differ. The defaults are those of Bai et al., NSDI
/// 2023; the families' are in asic_families.h.
struct BufferRules {
  /// A dynamic limit is a share of the pool's free bytes: its size minus the bytes in use. If this is set for
  /// the direction, all reserves of its objects, used or not, are also subtracted.
  bool reserved_off_ingress = true;
  bool reserved_off_egress = true;
  bool xoff_in_pool_size = false;     ///< a pool's `size` includes its `xoff`
  bool xoff_in_profile_size = false;  ///< a lossless profile's `size` includes its `xoff`, if the pool has no
                                      ///< shared headroom
  bool zero_is_unlimited = false;     ///< static_th 0 means no limit, as in SAI. Otherwise it permits nothing
                                      ///< beyond the reserve
  AlphaMap alpha = AlphaMap::power_of_two;
  /// HPCC: the threshold alone sends a frame to headroom, not the group's state.
  bool headroom_per_packet = false;
  /// HPCC: a group's xoff is 3 × rate × delay of its port, taken from the pool.
  bool headroom_from_link = false;
  bool operator==(const BufferRules&) const = default;
};

struct BufferParameters {
  std::string profile;  ///< name of the profile from which this came, or empty
  std::string changes;  ///< changes that the scenario makes to that profile: keys of YAML, or empty
  std::string source;   ///< publication or data sheet with the numbers
  std::string asic;     ///< ASIC family of the rules (asic_families.h), or empty
  Bytes size;           ///< size of the memory
  Bytes cell{1};
  int slices = 1;  ///< equal parts of memory and pools; a frame belongs to the part of its ingress port
  /// All ports of the switch in order, divided evenly among the slices; connected ports have the scenario's
  /// names. Empty: only the scenario's ports, in its order.
  std::vector<ChipPort> chip_ports;
  std::vector<BufferPool> pools;
  std::vector<BufferProfile> profiles;
  std::vector<BufferAssignment> groups;    ///< BUFFER_PG
  std::vector<BufferAssignment> queues;    ///< BUFFER_QUEUE
  std::vector<PortProfiles> port_ingress;  ///< BUFFER_PORT_INGRESS_PROFILE_LIST
  std::vector<PortProfiles> port_egress;   ///< BUFFER_PORT_EGRESS_PROFILE_LIST
  /// Profiles, by kind, for groups and queues in use that no assignment matches. Empty if there is none.
  std::string lossless_group, lossy_group, lossless_queue, lossy_queue;
  std::vector<HeadroomRow>
      headroom;  ///< (speed, cable length) → xoff; empty: the profile's own xoff applies everywhere
  std::vector<SpeedRow> by_speed;  ///< ascending; empty: lossless profiles are equal at all speeds
  BufferRules rules;
  BufferPolicyParameters policy;
  bool operator==(const BufferParameters&) const = default;
};

}  // namespace headroom
