// Rules that SONiC's tables leave open and the ASIC decides: cells, slices, and the arithmetic of pools.
//
// Cells: sonic-mgmt's test parameters, and Mellanox's ASIC table. Slices and arithmetic are not published;
// they are inferred from the packet counts at which sonic-mgmt's hardware tests expect a pause, a drop or a
// full headroom pool. tests/switch/buffer/shared_buffer_hardware_test.cc makes the comparison, and names the
// unexplained cases.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "switch/buffer/buffer_parameters.h"

namespace headroom {

struct AsicFamily {
  std::string name;
  Bytes cell;
  int slices = 1;
  BufferRules rules;
  std::string source;  ///< source, and how well the rules are established
};

/// td2, th, th2, td3, th3, th4, th5, spectrum1 to spectrum5, jericho2, q3d. Returns null for another name.
const AsicFamily* FindAsicFamily(std::string_view name);

/// Every name that FindAsicFamily knows.
std::vector<std::string> AsicFamilyNames();

}  // namespace headroom
