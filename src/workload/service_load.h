// A service's requests from all workloads together, needed before the run.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/units.h"

namespace headroom {

struct ServiceLoad {
  Bytes largest;         ///< block, value or payload of an operation
  uint32_t open = 1;     ///< operations of a connection at once; others wait for one of them to end
  int64_t keys = 0;      ///< that there are at the beginning
  Bytes key;             ///< the longest
  bool inserts = false;  ///< some operations put new keys

  ServiceLoad& operator|=(const ServiceLoad& other) {
    largest = std::max(largest, other.largest);
    open = std::max(open, other.open);
    keys = std::max(keys, other.keys);
    key = std::max(key, other.key);
    inserts |= other.inserts;
    return *this;
  }
};

}  // namespace headroom
