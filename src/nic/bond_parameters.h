// Parameters of a NIC whose two ports share its address (bond.h).
#pragma once

#include "sim/units.h"

namespace headroom {

struct BondParameters {
  /// How long a link is down, or up again, until queue pairs move. Ours: a PHY sees the loss of its signal
  /// within a millisecond, and the driver needs some more. For comparison: Linux's bonding driver polls every
  /// 100 ms if it follows its manual (bonding.rst, miimon), and LACP's short timeout is 3 s (IEEE
  /// 802.1AX-2020, 6.4.4).
  Time detection = Milliseconds(10);
  bool operator==(const BondParameters&) const = default;
};

}  // namespace headroom
