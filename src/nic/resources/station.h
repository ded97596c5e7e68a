// A server that does one thing after the other: all there is to know of it is when it will be free.
#pragma once

#include <algorithm>

#include "sim/units.h"

namespace headroom {

struct Station {
  Time free;

  /// Something that is there at `at` is served for `cost`. Returns when it is done.
  Time Serve(Time at, Time cost) {
    free = std::max(free, at) + cost;
    return free;
  }
};

}  // namespace headroom
