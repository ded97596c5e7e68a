// The requests of all workloads to a service, needed before the run.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/units.h"

namespace headroom {

struct ServiceLoad {
  Bytes largest;         ///< largest block, value or payload of an operation
  uint32_t open = 1;     ///< open operations of a connection; others wait until one ends
  int64_t keys = 0;      ///< number of keys at the beginning
  Bytes key;             ///< length of the longest key
  bool inserts = false;  ///< some operations insert new keys

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
