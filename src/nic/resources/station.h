// A server that handles one item after the other. Its only state is the time when it will be free.
#pragma once

#include <algorithm>

#include "sim/units.h"

namespace headroom {

struct Station {
  Time free;

  /// An item present at `at` is served for `cost`. Returns when it is finished.
  Time Serve(Time at, Time cost) {
    free = std::max(free, at) + cost;
    return free;
  }
};

}  // namespace headroom
