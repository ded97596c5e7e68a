// Compares the headroom that links need after a pause with the configured headroom.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/bounds/switch_classes.h"
#include "pfc/link_headroom.h"
#include "sim/finding.h"

namespace headroom {

/// Published formulas for the same link, with frames of 9216 bytes, which switches permit by default.
struct OtherFormulas {
  Bytes least;                 ///< LeastHeadroom, with the scenario's own frames
  std::optional<Bytes> ieee;   ///< IeeeDelayValue; none for a rate without a quoted value
  bool ieee_at_least = false;  ///< the interface delay is not quoted for this rate
  std::optional<Bytes>
      sonic;  ///< SONiC's script, for the Spectrum with the buffer's cell; none for other cells
};

/// The lossless groups of equal ports.
struct HeadroomCheck {
  std::string at, from;  ///< switch class, and tier at the other end
  LinkSpec link;
  uint32_t ports = 0;   ///< ports of all switches of the class
  std::string example;  ///< node:port
  std::string classes;  ///< traffic classes with these numbers, "storage, bulk"
  LinkHeadroomInput input;
  LinkHeadroom need;  ///< HeadroomOfLink: HeadroomAfterXoff of the input
  OtherFormulas others{};
  Bytes configured;       ///< xoff
  std::string basis;      ///< source of xoff: a row of the profile's table, the profile itself, or the link
  std::string profile{};  ///< the groups' profile
  bool built_in = false;  ///< it belongs to a named buffer
  Bytes memory{};         ///< of the switch
  bool has_row = true;    ///< false: the profile has a table, but no row for this link
  bool pauses = true;     ///< PFC is on at both ends
  /// With less headroom, frames are dropped whenever the group is full and its peer sends the largest frames
  /// back to back.
  Bytes ForSure() const;
};

/// An ingress pool that shares its headroom among all its lossless groups.
struct HeadroomPoolCheck {
  std::string at;
  uint32_t switches = 0;
  std::string pool;
  Bytes size;  ///< size of the shared headroom
  uint32_t groups = 0;
  Bytes sum_xoff{}, sum_need{};
  /// How many groups can be in headroom at the same time, the most demanding first: each with its full xoff;
  /// each with the maximum that its link can deliver.
  uint32_t at_full_xoff = 0, at_need = 0;
  bool none_fits = false;  ///< the bytes of large frames that certainly arrive over a single link exceed it
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
