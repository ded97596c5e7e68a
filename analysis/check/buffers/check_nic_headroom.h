// Compares receive buffers of NICs with the bytes that still arrive after the NIC has paused its switch.
#pragma once

#include <string>
#include <vector>

#include "analysis/bounds/fabric.h"
#include "pfc/link_headroom.h"
#include "sim/finding.h"

namespace headroom {

/// Hosts with equal receive buffers and links. Whether a NIC is slow enough to fill its buffer depends on the
/// run. Whether its buffer is too small does not.
struct NicHeadroomCheck {
  uint32_t hosts = 0;
  std::string example, from;  ///< a host, and the tier of its switch
  LinkSpec link;
  Bytes size, xoff;   ///< of the receive buffer
  LinkHeadroom need;  ///< HeadroomAfterXoff
  Bytes Room() const { return size - xoff; }
};

/// For hosts with a receive buffer at a switch that obeys pauses, if there is a lossless class.
std::vector<NicHeadroomCheck> CheckNicHeadroom(const Fabric& fabric, Findings& findings);

}  // namespace headroom
