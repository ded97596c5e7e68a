// Headroom that links need after a pause against what buffers are configured to give.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/bounds/switch_classes.h"
#include "pfc/link_headroom.h"
#include "sim/finding.h"

namespace headroom {

/// Formulas of others for the same link, with frames of 9216 bytes, which switches let through by default.
struct OtherFormulas {
  Bytes least;                 ///< LeastHeadroom, with the scenario's own frames
  std::optional<Bytes> ieee;   ///< IeeeDelayValue; none for a rate that it is not quoted for
  bool ieee_at_least = false;  ///< its interface delay is not quoted for this rate
  std::optional<Bytes> sonic;  ///< SONiC's script, for the Spectrum with the buffer's cell; none with another
};

/// The lossless groups of equal ports.
struct HeadroomCheck {
  std::string at, from;  ///< switch class, tier at the other end
  LinkSpec link;
  uint32_t ports = 0;   ///< of all switches of the class
  std::string example;  ///< node:port
  std::string classes;  ///< traffic classes with these numbers, "storage, bulk"
  LinkHeadroomInput input;
  LinkHeadroom need;  ///< HeadroomOfLink: HeadroomAfterXoff of the input
  OtherFormulas others{};
  Bytes configured;   ///< xoff
  std::string basis;  ///< where xoff is from: a row of the profile's table, the profile itself, the link
  std::string sonic_profile{};  ///< the profile, where it is a row of a SONiC configuration
  std::string named_profile{};  ///< the profile, where it is one of a named buffer
  bool has_row = true;          ///< false: the profile has a table, but no row for this link
  bool pauses = true;           ///< PFC is on at both ends
  /// Less than this drops whenever the group is full and its peer sends the largest frames back to back.
  Bytes ForSure() const;
};

/// An ingress pool with a headroom shared by all its lossless groups.
struct HeadroomPoolCheck {
  std::string at;
  uint32_t switches = 0;
  std::string pool;
  Bytes size;  ///< of the shared headroom
  uint32_t groups = 0;
  Bytes sum_xoff{}, sum_need{};
  /// How many groups can be in headroom at once, those that take most first: each with its full xoff; each
  /// with no more than its link can bring.
  uint32_t at_full_xoff = 0, at_need = 0;
  bool none_fits = false;  ///< what large frames bring for sure over a single link exceeds it
};

struct HeadroomChecks {
  std::vector<HeadroomCheck> links;
  std::vector<HeadroomPoolCheck> pools;
};

/// The sum on the wire, term by term.
std::string WireSum(const LinkHeadroom& need);

HeadroomChecks CheckHeadroom(const Fabric& fabric, const std::vector<SwitchClass>& switches,
                             Findings& findings);

}  // namespace headroom
