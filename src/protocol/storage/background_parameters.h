// Background work of partition servers.
#pragma once

#include "sim/units.h"

namespace headroom {

struct BackgroundParameters {
  Rate gc{}, reencode{};          ///< that each partition server reads for it; 0: none
  Bytes piece{int64_t{1} << 20};  ///< read at once
  bool operator==(const BackgroundParameters&) const = default;
};

}  // namespace headroom
