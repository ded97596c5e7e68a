// I/Os of a recorded trace, as plain data: each disk's requests and their times.
#pragma once

#include <cstdint>
#include <vector>

#include "net/identifiers.h"
#include "sim/units.h"

namespace headroom {

struct BlockTrace {
  struct Io {
    Time at;  ///< time in the run
    uint64_t address = 0;
    uint32_t bytes = 0;
    bool writes = false;
    bool operator==(const Io&) const = default;
  };
  struct Disk {
    NodeId host = 0;
    std::vector<Io> ios;  ///< sorted by time
    bool operator==(const Disk&) const = default;
  };
  std::vector<Disk> disks;
  bool operator==(const BlockTrace&) const = default;
};

}  // namespace headroom
