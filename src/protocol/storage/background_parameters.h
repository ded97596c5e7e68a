// Background work of partition servers.
#pragma once

#include "sim/units.h"

namespace headroom {

struct BackgroundParameters {
  Rate gc{}, reencode{};          ///< read rates of each partition server; 0: none
  Bytes piece{int64_t{1} << 20};  ///< size of one read
  bool operator==(const BackgroundParameters&) const = default;
};

}  // namespace headroom
